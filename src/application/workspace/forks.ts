import { Conflict, Invalid, NotFound, Taken } from '../../domain/shared/domain-error.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import { isWithin, narrowest, type Visibility } from '../../domain/shared/visibility.js';
import { opennessOf, type Openness } from '../../domain/workspace/project-features.js';
import type { UserActor } from '../shared/actor.js';
import type { UserRepository } from '../identity/ports/user-repository.js';
import type { DomainEvents } from '../shared/domain-events.js';
import type { Permitted, PermittedNamespace } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { checkProject } from './check-project.js';
import { holdMaker } from './hold-maker.js';
import { keepVisibility } from './keep-visibility.js';
import type { NamespaceRepository } from './ports/namespace-repository.js';
import type { ForkRepository } from './ports/project-relations.js';
import type { ProjectRepository } from './ports/workspace-repositories.js';

export interface ForkCommand {
  /** Those of the source where absent. */
  readonly name?: string;
  readonly path?: string;
  readonly description?: string | null;
  /** At most this; a fork is never more visible than its source, nor than what holds it. */
  readonly visibility?: Visibility;
  /** The only one that it gets, which is its default branch then; all of them, and the tags, where absent. */
  readonly branch?: string;
}

interface Needs {
  readonly users: UserRepository;
  readonly namespaces: NamespaceRepository;
  readonly projects: ProjectRepository;
  readonly forks: ForkRepository;
  readonly events: DomainEvents;
}

/** Forks: projects that begin with the code of another, and remember which. */
export class Forks {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes a fork; its code follows.
   * @throws Conflict where its name or path is taken; Invalid naming every other problem.
   */
  async fork(
    { id: by }: UserActor,
    { project: source }: Permitted<'fork_project'>,
    namespace: PermittedNamespace,
    command: ForkCommand,
  ): Promise<ProjectId> {
    const { name = source.name, path = source.path, description = source.description, branch = null } = command;
    checkProject({ name, path, description });
    const at = this.clock.now();
    const made = this.unitOfWork.execute(async (repositories) => {
      const { projects, forks, events } = repositories;
      await holdMaker(repositories, by);
      // As it is now, and held: somebody may be narrowing it.
      const held = await projects.take(source.id, namespace.id);
      if (held === undefined) throw new NotFound('Project');
      const limits = [held.visibility, namespace.visibility, command.visibility ?? 'public'] as const;
      const visibility = narrowest(limits);
      await keepVisibility(repositories, { visibility, within: namespace.id });
      const projectId = await projects.add({
        name,
        path,
        description,
        visibility,
        namespaceId: namespace.id,
        defaultBranch: branch ?? source.defaultBranch,
        mergeWhenPipelineSucceeds: source.mergeWhenPipelineSucceeds,
        ciConfigPath: source.ciConfigPath,
        features: held.features,
        creatorId: by,
        createdAt: at,
      });
      await forks.add(projectId, source.id, 'scheduled', at);
      await events.publish({ kind: 'project_created', projectId, by, at });
      await events.publish({ kind: 'project_forked', projectId, sourceId: source.id, branch, by, at });
      return projectId;
    });
    return made.catch((error: unknown) => {
      throw isTaken(error) ? new Taken(error.problems) : error;
    });
  }

  /**
   * Says that a project is a fork of another, whose code it doesn't get.
   * @throws Conflict where it is one already, or of itself; Invalid where it is more visible.
   */
  async relate(
    { project }: Permitted<'manage_fork_relation'>,
    { project: source }: Permitted<'fork_project'>,
  ): Promise<void> {
    if (project.id === source.id) throw new Conflict('Target project cannot be equal to source project');
    const at = this.clock.now();
    await this.unitOfWork.execute(async ({ projects, forks }) => {
      const held = await projects.take(project.id);
      if (held === undefined) throw new NotFound('Project');
      await forks.add(project.id, source.id, 'finished', at);
      await keepWithinSource({ forks }, project.id, opennessOf(held.visibility, held.features.repository));
    });
  }

  /** False where it is no fork. */
  async unrelate({ project }: Permitted<'manage_fork_relation'>): Promise<boolean> {
    return this.unitOfWork.execute(({ forks }) => forks.remove(project.id));
  }
}

/**
 * A fork is never more visible than its source, nor its code. Asked by whoever widens a fork, which holds its project, before the end of the work.
 * @throws Invalid at `visibility`, or at `repository_access_level`.
 */
export const keepWithinSource = async (
  { forks }: { readonly forks: ForkRepository },
  id: ProjectId,
  { visibility, code }: Openness,
): Promise<void> => {
  const limit = await forks.holdSource(id);
  if (limit === undefined) return;
  if (!isWithin(visibility, limit.visibility))
    throw new Invalid({
      visibility: [`${visibility} is not allowed since the fork source project has lower visibility.`],
    });
  if (!isWithin(code, limit.code))
    throw new Invalid({
      repository_access_level: ['enabled is not allowed since the code of the fork source project is not as visible.'],
    });
};

const isTaken = (error: unknown): error is Invalid =>
  error instanceof Invalid && Object.values(error.problems).flat().includes('has already been taken');
