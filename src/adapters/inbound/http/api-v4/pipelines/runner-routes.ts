import { Type } from '@sinclair/typebox';
import type { CiRunners } from '../../../../../application/pipelines/ci-runners.js';
import type { CiJobReader, CiRunnerReader } from '../../../../../application/pipelines/ports/ci-job-ports.js';
import type { UserActor } from '../../../../../application/shared/actor.js';
import { RUNNER_TYPES, type RunnerFields } from '../../../../../domain/pipelines/ci-runner.js';
import { identifierIn, type GroupId, type ProjectId } from '../../../../../domain/shared/identifiers.js';
import { clearable, given } from '../../kit/given.js';
import { inProject, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { unlessRefused } from '../../kit/unless-refused.js';
import { routesOf } from '../../kit/routes-of.js';
import type { Route } from '../../route.js';
import {
  clearableText,
  identifier,
  integer,
  listOf,
  oneOf,
  pathId,
  text,
  type ParametersOf,
} from '../../validation/parameters.js';
import type { CiJobRoutesParts } from './ci-job-routes.js';
import { CiJobSchema, presentCiJob, presentRunner, RunnerSchema } from './ci-job-schema.js';
import { managed, managedByToken, placeOfNew, requireManaged, type ManagedRunner } from './runner-access.js';
import { listAllRunners, listGroupRunners, listProjectRunners, listRunners } from './runner-lists.js';
import { NewRunnerSchema, presentRunnerDetail, RunnerDetailSchema, RunnerTokenSchema } from './runner-schema.js';

export interface RunnerRoutesParts extends CiJobRoutesParts {
  readonly ciRunners: CiRunners;
  readonly ciRunnerReader: CiRunnerReader;
  readonly ciJobReader: CiJobReader;
}
type Parts = RunnerRoutesParts;

const { list, get, post, put, remove } = routesOf({ tag: 'Runners' });
const ONE = '/runners/:runner_id';
const OF_PROJECT = '/projects/:id/runners';
const RUNNER_ID = pathId('Numeric id of the runner');
const MAX_TEXT = 1_024;

const FIELDS = {
  description: Type.Optional(clearableText(MAX_TEXT, 'What people call it')),
  paused: Type.Optional(Type.Boolean({ description: 'Whether it takes no jobs for now' })),
  active: Type.Optional(Type.Boolean({ description: 'The opposite of `paused`' })),
  locked: Type.Optional(Type.Boolean({ description: 'Whether no other project may have it' })),
  run_untagged: Type.Optional(Type.Boolean({ description: 'Whether it takes jobs without tags' })),
  tag_list: Type.Optional(
    listOf(text(MAX_TEXT), { description: 'It takes jobs with these tags, or with some of them' }),
  ),
  access_level: Type.Optional(
    oneOf(['not_protected', 'ref_protected'], {
      description: '`ref_protected`: jobs of protected branches and tags alone',
    }),
  ),
  maximum_timeout: Type.Optional(
    integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'Seconds that a job may take there at most; 0 for no limit',
    }),
  ),
  maintenance_note: Type.Optional(clearableText(MAX_TEXT * 2, 'For whoever looks after it')),
};

const fieldsIn = (sent: ParametersOf<typeof FIELDS>) =>
  given({
    description: clearable(sent.description),
    tags: sent.tag_list?.map((tag) => tag.trim()).filter((tag) => tag !== ''),
    runUntagged: sent.run_untagged,
    locked: sent.locked,
    paused: sent.paused ?? (sent.active === undefined ? undefined : !sent.active),
    protectedOnly: sent.access_level === undefined ? undefined : sent.access_level === 'ref_protected',
    maximumTimeout: sent.maximum_timeout === 0 ? null : sent.maximum_timeout,
    maintenanceNote: clearable(sent.maintenance_note),
  });

const NOTHING_CHOSEN: RunnerFields = {
  description: null,
  tags: [],
  runUntagged: true,
  locked: false,
  paused: false,
  protectedOnly: false,
  maximumTimeout: null,
  maintenanceNote: null,
};

const createRunner = (parts: Parts): Route =>
  post('/user/runners', 'createRunner', {
    summary: 'Make a runner',
    description:
      'The token is shown this once. Runners of the whole installation are made by administrators, others by Owners of their group or Maintainers of their project.',
    access: 'user',
    parameters: {
      runner_type: oneOf(RUNNER_TYPES, { description: 'Whose jobs it takes' }),
      project_id: Type.Optional(identifier<ProjectId>('The project, for `project_type`')),
      group_id: Type.Optional(identifier<GroupId>('The group, for `group_type`')),
      ...FIELDS,
    },
    answer: NewRunnerSchema,
    guard: (context) => placeOfNew(parts, context),
    handle: async ({ actor, subject, parameters: sent }) => {
      const { id, secret } = await parts.ciRunners.create(actor, subject, { ...NOTHING_CHOSEN, ...fieldsIn(sent) });
      return { id, token: secret, token_expires_at: null };
    },
  });

const getRunner = (parts: Parts): Route =>
  get(ONE, 'getRunner', {
    summary: 'One runner',
    access: 'user',
    parameters: { runner_id: RUNNER_ID },
    answer: RunnerDetailSchema,
    guard: managed(parts, 'some'),
    handle: ({ actor, subject }) => showDetail(parts, actor, subject),
  });

/** It may take the jobs of projects that the caller doesn't see. */
const showDetail = async (parts: Parts, actor: UserActor, { runner, group }: ManagedRunner) => {
  const { access, ciRunnerReader, urls, clock } = parts;
  const projects = await ciRunnerReader.visibleProjectsOf(runner.id, access.viewer(actor));
  return presentRunnerDetail(runner, { projects, group, urls, now: clock.now() });
};

const updateRunner = (parts: Parts): Route =>
  put(ONE, 'updateRunner', {
    summary: 'Change a runner',
    access: 'user',
    parameters: { runner_id: RUNNER_ID, ...FIELDS },
    answer: RunnerDetailSchema,
    guard: managed(parts, 'all'),
    handle: async ({ actor, subject, parameters: sent }) => {
      const runner = await parts.ciRunners.change(subject.runner.id, fieldsIn(sent));
      return showDetail(parts, actor, { ...subject, runner });
    },
  });

const removeRunner = (parts: Parts): Route =>
  remove(ONE, 'removeRunner', {
    summary: 'Remove a runner',
    access: 'user',
    parameters: { runner_id: RUNNER_ID },
    guard: managedByToken(parts),
    handle: ({ subject: { runner } }) => parts.ciRunners.remove(runner.id),
  });

const resetRunnerToken = (parts: Parts): Route =>
  post(`${ONE}/reset_authentication_token`, 'resetRunnerToken', {
    summary: 'Give a runner another token',
    description: 'The one before is no good any more.',
    access: 'user',
    parameters: { runner_id: RUNNER_ID },
    answer: RunnerTokenSchema,
    guard: managedByToken(parts),
    handle: async ({ subject: { runner } }) => ({
      token: await parts.ciRunners.resetToken(runner.id),
      token_expires_at: null,
    }),
  });

const listRunnerJobs = (parts: Parts): Route =>
  list(`${ONE}/jobs`, 'listRunnerJobs', {
    summary: 'Jobs that a runner has taken, the newest first',
    access: 'user',
    parameters: { runner_id: RUNNER_ID },
    items: CiJobSchema,
    guard: managed(parts, 'some'),
    read: async ({ actor, subject, page }) => {
      const found = await parts.ciJobReader.list({
        runnerId: subject.runner.id,
        readableBy: parts.access.viewer(actor),
        scope: [],
        includeRetried: true,
        page,
      });
      // Somebody may have lost one of these since they were listed.
      const projects = new Map(
        await Promise.all(
          [...new Set(found.items.map(({ projectId }) => projectId))].map(
            async (id) => [id, await unlessRefused(parts.access.project(actor, String(id), 'read_pipelines'))] as const,
          ),
        ),
      );
      const items = found.items.flatMap((job) => {
        const permitted = projects.get(job.projectId);
        return permitted === undefined ? [] : [{ job, project: permitted.project }];
      });
      return { ...found, items };
    },
    present: ({ job, project }) =>
      presentCiJob(job, { project, commit: undefined, urls: parts.urls, now: parts.clock.now() }),
  });

const enableRunner = (parts: Parts): Route =>
  post(OF_PROJECT, 'enableRunner', {
    summary: 'Have a runner of another project take the jobs of this one, too',
    access: 'user',
    parameters: { id: PROJECT_ID, runner_id: identifier('The runner') },
    answer: RunnerSchema,
    guard: inProject(parts.access, 'manage_runners'),
    handle: async ({ actor, subject, parameters: { runner_id: id } }) => {
      await requireManaged(parts, actor, id, 'some');
      return presentRunner(await parts.ciRunners.enable(id, subject), parts.clock.now());
    },
  });

const disableRunner = (parts: Parts): Route =>
  remove(`${OF_PROJECT}/:runner_id`, 'disableRunner', {
    summary: 'Have a runner take the jobs of a project no longer',
    access: 'user',
    parameters: { id: PROJECT_ID, runner_id: RUNNER_ID },
    guard: inProject(parts.access, 'manage_runners'),
    handle: async ({ subject: { project }, parameters: { runner_id: id } }) =>
      parts.ciRunners.disable(orNotFound(identifierIn(id)), project.id),
  });

/** `all` stands before what numbers name. */
export const createRunnerRoutes = (parts: Parts): readonly Route[] => [
  createRunner(parts),
  listRunners(parts),
  listAllRunners(parts),
  getRunner(parts),
  updateRunner(parts),
  removeRunner(parts),
  resetRunnerToken(parts),
  listRunnerJobs(parts),
  listProjectRunners(parts),
  listGroupRunners(parts),
  enableRunner(parts),
  disableRunner(parts),
];
