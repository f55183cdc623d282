import type { NoteRepository } from '../collaboration/ports/note-ports.js';
import type { DomainEvent, SetFollower } from '../shared/domain-events.js';

const WORDS: Readonly<Partial<Record<DomainEvent['kind'], string>>> = {
  merge_request_approved: 'approved this merge request',
  merge_request_unapproved: 'unapproved this merge request',
};

/** Says below a merge request who approved it, and who took that back. */
export const notesFollowApprovals: SetFollower<{ readonly notes: NoteRepository }> = {
  follow: async (events, { notes }) => {
    const said = events.flatMap((event) => {
      const body = WORDS[event.kind];
      if (body === undefined || !('mergeRequest' in event)) return [];
      const { mergeRequest, by: authorId, at: createdAt } = event;
      return { subjectId: mergeRequest.id, authorId, body, system: true, createdAt };
    });
    if (said.length > 0) await notes.addAll(said);
  },
};
