import { Type } from '@sinclair/typebox';
import { DEPLOYMENT_STATUSES, DEPLOYMENT_WORDS } from '../../../../../domain/environments/deployment.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { given } from '../../kit/given.js';
import { found, inProject, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import type { Route } from '../../route.js';
import { instantOrDay, oneOf, pathId, text, timeIn } from '../../validation/parameters.js';
import { DeploymentSchema } from './environment-schema.js';
import { showDeployments, type EnvironmentRoutesParts } from './show-environments.js';

type Parts = EnvironmentRoutesParts;

const { list, get, post, put, remove } = routesOf({ tag: 'Deployments' });
const ALL = '/projects/:id/deployments';
const ONE = `${ALL}/:deployment_id`;
const IN_PATH = { id: PROJECT_ID, deployment_id: pathId('Numeric id of the deployment') };
const MAX_TEXT = 255;
const MAX_SENT = 2_000;
const STATUS = oneOf(DEPLOYMENT_WORDS, { description: 'How it stands' });

const inDeployment = <P extends 'read_pipelines' | 'manage_environments'>(
  { access, environmentReader }: Parts,
  permission: P,
) =>
  found('Deployment', 'deployment_id', inProject(access, permission), ({ project }, id) =>
    environmentReader.findDeployment(project.id, id),
  );

const show = async (parts: Parts, project: Project, id: number) => {
  const deployment = orNotFound(await parts.environmentReader.findDeployment(project.id, id), 'Deployment');
  const [shown] = await showDeployments(parts, project, [deployment]);
  return shown;
};

const listDeployments = (parts: Parts): Route =>
  list(ALL, 'listDeployments', {
    summary: 'Deployments of a project',
    access: 'anyone',
    parameters: {
      id: PROJECT_ID,
      environment: Type.Optional(text(MAX_TEXT, 'Only those to the environment of this name')),
      status: Type.Optional(oneOf([...DEPLOYMENT_STATUSES, 'blocked'], { description: 'Only those that stand so' })),
      updated_after: Type.Optional(instantOrDay('Only those that changed then or later')),
      updated_before: Type.Optional(instantOrDay('Only those that changed then or before')),
      finished_after: Type.Optional(instantOrDay('Only those that ended then or later')),
      finished_before: Type.Optional(instantOrDay('Only those that ended then or before')),
      order_by: oneOf(['id', 'iid', 'created_at', 'updated_at', 'finished_at', 'ref'], {
        default: 'id',
        description: 'What the list is ordered by',
      }),
      sort: oneOf(['asc', 'desc'], { default: 'asc' }),
    },
    items: DeploymentSchema,
    guard: inProject(parts.access, 'read_pipelines'),
    read: async ({ subject: { project }, parameters: sent, page }) => {
      const { environment, status, order_by: orderBy, sort } = sent;
      // Nothing waits for a leave to be deployed.
      if (status === 'blocked') return { items: [], hasNext: false, total: 0 };
      const bounds = {
        ...{ updatedAfter: timeIn(sent.updated_after), updatedBefore: timeIn(sent.updated_before) },
        ...{ finishedAfter: timeIn(sent.finished_after), finishedBefore: timeIn(sent.finished_before) },
      };
      const narrowed = given({ environment, status, ...bounds });
      const found = await parts.environmentReader.deployments({
        projectId: project.id,
        ...narrowed,
        orderBy,
        sort,
        page,
      });
      return { ...found, items: await showDeployments(parts, project, found.items) };
    },
    present: (deployment) => deployment,
  });

const getDeployment = (parts: Parts): Route =>
  get(ONE, 'getDeployment', {
    summary: 'One deployment',
    access: 'anyone',
    parameters: IN_PATH,
    answer: DeploymentSchema,
    guard: inDeployment(parts, 'read_pipelines'),
    handle: ({ subject: { project, deployment } }) => show(parts, project, deployment.id),
  });

const createDeployment = (parts: Parts): Route =>
  post(ALL, 'createDeployment', {
    summary: 'Tell of a deployment that a program elsewhere does',
    description: 'Its environment is made where it isn’t there. Of an environment the newest 500 are kept.',
    access: 'user',
    parameters: {
      id: PROJECT_ID,
      environment: text(MAX_SENT, 'The name of the environment'),
      sha: text(MAX_TEXT, 'The whole id of the commit'),
      ref: text(MAX_TEXT, 'The branch or tag'),
      tag: Type.Boolean({ description: 'Whether `ref` is a tag' }),
      status: STATUS,
    },
    answer: DeploymentSchema,
    guard: inProject(parts.access, 'manage_environments'),
    handle: async ({ actor, subject, parameters: { environment, sha, ref, tag, status } }) => {
      const made = await parts.deployments.create(actor, subject, { environment, sha, ref, tag, status });
      return show(parts, subject.project, made.id);
    },
  });

const changeDeployment = (parts: Parts): Route =>
  put(ONE, 'changeDeployment', {
    summary: 'Say how a deployment that a program elsewhere does stands',
    description: '403 for one that a job does; 400 for one that has ended and is to begin anew.',
    access: 'user',
    parameters: { ...IN_PATH, status: STATUS },
    answer: DeploymentSchema,
    guard: inDeployment(parts, 'manage_environments'),
    handle: async ({ actor, subject, parameters: { status } }) => {
      await parts.deployments.change(actor, subject, subject.deployment.id, status);
      return show(parts, subject.project, subject.deployment.id);
    },
  });

const removeDeployment = (parts: Parts): Route =>
  remove(ONE, 'removeDeployment', {
    summary: 'Remove a deployment',
    description: '400 for one that runs, and for what is deployed to its environment now.',
    access: 'user',
    parameters: IN_PATH,
    guard: inDeployment(parts, 'manage_environments'),
    handle: ({ subject }) => parts.deployments.remove(subject, subject.deployment.id),
  });

export const createDeploymentRoutes = (parts: Parts): readonly Route[] => [
  listDeployments(parts),
  getDeployment(parts),
  createDeployment(parts),
  changeDeployment(parts),
  removeDeployment(parts),
];
