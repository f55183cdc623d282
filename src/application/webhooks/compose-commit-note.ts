import type { Project } from '../../domain/workspace/namespace.js';
import type { WebhookFacts } from '../../domain/webhooks/webhook.js';
import type { NoteReader } from '../collaboration/ports/note-ports.js';
import type { DiscussedCommitReader } from '../review/ports/discussed-commits.js';
import type { ComposePushParts } from './compose-push.js';
import { presentCommit, presentNote, type PresentLines } from './webhook-words.js';

export interface ComposeCommitNoteParts extends Pick<ComposePushParts, 'refs' | 'objects' | 'urls'> {
  readonly discussedCommits: Pick<DiscussedCommitReader, 'findById'>;
  readonly notes: Pick<NoteReader, 'find'>;
  readonly lines: PresentLines;
}

/** Told of a comment on a commit; undefined once either is gone. */
export const composeCommitNote = async (
  { discussedCommits, notes, lines, refs, objects, urls }: ComposeCommitNoteParts,
  common: object,
  project: Project,
  { id, noteId }: Extract<WebhookFacts, { kind: 'commit_note' }>,
): Promise<object | undefined> => {
  const note = await notes.find(id, noteId);
  const discussed = await discussedCommits.findById(id);
  const store = (await refs.findRepository(project.id))?.store;
  const commit = discussed && store && (await objects.commit(store, discussed.commitId));
  if (note === undefined || !commit) return undefined;
  const told = presentCommit(commit, project, urls);
  return {
    object_kind: 'note',
    event_type: 'note',
    ...common,
    project_id: project.id,
    object_attributes: {
      ...presentNote(note, project, { noteable: ['Commit', null], page: told.url, lines }),
      commit_id: commit.id,
    },
    commit: told,
  };
};
