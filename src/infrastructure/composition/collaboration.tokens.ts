import type { Awards } from '../../application/collaboration/awards.js';
import type { Discussions } from '../../application/collaboration/discussions.js';
import type { DraftNotes } from '../../application/collaboration/draft-notes.js';
import type { PublishDrafts } from '../../application/collaboration/publish-drafts.js';
import type { DraftNoteReader } from '../../application/collaboration/ports/draft-ports.js';
import type { Notes } from '../../application/collaboration/notes.js';
import type { AwardReader, EmojiOf } from '../../application/collaboration/ports/award-ports.js';
import type { DiscussionReader } from '../../application/collaboration/ports/discussion-ports.js';
import type { NoteReader } from '../../application/collaboration/ports/note-ports.js';
import type { TextMentions } from '../../application/collaboration/text-mentions.js';
import type { TextWriter } from '../../application/collaboration/quick-actions.js';
import type { Subjects } from '../../application/collaboration/subjects.js';
import type { TimeReader } from '../../application/collaboration/ports/time-ports.js';
import type { TodoReader } from '../../application/collaboration/ports/todo-ports.js';
import type { TimeTracking } from '../../application/collaboration/time-tracking.js';
import type { Todos } from '../../application/collaboration/todos.js';
import type { Subscriptions } from '../../application/collaboration/subscriptions.js';
import type { SubjectOfApi } from '../../adapters/inbound/http/api-v4/collaboration/subject-of-api.js';
import type { KnexSubjects } from '../../adapters/outbound/persistence/knex/collaboration/knex-subjects.js';
import type { Repositories } from './storages.js';
import { token } from './token.js';

/** What people say of subjects, and who hears of it. */
export interface CollaborationUseCases {
  readonly subjects: Subjects;
  readonly notes: Notes;
  readonly noteReader: NoteReader;
  readonly discussions: Discussions;
  readonly discussionReader: DiscussionReader;
  readonly draftNotes: DraftNotes;
  readonly publishDrafts: PublishDrafts<Repositories>;
  readonly draftNoteReader: DraftNoteReader;
  readonly awards: Awards;
  readonly awardReader: AwardReader;
  readonly emojiOf: EmojiOf;
  readonly timeTracking: TimeTracking;
  readonly timeReader: TimeReader;
  readonly todos: Todos;
  readonly todoReader: TodoReader;
  readonly subscriptions: Subscriptions;
  readonly textMentions: TextMentions;
}

export const COLLABORATION_TOKENS = {
  collaboration: token<CollaborationUseCases>('CollaborationUseCases'),
  textWriter: token<TextWriter<Repositories>>('TextWriter'),
  subjectsOfApi: token<readonly SubjectOfApi[]>('SubjectsOfApi'),
  subjectReader: token<KnexSubjects>('SubjectReader'),
} as const;
