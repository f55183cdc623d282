import { Type } from '@sinclair/typebox';
import type { JobRequests } from '../../src/application/shared/jobs/job-queue.js';
import type { Subscriber } from '../../src/application/shared/domain-events.js';
import type { UnitOfWork } from '../../src/application/shared/unit-of-work.js';
import { inProject, PROJECT_ID } from '../../src/adapters/inbound/http/kit/guards.js';
import { route } from '../../src/adapters/inbound/http/route.js';
import { parameters } from '../../src/adapters/inbound/http/validation/parameters.js';
import type { Session } from '../../src/adapters/outbound/persistence/knex/session.js';
import type { ProjectId } from '../../src/domain/shared/identifiers.js';
import type { AnyContext, Context, Get } from '../../src/infrastructure/composition/context.js';
import { defineStorage, job } from '../../src/infrastructure/composition/storage.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { WORKSPACE_TOKENS } from '../../src/infrastructure/composition/workspace.tokens.js';

/** What was noted of projects, in order. */
class Notebook {
  constructor(private readonly session: Session) {}

  async add(projectId: ProjectId, word: string): Promise<void> {
    await this.session.query('planted_words').insert({ project_id: projectId, word });
  }

  async wordsOf(projectId: ProjectId): Promise<readonly string[]> {
    const rows = (await this.session.query('planted_words').where({ project_id: projectId }).orderBy('id')) as {
      readonly word: string;
    }[];
    return rows.map(({ word }) => word);
  }

  async removeAll(): Promise<void> {
    await this.session.query('planted_words').delete();
  }
}

interface Needs {
  readonly notebook: Notebook;
  readonly jobs: JobRequests<{ readonly note_later: ProjectId }>;
}

const noteProjects: Subscriber<Needs> = async (event, { notebook, jobs }) => {
  if (event.kind !== 'project_created') return;
  await notebook.add(event.projectId, 'created');
  await jobs.enqueue('note_later', event.projectId, event.at);
};

const plantedStorage = defineStorage({
  name: 'planted',
  stores: { notebook: ({ session }) => new Notebook(session) },
  subscribers: [noteProjects],
  jobs: { note_later: job<ProjectId>() },
});

const wordsOf = (get: Get, projectId: ProjectId): Promise<readonly string[]> =>
  new Notebook(get(TOKENS.database).reader).wordsOf(projectId);

/** A storage that is not in the product is not in the type of its unit of work. */
const workOf = (get: Get): UnitOfWork<Needs> => get(TOKENS.unitOfWork) as UnitOfWork<unknown> as UnitOfWork<Needs>;

const planted: Context<typeof plantedStorage> = {
  storage: plantedStorage,
  modules: [],
  routes: (get) => [
    route({
      method: 'get',
      path: '/projects/:id/planted_words',
      operationId: 'listPlantedWords',
      summary: 'What was noted of a project',
      tag: 'Planted',
      access: 'user',
      parameters: parameters({ id: PROJECT_ID }),
      responses: { 200: Type.Array(Type.String()) },
      guard: inProject(get(WORKSPACE_TOKENS.workspace).access, 'manage_project'),
      handle: async ({ subject: { project } }) => ({ status: 200, body: await wordsOf(get, project.id) }),
    }),
  ],
  pages: (get) => (pages) =>
    pages.get('/-/planted_words/:id', 'anyone', async ({ request, response }) => {
      response.type('text').send((await wordsOf(get, Number(request.params['id']) as ProjectId)).join(' '));
    }),
  jobs: () => ({
    note_later: async (repositories, projectId) => {
      await (repositories as unknown as Needs).notebook.add(projectId, 'done');
      return 'done';
    },
  }),
  tasks: () => [{ name: 'planted', pattern: '0 0 0 1 1 *', run: () => Promise.resolve() }],
  cleanUp: (get) => () => workOf(get).execute(({ notebook }) => notebook.removeAll()),
};

export const plantedContext: AnyContext = planted;
