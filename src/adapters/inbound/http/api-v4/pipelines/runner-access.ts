import type { RunnerPlace } from '../../../../../application/pipelines/ci-runners.js';
import type { CiRunnerReader } from '../../../../../application/pipelines/ports/ci-job-ports.js';
import type { UserActor } from '../../../../../application/shared/actor.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { CiRunner } from '../../../../../domain/pipelines/ci-runner.js';
import { Forbidden, NotFound } from '../../../../../domain/shared/domain-error.js';
import { identifierIn, type GroupId } from '../../../../../domain/shared/identifiers.js';
import type { Group } from '../../../../../domain/workspace/namespace.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { refuseSession } from '../../authentication/refuse-session.js';
import { unlessRefused } from '../../kit/unless-refused.js';
import type { GuardContext } from '../../route.js';

interface Parts {
  readonly access: WorkspaceAccess;
  readonly ciRunnerReader: CiRunnerReader;
}

/** A runner that the caller looks after, or sees as one of those who do. */
export interface ManagedRunner {
  readonly runner: CiRunner;
  /** Null for one that is of no group. */
  readonly group: Group | null;
}

type OfProjects = 'some' | 'all';

/**
 * Those of the installation are the administrators', those of a group its owners', and nobody else learns of the latter. Others are seen
 * by whoever looks after one of their projects; who looks after `all` changes them: with its token the jobs of each can be had, and what
 * is kept for them. @throws NotFound, Forbidden.
 */
export const requireManaged = async (
  parts: Parts,
  actor: UserActor,
  id: number,
  wanted: OfProjects,
): Promise<ManagedRunner> => {
  const { access, ciRunnerReader } = parts;
  const runner = orNotFound(await ciRunnerReader.find(id), 'Runner');
  if (runner.groupId !== null) return { runner, group: await groupOf(access, actor, runner.groupId) };
  if (actor.admin) return { runner, group: null };
  let managed = false;
  for (const projectId of await ciRunnerReader.projectsOf(id)) {
    managed = (await unlessRefused(access.project(actor, String(projectId), 'manage_runners'))) !== undefined;
    if (managed === (wanted === 'some')) break;
  }
  if (!managed) throw new Forbidden();
  return { runner, group: null };
};

const groupOf = async (access: WorkspaceAccess, actor: UserActor, id: GroupId): Promise<Group> => {
  const permitted = await unlessRefused(access.group(actor, String(id), 'manage_group_runners'));
  return orNotFound(permitted, 'Runner').group;
};

/** The guard of a runner that a path names. */
export const managed =
  (parts: Parts, wanted: OfProjects) =>
  ({ actor, path }: GuardContext<'user'>): Promise<ManagedRunner> => {
    const id = identifierIn(path['runner_id']);
    if (id === undefined) throw new NotFound('Runner');
    return requireManaged(parts, actor, id, wanted);
  };

/** The same for what decides who has a runner: of those of every project that is sensitive on the pages. */
export const managedByToken =
  (parts: Parts) =>
  async (context: GuardContext<'user'>): Promise<ManagedRunner> => {
    const found = await managed(parts, 'all')(context);
    if (found.runner.type === 'instance_type') refuseSession(context.actor, RUNNERS_OF_EVERYBODY);
    return found;
  };

const RUNNERS_OF_EVERYBODY = 'make or remove runners for the jobs of every project';

/** Whose runner is to be made. @throws NotFound, Forbidden. */
export const placeOfNew = async ({ access }: Parts, { actor, sent }: GuardContext<'user'>): Promise<RunnerPlace> => {
  if (sent['runner_type'] === 'project_type')
    return access.project(actor, String(sent['project_id']), 'manage_runners');
  if (sent['runner_type'] === 'group_type')
    return access.group(actor, String(sent['group_id']), 'manage_group_runners');
  if (!actor.admin) throw new Forbidden();
  refuseSession(actor, RUNNERS_OF_EVERYBODY);
  return 'instance';
};
