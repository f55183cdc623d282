import { Type } from '@sinclair/typebox';
import type { CiRunnerQuery, CiRunnerReader } from '../../../../../application/pipelines/ports/ci-job-ports.js';
import type { Clock } from '../../../../../application/shared/ports/clock.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { RUNNER_STANDINGS, RUNNER_TYPES } from '../../../../../domain/pipelines/ci-runner.js';
import { given } from '../../kit/given.js';
import { GROUP_ID, inGroup, inProject, PROJECT_ID } from '../../kit/guards.js';
import { routesOf } from '../../kit/routes-of.js';
import type { Route } from '../../route.js';
import { listOf, oneOf, text, type ParametersOf } from '../../validation/parameters.js';
import { presentRunner, RunnerSchema } from './ci-job-schema.js';

interface Parts {
  readonly access: WorkspaceAccess;
  readonly ciRunnerReader: CiRunnerReader;
  readonly clock: Clock;
}

const { list } = routesOf({ tag: 'Runners' });
const MAX_TAG = 1_024;

const NARROWING = {
  type: Type.Optional(oneOf(RUNNER_TYPES, { description: 'Only those' })),
  status: Type.Optional(
    oneOf([...RUNNER_STANDINGS, 'active', 'paused'], {
      description: 'Only those that stand so. `active` and `paused` say what `paused` does, which wins.',
    }),
  ),
  paused: Type.Optional(Type.Boolean({ description: 'Only those that are, or are not' })),
  tag_list: Type.Optional(listOf(text(MAX_TAG), { description: 'Only those that have all of these tags' })),
};

type Narrowed = Pick<CiRunnerQuery, 'type' | 'paused' | 'standing' | 'tags'>;

const narrowedBy = (
  { type, status, paused, tag_list: tags = [] }: ParametersOf<typeof NARROWING>,
  now: Date,
): Narrowed => {
  const is = RUNNER_STANDINGS.find((standing) => standing === status);
  const saidByStatus = status === 'active' || status === 'paused' ? status === 'paused' : undefined;
  return { ...given({ type, paused: paused ?? saidByStatus, standing: is && { is, at: now } }), tags };
};

export const listRunners = ({ access, ciRunnerReader, clock }: Parts): Route =>
  list('/runners', 'listRunners', {
    summary: 'Runners that the caller looks after',
    description: 'Those of groups that they own and of projects that they are Maintainers of, whoever made them.',
    access: 'user',
    parameters: NARROWING,
    items: RunnerSchema,
    read: ({ actor, parameters, page }) =>
      ciRunnerReader.list({ ...narrowedBy(parameters, clock.now()), managedBy: access.viewer(actor), page }),
    present: (runner) => presentRunner(runner, clock.now()),
  });

export const listAllRunners = ({ ciRunnerReader, clock }: Parts): Route =>
  list('/runners/all', 'listAllRunners', {
    summary: 'All runners',
    access: 'admin',
    parameters: NARROWING,
    items: RunnerSchema,
    read: ({ parameters, page }) => ciRunnerReader.list({ ...narrowedBy(parameters, clock.now()), page }),
    present: (runner) => presentRunner(runner, clock.now()),
  });

export const listProjectRunners = ({ access, ciRunnerReader, clock }: Parts): Route =>
  list('/projects/:id/runners', 'listProjectRunners', {
    summary: 'Runners that take the jobs of a project',
    description: 'Its own, those of the groups that hold it, and those of the installation.',
    access: 'user',
    parameters: { id: PROJECT_ID, ...NARROWING },
    items: RunnerSchema,
    guard: inProject(access, 'manage_runners'),
    read: ({ subject: { project }, parameters, page }) =>
      ciRunnerReader.list({ ...narrowedBy(parameters, clock.now()), projectId: project.id, page }),
    present: (runner) => presentRunner(runner, clock.now()),
  });

export const listGroupRunners = ({ access, ciRunnerReader, clock }: Parts): Route =>
  list('/groups/:id/runners', 'listGroupRunners', {
    summary: 'Runners that take the jobs of all projects of a group',
    description: 'Its own, those of the groups that hold it, and those of the installation. For its Owners.',
    access: 'user',
    parameters: { id: GROUP_ID, ...NARROWING },
    items: RunnerSchema,
    guard: inGroup(access, 'manage_group_runners'),
    read: ({ subject: { group }, parameters, page }) =>
      ciRunnerReader.list({ ...narrowedBy(parameters, clock.now()), groupId: group.id, page }),
    present: (runner) => presentRunner(runner, clock.now()),
  });
