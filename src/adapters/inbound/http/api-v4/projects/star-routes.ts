import { Type } from '@sinclair/typebox';
import type { Stars } from '../../../../../application/workspace/stars.js';
import { given } from '../../kit/given.js';
import { inProject, PROJECT_ID } from '../../kit/guards.js';
import { pagedList } from '../../kit/paged-list.js';
import { route, type Route } from '../../route.js';
import { parameters, pathId, text } from '../../validation/parameters.js';
import { presentBasicUser } from '../users/present-user.js';
import { findUserByName } from '../users/find-user.js';
import { BasicUserSchema } from '../users/user-schema.js';
import { ProjectSchema } from './project-schema.js';
import { LIST, LIST_FILTERS, ShowProjects, type ShowProjectsParts } from './show-projects.js';

export interface StarRoutesParts extends ShowProjectsParts {
  readonly stars: Stars;
}
type Parts = StarRoutesParts;

const TAG = 'Projects';

const StarrerSchema = Type.Object({
  starred_since: Type.String({ format: 'date-time' }),
  user: BasicUserSchema,
});

const changeStar = (parts: Parts, verb: 'star' | 'unstar', summary: string) =>
  route({
    method: 'post',
    path: `/projects/:id/${verb}`,
    operationId: `${verb}Project`,
    summary,
    description: '304 where it is so already.',
    tag: TAG,
    access: 'user',
    parameters: parameters({ id: PROJECT_ID }),
    responses: { 201: ProjectSchema, 304: null },
    guard: inProject(parts.access, 'read_project'),
    handle: async ({ actor, subject }) =>
      (await parts.stars[verb](actor, subject))
        ? { status: 201, body: await new ShowProjects(parts).permitted(actor, subject) }
        : { status: 304 },
  });

const listStarrers = ({ access, relations, urls }: Parts) =>
  pagedList({
    path: '/projects/:id/starrers',
    operationId: 'listStarrers',
    summary: 'Who starred a project, the newest first',
    tag: TAG,
    access: 'anyone',
    parameters: { id: PROJECT_ID, search: Type.Optional(text(255, 'Part of a name or user name')) },
    items: StarrerSchema,
    guard: inProject(access, 'read_project'),
    read: ({ subject: { project }, parameters: { search }, page }) =>
      relations.starrers(project.id, { page, ...given({ search }) }),
    present: ({ since, userId, ...user }) => ({
      starred_since: since.toISOString(),
      user: presentBasicUser({ id: userId, ...user }, urls),
    }),
  });

const listStarred = (parts: Parts) =>
  pagedList({
    ...LIST,
    path: '/users/:id/starred_projects',
    operationId: 'listStarredProjects',
    summary: 'The projects that a person starred, as far as you may see them',
    tag: TAG,
    parameters: { ...LIST_FILTERS, id: pathId('Id or user name') },
    guard: ({ path }) => findUserByName(parts.users, path['id']),
    read: (asked) => new ShowProjects(parts).page(asked, { starredBy: asked.subject.id }),
  });

export const createStarRoutes = (parts: Parts): readonly Route[] => [
  changeStar(parts, 'star', 'Star a project'),
  changeStar(parts, 'unstar', 'Take your star from a project'),
  listStarrers(parts),
  listStarred(parts),
];
