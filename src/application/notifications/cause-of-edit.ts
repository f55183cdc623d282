import { newlyMentionedNames } from '../../domain/collaboration/mentions.js';
import type { DomainEvent } from '../shared/domain-events.js';
import type { NewCause } from './ports/cause-ports.js';

type Edit = Extract<DomainEvent, { readonly kind: 'issue_edited' | 'merge_request_edited' | 'note_edited' }>;

export const isEdit = (event: DomainEvent): event is Edit =>
  event.kind === 'issue_edited' || event.kind === 'merge_request_edited' || event.kind === 'note_edited';

/** People whom a text names only since it was changed are told, as of a new text; nobody else is, and nobody again. */
export const causeOfEdit = (event: Edit): NewCause | undefined => {
  const { before, after, ...about } = textsOf(event);
  const mentioned = newlyMentionedNames(before, after);
  if (mentioned.length === 0) return undefined;
  return { kind: 'new_mention', ...about, actorId: event.by, details: { mentioned }, at: event.at };
};

const textsOf = (event: Edit) => {
  if (event.kind === 'note_edited') {
    const { subject, note, previous } = event;
    const about = { projectId: subject.projectId, subjectId: subject.id, noteId: note.id };
    return { ...about, before: previous, after: note.body };
  }
  const { id, projectId } = 'issue' in event ? event.issue : event.mergeRequest;
  const { previous = '', current = '' } = event.changes.description ?? {};
  return { projectId, subjectId: id, before: previous, after: current };
};
