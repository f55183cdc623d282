import { ContainerModule } from 'inversify';
import { Awards } from '../../application/collaboration/awards.js';
import { Discussions } from '../../application/collaboration/discussions.js';
import { DraftNotes } from '../../application/collaboration/draft-notes.js';
import { forgetSubjects } from '../../application/collaboration/forget-subjects.js';
import { Notes } from '../../application/collaboration/notes.js';
import { PublishDrafts } from '../../application/collaboration/publish-drafts.js';
import { QuickActions } from '../../application/collaboration/quick-actions.js';
import { ReadSuggestions, type DiffsOf } from '../../application/collaboration/read-suggestions.js';
import { Subjects } from '../../application/collaboration/subjects.js';
import { Subscriptions } from '../../application/collaboration/subscriptions.js';
import { TextMentions } from '../../application/collaboration/text-mentions.js';
import { TimeTracking } from '../../application/collaboration/time-tracking.js';
import { SUBJECT_PERMISSIONS } from '../../domain/workspace/workspace-policy.js';
import { Todos } from '../../application/collaboration/todos.js';
import { createAwardRoutes } from '../../adapters/inbound/http/api-v4/collaboration/award-routes.js';
import { createDiscussionRoutes } from '../../adapters/inbound/http/api-v4/collaboration/discussion-routes.js';
import { createDraftNoteRoutes } from '../../adapters/inbound/http/api-v4/collaboration/draft-note-routes.js';
import { createNoteRoutes } from '../../adapters/inbound/http/api-v4/collaboration/note-routes.js';
import { createSubscriptionRoutes } from '../../adapters/inbound/http/api-v4/collaboration/subscription-routes.js';
import { createTimeRoutes } from '../../adapters/inbound/http/api-v4/collaboration/time-routes.js';
import { createTodoRoutes } from '../../adapters/inbound/http/api-v4/collaboration/todo-routes.js';
import { addTodoPages } from '../../adapters/inbound/http/pages/todo-pages.js';
import { emojiOf, isEmoji } from '../../adapters/outbound/emoji/emoji-names.js';
import { KnexAwardReader } from '../../adapters/outbound/persistence/knex/collaboration/knex-award-reader.js';
import { KnexDiscussionReader } from '../../adapters/outbound/persistence/knex/collaboration/knex-discussion-reader.js';
import { KnexDraftNotes } from '../../adapters/outbound/persistence/knex/collaboration/knex-draft-notes.js';
import { KnexNoteReader } from '../../adapters/outbound/persistence/knex/collaboration/knex-note-reader.js';
import { KnexSubjects } from '../../adapters/outbound/persistence/knex/collaboration/knex-subjects.js';
import { KnexSubscriptionReader } from '../../adapters/outbound/persistence/knex/collaboration/knex-subscriptions.js';
import { KnexTime } from '../../adapters/outbound/persistence/knex/collaboration/knex-time.js';
import { KnexTodoReader } from '../../adapters/outbound/persistence/knex/collaboration/knex-todo-reader.js';
import { collaborationStorage } from './collaboration.storage.js';
import { COLLABORATION_TOKENS } from './collaboration.tokens.js';
import type { Context } from './context.js';
import { subjectKindsOf } from './storage.js';
import { TOKENS } from './tokens.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';

const collaborationModule = new ContainerModule(({ bind }) => {
  bind(COLLABORATION_TOKENS.subjectsOfApi).toResolvedValue(
    (contexts, get) => contexts.flatMap(({ subjects }) => subjects?.(get) ?? []),
    [TOKENS.contexts, TOKENS.get],
  );
  bind(COLLABORATION_TOKENS.subjectReader).toResolvedValue(
    (contexts, { reader }) => new KnexSubjects(reader, subjectKindsOf(contexts.map(({ storage }) => storage))),
    [TOKENS.contexts, TOKENS.database],
  );
  bind(COLLABORATION_TOKENS.textWriter).toResolvedValue(
    (unitOfWork, contexts, get) =>
      new QuickActions(
        unitOfWork,
        contexts.flatMap(({ actions }) => actions?.(get) ?? []),
      ),
    [TOKENS.unitOfWork, TOKENS.contexts, TOKENS.get],
  );
  bind(COLLABORATION_TOKENS.collaboration).toResolvedValue(
    (subjectsOfApi, subjectReader, { reader }, unitOfWork, writer, clock, { access }) => {
      const sources = subjectsOfApi.map(({ source }) => source);
      const diffsOf: DiffsOf = (subject) => sources.find(({ kind }) => kind === subject.kind)?.diffs;
      const discussionReader = new KnexDiscussionReader(reader);
      const readSuggestions = new ReadSuggestions(diffsOf, discussionReader);
      const draftNoteReader = new KnexDraftNotes(reader);
      const subjects = new Subjects(sources);
      const noteReader = new KnexNoteReader(reader);
      return {
        subjects,
        notes: new Notes(unitOfWork, writer, readSuggestions, clock),
        noteReader,
        textMentions: new TextMentions({
          ...{ subjectReader, noteReader, subjects },
          see: (actor, project) => access.project(actor, project, 'read_project'),
          enter: (actor, project, kind) => access.project(actor, project, SUBJECT_PERMISSIONS[kind].discuss),
        }),
        discussions: new Discussions(unitOfWork, writer, diffsOf, readSuggestions, clock),
        discussionReader,
        draftNotes: new DraftNotes({ unitOfWork, discussionReader, diffsOf, clock }),
        publishDrafts: new PublishDrafts({ writer, reader: draftNoteReader, diffsOf, readSuggestions, clock }),
        draftNoteReader,
        awards: new Awards(unitOfWork, isEmoji, clock),
        ...{ awardReader: new KnexAwardReader(reader), emojiOf },
        timeTracking: new TimeTracking(unitOfWork, clock),
        timeReader: new KnexTime(reader),
        todos: new Todos(unitOfWork, clock),
        todoReader: new KnexTodoReader(reader, subjectReader),
        subscriptions: new Subscriptions(unitOfWork, new KnexSubscriptionReader(reader), clock),
      };
    },
    [
      COLLABORATION_TOKENS.subjectsOfApi,
      COLLABORATION_TOKENS.subjectReader,
      TOKENS.database,
      TOKENS.unitOfWork,
      COLLABORATION_TOKENS.textWriter,
      TOKENS.clock,
      WORKSPACE_TOKENS.workspace,
    ],
  );
});

/** What people say of subjects of every kind, and who hears of it. */
export const collaborationContext: Context<typeof collaborationStorage> = {
  storage: collaborationStorage,
  modules: [collaborationModule],
  routes: (get) => {
    const urls = get(TOKENS.webUrls);
    const parts = { ...get(WORKSPACE_TOKENS.workspace), ...get(COLLABORATION_TOKENS.collaboration), urls };
    const subjectsOfApi = get(COLLABORATION_TOKENS.subjectsOfApi);
    const ofSubjects = subjectsOfApi.flatMap((of) => [
      ...(of.noted === false ? [] : createNoteRoutes(parts, of)),
      ...createDiscussionRoutes(parts, of),
      ...(of.reviewed === true ? createDraftNoteRoutes(parts, of) : []),
      ...createAwardRoutes(parts, of),
      ...(of.timed === true ? createTimeRoutes(parts, of) : []),
      ...(of.subscribed === false ? [] : createSubscriptionRoutes(parts, of)),
    ]);
    return [...ofSubjects, ...createTodoRoutes({ ...parts, subjectsOfApi })];
  },
  pages: (get) => (pages) =>
    addTodoPages(pages, { ...get(WORKSPACE_TOKENS.workspace), ...get(COLLABORATION_TOKENS.collaboration) }),
  forgetProject: [forgetSubjects],
};
