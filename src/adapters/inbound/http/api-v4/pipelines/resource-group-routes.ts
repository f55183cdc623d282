import { Type } from '@sinclair/typebox';
import type { ResourceGroups } from '../../../../../application/pipelines/resource-groups.js';
import { PROCESS_MODES, type ResourceGroup } from '../../../../../domain/pipelines/resource-group.js';
import { inProject, PROJECT_ID } from '../../kit/guards.js';
import { routesOf } from '../../kit/routes-of.js';
import type { Route } from '../../route.js';
import { component } from '../../openapi/component.js';
import { oneOf, text } from '../../validation/parameters.js';
import { presentListed, withCommits, type CiJobRoutesParts } from './ci-job-routes.js';
import { CiJobSchema } from './ci-job-schema.js';

export interface ResourceGroupRoutesParts extends CiJobRoutesParts {
  readonly resourceGroups: ResourceGroups;
}
type Parts = ResourceGroupRoutesParts;

const ALL = '/projects/:id/resource_groups';
const ONE = `${ALL}/:key`;
const MAX_KEY = 255;
const IN_PATH = { id: PROJECT_ID, key: text(MAX_KEY, 'What jobs call it, URL-encoded') };
const { list, get, put } = routesOf({ tag: 'Resource groups' });

const ResourceGroupSchema = component(
  'schemas/ResourceGroup',
  Type.Object({
    id: Type.Integer(),
    key: Type.String(),
    process_mode: oneOf(PROCESS_MODES),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  }),
);

const present = ({ id, key, processMode, createdAt, updatedAt }: ResourceGroup) => ({
  ...{ id, key, process_mode: processMode },
  ...{ created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() },
});

const listGroups = ({ access, resourceGroups }: Parts): Route =>
  list(ALL, 'listResourceGroups', {
    summary: 'What jobs of a project share, one of which runs at a time',
    access: 'user',
    parameters: { id: PROJECT_ID },
    items: ResourceGroupSchema,
    guard: inProject(access, 'run_pipelines'),
    read: ({ subject, page }) => resourceGroups.list(subject, page),
    present,
  });

const getGroup = ({ access, resourceGroups }: Parts): Route =>
  get(ONE, 'getResourceGroup', {
    summary: 'One thing that jobs share',
    access: 'user',
    parameters: IN_PATH,
    answer: ResourceGroupSchema,
    guard: inProject(access, 'run_pipelines'),
    handle: async ({ subject, parameters: { key } }) => present(await resourceGroups.find(subject, key)),
  });

const changeGroup = ({ access, resourceGroups }: Parts): Route =>
  put(ONE, 'changeResourceGroup', {
    summary: 'Say in which order jobs get what they share',
    description:
      '`unordered`: whoever waits longest. `oldest_first` and `newest_first`: those of the oldest, or newest, pipeline that goes on, and the others wait until they are done.',
    access: 'user',
    parameters: { ...IN_PATH, process_mode: Type.Optional(oneOf(PROCESS_MODES, { description: 'The order' })) },
    answer: ResourceGroupSchema,
    guard: inProject(access, 'run_pipelines'),
    handle: async ({ subject, parameters: { key, process_mode: mode } }) =>
      present(
        mode === undefined ? await resourceGroups.find(subject, key) : await resourceGroups.setMode(subject, key, mode),
      ),
  });

const listUpcoming = (parts: Parts): Route =>
  list(`${ONE}/upcoming_jobs`, 'listUpcomingJobsOfResourceGroup', {
    summary: 'Jobs that get what they share next, in this order',
    access: 'user',
    parameters: IN_PATH,
    items: CiJobSchema,
    guard: inProject(parts.access, 'run_pipelines'),
    read: async ({ subject, parameters: { key }, page }) =>
      withCommits(parts, subject.project, await parts.resourceGroups.upcoming(subject, key, page)),
    present: (job, { subject: { project } }) => presentListed(parts, job, project),
  });

export const createResourceGroupRoutes = (parts: Parts): readonly Route[] => [
  listGroups(parts),
  getGroup(parts),
  changeGroup(parts),
  listUpcoming(parts),
];
