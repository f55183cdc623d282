import { checkDiscussionSize } from '../../../domain/collaboration/discussion.js';
import type { Suggestion } from '../../../domain/collaboration/suggestion.js';
import type { DiscussionPlace } from '../../../domain/shared/diff-position.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import type { DomainEvents } from '../../shared/domain-events.js';
import type { Discussion, DiscussionRepository } from '../ports/discussion-ports.js';
import type { NoteRepository, SuggestionRepository } from '../ports/note-ports.js';
import type { SubjectDetails } from '../ports/subject-ports.js';

export interface NoteRepositories {
  readonly notes: NoteRepository;
  readonly discussions: DiscussionRepository;
  readonly suggestions: SuggestionRepository;
  readonly events: DomainEvents;
}

/** What somebody says, and when: those who are told of it are told at `at`. */
export interface NewComment {
  readonly subject: SubjectDetails;
  readonly by: UserId;
  readonly body: string;
  readonly at: Date;
  readonly createdAt: Date;
}

/** Keeps a comment within the caller's unit of work. @returns its id. */
export const keepNote = async (
  { notes, events }: Pick<NoteRepositories, 'notes' | 'events'>,
  { subject, by, body, at, createdAt }: NewComment,
  discussion?: Discussion,
): Promise<number> => {
  const within = discussion === undefined ? {} : { discussionId: discussion.id };
  const added = await notes.add({ subjectId: subject.id, authorId: by, body, system: false, createdAt, ...within });
  await events.publish({ kind: 'note_added', subject, note: added, by, at });
  return added.id;
};

/** Likewise one that a discussion begins with. */
export const keepThread = async (
  repositories: NoteRepositories,
  comment: NewComment,
  { place, suggested }: { readonly place: DiscussionPlace | undefined; readonly suggested: readonly Suggestion[] },
): Promise<number> => {
  const id = await keepNote(repositories, comment);
  await repositories.discussions.begin(comment.subject.id, id, place);
  if (suggested.length > 0) await repositories.suggestions.replace(id, suggested);
  return id;
};

/** Likewise an answer in a discussion that is taken. @throws Invalid at `note` where that is too long by it. */
export const keepReply = async (
  repositories: NoteRepositories,
  comment: NewComment,
  { discussion, suggested }: { readonly discussion: Discussion; readonly suggested: readonly Suggestion[] },
): Promise<number> => {
  const id = await keepNote(repositories, comment, discussion);
  if (suggested.length > 0) await repositories.suggestions.replace(id, suggested);
  checkDiscussionSize(await repositories.discussions.sizeOf(discussion.id));
  return id;
};
