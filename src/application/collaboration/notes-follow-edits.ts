import type { SubjectChanges } from '../../domain/shared/subject-changes.js';
import type { DomainEvent, SetFollower } from '../shared/domain-events.js';
import type { NoteRepository } from './ports/note-ports.js';

/** Says below an issue or merge request what an edit changed of which its history has no entry, whichever way it was edited. */
export const notesFollowEdits: SetFollower<{ readonly notes: NoteRepository }> = {
  follow: async (events, { notes }) => {
    const said = events.flatMap((event) => {
      if (!('changes' in event)) return [];
      const { by: authorId, at: createdAt } = event;
      const subjectId = 'issue' in event ? event.issue.id : event.mergeRequest.id;
      return saidOf(event).map((body) => ({ subjectId, authorId, body, system: true, createdAt }));
    });
    if (said.length > 0) await notes.addAll(said);
  },
};

type Edit = Extract<DomainEvent, { readonly changes: SubjectChanges }>;

const saidOf = ({ kind, changes: { description, discussionLocked } }: Edit): readonly string[] => {
  const said = description === undefined ? [] : ['changed the description'];
  const locked = discussionLocked?.current ?? false;
  // That nobody has said anything about it means the same as unlocked.
  if (locked === (discussionLocked?.previous ?? false)) return said;
  const noun = kind === 'issue_edited' ? 'issue' : 'merge request';
  return [...said, `${locked ? 'locked' : 'unlocked'} the discussion in this ${noun}`];
};
