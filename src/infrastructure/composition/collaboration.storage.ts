import { mentionsFollowTexts } from '../../application/collaboration/mentions-follow-texts.js';
import { notesFollowEdits } from '../../application/collaboration/notes-follow-edits.js';
import { todosFollowActs } from '../../application/collaboration/todos-follow-acts.js';
import { KnexAwardRepository } from '../../adapters/outbound/persistence/knex/collaboration/knex-award-repository.js';
import { KnexDiscussionRepository } from '../../adapters/outbound/persistence/knex/collaboration/knex-discussion-repository.js';
import { KnexDraftNotes } from '../../adapters/outbound/persistence/knex/collaboration/knex-draft-notes.js';
import { KnexNoteRepository } from '../../adapters/outbound/persistence/knex/collaboration/knex-note-repository.js';
import { KnexSubjectCopies } from '../../adapters/outbound/persistence/knex/collaboration/knex-subject-copies.js';
import { KnexSubjectLabelRepository } from '../../adapters/outbound/persistence/knex/collaboration/knex-subject-label-repository.js';
import { KnexSubjects } from '../../adapters/outbound/persistence/knex/collaboration/knex-subjects.js';
import { KnexSubscriptionRepository } from '../../adapters/outbound/persistence/knex/collaboration/knex-subscriptions.js';
import { KnexSuggestionRepository } from '../../adapters/outbound/persistence/knex/collaboration/knex-suggestion-repository.js';
import { KnexTime } from '../../adapters/outbound/persistence/knex/collaboration/knex-time.js';
import { KnexTodoRepository } from '../../adapters/outbound/persistence/knex/collaboration/knex-todo-repository.js';
import { defineStorage } from './storage.js';

export const collaborationStorage = defineStorage({
  name: 'collaboration',
  stores: {
    subjects: ({ session, subjectKinds }) => new KnexSubjects(session, subjectKinds),
    subjectLabels: ({ session }) => new KnexSubjectLabelRepository(session),
    subjectCopies: ({ session }) => new KnexSubjectCopies(session),
    awards: ({ session }) => new KnexAwardRepository(session),
    discussions: ({ session }) => new KnexDiscussionRepository(session),
    suggestions: ({ session }) => new KnexSuggestionRepository(session),
    draftNotes: ({ session }) => new KnexDraftNotes(session),
    notes: ({ session }) => new KnexNoteRepository(session),
    times: ({ session }) => new KnexTime(session),
    todos: ({ session }) => new KnexTodoRepository(session),
    subscriptions: ({ session }) => new KnexSubscriptionRepository(session),
  },
  subscribers: [todosFollowActs, mentionsFollowTexts, notesFollowEdits],
});
