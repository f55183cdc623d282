import { Type } from '@sinclair/typebox';
import { ENVIRONMENT_STATES, ENVIRONMENT_TIERS } from '../../../../../domain/environments/environment.js';
import { BadRequest, Forbidden, NotFound, NotPossible } from '../../../../../domain/shared/domain-error.js';
import { identifierIn } from '../../../../../domain/shared/identifiers.js';
import { clearable, given } from '../../kit/given.js';
import { found, inProject, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { route, type GuardContext, type Route } from '../../route.js';
import { clearableText, oneOf, parameters, pathId, text } from '../../validation/parameters.js';
import { refuseBothWays } from '../collaboration/subject-filters.js';
import { EnvironmentSchema, presentEnvironment } from './environment-schema.js';
import { showEnvironment, simpleProject, type EnvironmentRoutesParts } from './show-environments.js';

type Parts = EnvironmentRoutesParts;

const TAG = 'Environments';
const { list, get, post, put, remove } = routesOf({ tag: TAG });
const ALL = '/projects/:id/environments';
const ONE = `${ALL}/:environment_id`;
const ENVIRONMENT_ID = pathId('Numeric id of the environment');
const IN_PATH = { id: PROJECT_ID, environment_id: ENVIRONMENT_ID };
/** What is longer than is kept is told which bound it breaks. */
const MAX_SENT = 2_000;
const LEAST_SEARCH = 3;

const TIER = Type.Optional(
  oneOf(ENVIRONMENT_TIERS, { description: 'What it is for; guessed from the name unless told' }),
);
const EXTERNAL_URL = Type.Optional(clearableText(MAX_SENT, 'Where it is: `http` or `https`, up to 255 characters'));
const SLUG = Type.Optional(text(MAX_SENT, 'It is made of the name: whoever sends one is refused'));
const FORCE = Type.Optional(Type.Boolean({ description: 'Without running the job that stops it' }));

const requireNoSlug = (slug: string | undefined): void => {
  if (slug !== undefined) throw new NotPossible('slug is automatically generated and cannot be changed');
};

const inEnvironment = <P extends 'read_pipelines' | 'manage_environments'>(
  { access, environmentReader }: Parts,
  permission: P,
) =>
  found('Environment', 'environment_id', inProject(access, permission), ({ project }, id) =>
    environmentReader.find(project.id, id),
  );

const listEnvironments = (parts: Parts): Route =>
  list(ALL, 'listEnvironments', {
    summary: 'Environments of a project, by their names',
    access: 'anyone',
    parameters: {
      id: PROJECT_ID,
      name: Type.Optional(text(MAX_SENT, 'The whole name; not beside `search`')),
      search: Type.Optional(text(255, 'Part of the name, at least three characters')),
      states: Type.Optional(oneOf(ENVIRONMENT_STATES, { description: 'Only those that stand so' })),
    },
    items: EnvironmentSchema,
    guard: inProject(parts.access, 'read_pipelines'),
    read: async ({ actor, subject: { project }, parameters: { name, search, states }, page }) => {
      refuseBothWays({ name, search }, [['name', 'search']]);
      if (search !== undefined && search.length < LEAST_SEARCH)
        throw new BadRequest(`Search query is less than ${LEAST_SEARCH} characters`);
      const narrowed = given({ name, search, states: states && [states] });
      const found = await parts.environmentReader.list({ projectId: project.id, ...narrowed, page });
      const shown = await simpleProject(parts, actor, project);
      return { ...found, items: found.items.map((each) => presentEnvironment(each, shown)) };
    },
    present: (environment) => environment,
  });

const getEnvironment = (parts: Parts): Route =>
  get(ONE, 'getEnvironment', {
    summary: 'One environment, with what was deployed there last',
    access: 'anyone',
    parameters: IN_PATH,
    answer: EnvironmentSchema,
    guard: inEnvironment(parts, 'read_pipelines'),
    handle: ({ actor, subject: { project, environment } }) => showEnvironment(parts, actor, project, environment.id),
  });

const createEnvironment = (parts: Parts): Route =>
  post(ALL, 'createEnvironment', {
    summary: 'Make an environment',
    description: 'A project has at most 1000: one more takes the place of the one that has been stopped longest.',
    access: 'user',
    parameters: {
      id: PROJECT_ID,
      name: text(MAX_SENT, 'Letters, digits, spaces and `-_/$.{}`, at most 255'),
      external_url: EXTERNAL_URL,
      tier: TIER,
      slug: SLUG,
    },
    answer: EnvironmentSchema,
    guard: inProject(parts.access, 'manage_environments'),
    handle: async ({ actor, subject, parameters: { name, external_url, tier, slug } }) => {
      requireNoSlug(slug);
      const fields = given({ externalUrl: clearable(external_url), tier });
      const made = await parts.environments.create(subject, { name, ...fields });
      return presentEnvironment(made, await simpleProject(parts, actor, subject.project));
    },
  });

const changeEnvironment = (parts: Parts): Route =>
  put(ONE, 'changeEnvironment', {
    summary: 'Change an environment',
    description: 'Its slug stays as it is when the name changes.',
    access: 'user',
    parameters: {
      ...IN_PATH,
      name: Type.Optional(text(MAX_SENT, 'Its new name')),
      external_url: EXTERNAL_URL,
      tier: TIER,
      slug: SLUG,
    },
    answer: EnvironmentSchema,
    guard: inEnvironment(parts, 'manage_environments'),
    handle: async ({ actor, subject, parameters: { name, external_url, tier, slug } }) => {
      requireNoSlug(slug);
      const changes = given({ name, externalUrl: clearable(external_url), tier });
      await parts.environments.change(subject, subject.environment.id, changes);
      return showEnvironment(parts, actor, subject.project, subject.environment.id);
    },
  });

const removeEnvironment = (parts: Parts): Route =>
  remove(ONE, 'removeEnvironment', {
    summary: 'Remove an environment that is stopped, with all of its deployments',
    description: '403 for one that is not stopped.',
    access: 'user',
    parameters: IN_PATH,
    guard: inEnvironment(parts, 'manage_environments'),
    lastChanged: ({ environment }) => environment.updatedAt,
    handle: ({ subject }) => parts.environments.remove(subject, subject.environment.id),
  });

const STOPS = {
  method: 'post',
  tag: TAG,
  access: 'user',
  description:
    'Where the job that was deployed last names one that undoes it (`on_stop`), that job is run, and the environment is `stopping` until it has succeeded. One that is stopped stays as it is.',
  responses: { 200: EnvironmentSchema },
} as const;

const stopEnvironment = (parts: Parts): Route =>
  route({
    ...STOPS,
    path: `${ONE}/stop`,
    operationId: 'stopEnvironment',
    summary: 'Stop an environment',
    parameters: parameters({ ...IN_PATH, force: FORCE }),
    guard: inEnvironment(parts, 'manage_environments'),
    handle: async ({ actor, subject, parameters: { force = false } }) => {
      await parts.environments.stop(actor, subject, subject.environment.id, { force });
      return { body: await showEnvironment(parts, actor, subject.project, subject.environment.id) };
    },
  });

/** Whoever may not see it is told that it isn't there, whatever project it is in. */
const findById =
  ({ access, environmentReader }: Parts) =>
  async ({ actor, path }: GuardContext) => {
    const id = identifierIn(path['environment_id']);
    const environment = orNotFound(id === undefined ? undefined : await environmentReader.findById(id), 'Environment');
    const project = String(environment.projectId);
    // Who may see it but not stop it is refused otherwise.
    await access.project(actor, project, 'read_pipelines').catch(hide);
    return { ...(await access.project(actor, project, 'manage_environments')), environment };
  };

const hide = (error: unknown): never => {
  throw error instanceof NotFound || error instanceof Forbidden ? new NotFound('Environment') : error;
};

const stopEnvironmentById = (parts: Parts): Route =>
  route({
    ...STOPS,
    path: '/environments/:environment_id/stop',
    operationId: 'stopEnvironmentById',
    summary: 'Stop an environment of whichever project',
    parameters: parameters({ environment_id: ENVIRONMENT_ID, force: FORCE }),
    guard: findById(parts),
    handle: async ({ actor, subject, parameters: { force = false } }) => {
      await parts.environments.stop(actor, subject, subject.environment.id, { force });
      return { body: await showEnvironment(parts, actor, subject.project, subject.environment.id) };
    },
  });

export const createEnvironmentRoutes = (parts: Parts): readonly Route[] => [
  listEnvironments(parts),
  getEnvironment(parts),
  createEnvironment(parts),
  changeEnvironment(parts),
  removeEnvironment(parts),
  stopEnvironment(parts),
  stopEnvironmentById(parts),
];
