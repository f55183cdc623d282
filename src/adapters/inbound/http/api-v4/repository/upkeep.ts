import { Type } from '@sinclair/typebox';
import type { AskForHousekeeping } from '../../../../../application/repositories/ask-for-housekeeping.js';
import type { FetchCounts } from '../../../../../application/repositories/fetch-counts.js';
import type { Snapshots } from '../../../../../application/repositories/snapshots.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { inProject, PROJECT_ID } from '../../kit/guards.js';
import { routesOf } from '../../kit/routes-of.js';
import { route, type Route } from '../../route.js';
import { nullable, oneOf, parameters } from '../../validation/parameters.js';
import { bytesOf, disposition } from './bytes.js';

interface Parts {
  readonly access: WorkspaceAccess;
  readonly askForHousekeeping: AskForHousekeeping;
  readonly fetchCounts: FetchCounts;
  readonly snapshots: Snapshots;
}

const TAG = 'Repositories';
const { get, post } = routesOf({ tag: TAG });

const startHousekeeping = ({ access, askForHousekeeping }: Parts): Route =>
  post('/projects/:id/housekeeping', 'startHousekeeping', {
    summary: 'Have the files of a repository packed anew',
    description:
      'It begins within a minute. What nothing leads to any more goes after two weeks, whatever `task` says.',
    access: 'user',
    parameters: {
      id: PROJECT_ID,
      task: oneOf(['eager', 'prune'], { default: 'eager', description: 'Both do the same here' }),
    },
    answer: Type.Null(),
    guard: inProject(access, 'manage_project'),
    handle: async ({ subject }) => {
      await askForHousekeeping.execute(subject);
      return null;
    },
  });

const FetchesSchema = Type.Object({
  fetches: Type.Object({
    total: Type.Integer(),
    days: Type.Array(Type.Object({ count: Type.Integer(), date: Type.String({ format: 'date' }) })),
  }),
});

const getFetchStatistics = ({ access, fetchCounts }: Parts): Route =>
  get('/projects/:id/statistics', 'getFetchStatistics', {
    summary: 'How often a project was cloned and fetched from, in the last thirty days',
    description: 'Over HTTP and SSH, by days in UTC. The newest fetches are told within seconds.',
    access: 'user',
    parameters: { id: PROJECT_ID },
    answer: FetchesSchema,
    guard: inProject(access, 'read_statistics'),
    handle: async ({ subject }) => {
      const days = await fetchCounts.of(subject);
      const total = days.reduce((sum, { fetches }) => sum + fetches, 0);
      return { fetches: { total, days: days.map(({ day, fetches }) => ({ count: fetches, date: day })) } };
    },
  });

const getRepositoryStorage = ({ access, snapshots }: Parts): Route =>
  get('/projects/:id/storage', 'getRepositoryStorage', {
    summary: 'Where the repository of a project lies',
    access: 'admin',
    parameters: { id: PROJECT_ID },
    answer: Type.Object({
      project_id: Type.Integer(),
      disk_path: nullable(Type.String({ description: 'Below `REPOSITORIES_DIR`; null where nothing was pushed yet' })),
      created_at: Type.String({ format: 'date-time' }),
      repository_storage: Type.String({ description: 'There is one: `default`' }),
    }),
    guard: inProject(access, 'read_code'),
    handle: async ({ subject }) => ({
      project_id: subject.project.id,
      disk_path: await snapshots.placeOf(subject),
      created_at: subject.project.createdAt.toISOString(),
      repository_storage: 'default',
    }),
  });

const getSnapshot = ({ access, snapshots }: Parts): Route =>
  route({
    method: 'get',
    path: '/projects/:id/snapshot',
    operationId: 'getSnapshot',
    summary: 'The repository as a tar archive of a bare repository',
    description:
      'With all of its objects, those that it shares with forks too, and its branches and tags as they are at one moment.',
    tag: TAG,
    access: 'admin',
    parameters: parameters({
      id: PROJECT_ID,
      wiki: Type.Boolean({ default: false, description: 'That of its wiki, which no project has' }),
    }),
    responses: { 200: bytesOf('application/x-tar') },
    guard: inProject(access, 'read_code'),
    handle: async ({ subject, parameters: { wiki } }) => {
      if (wiki) throw new NotFound();
      return {
        bytes: () => snapshots.take(subject),
        headers: {
          'Content-Type': 'application/x-tar',
          'Content-Disposition': disposition('attachment', `${subject.project.path}.tar`),
        },
      };
    },
  });

/** What goes on with a repository as a whole. */
export const createRepositoryUpkeepRoutes = (parts: Parts): readonly Route[] =>
  [startHousekeeping, getFetchStatistics, getRepositoryStorage, getSnapshot].map((make) => make(parts));
