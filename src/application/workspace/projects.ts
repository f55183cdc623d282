import { pathFromName } from '../../domain/workspace/naming.js';
import type { Visibility } from '../../domain/shared/visibility.js';
import { Invalid, NotFound } from '../../domain/shared/domain-error.js';
import type { NamespaceId, ProjectId, UserId } from '../../domain/shared/identifiers.js';
import type { UserRepository } from '../identity/ports/user-repository.js';
import type { DomainEvents } from '../shared/domain-events.js';
import type { JobRequests } from '../shared/jobs/job-queue.js';
import type { Permitted, PermittedNamespace } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { checkProject } from './check-project.js';
import { keepWithinSource } from './forks.js';
import { holdMaker } from './hold-maker.js';
import { keepVisibility } from './keep-visibility.js';
import type { MergeSettings } from '../../domain/workspace/namespace.js';
import { opennessOf, type FeatureLevels } from '../../domain/workspace/project-features.js';
import type { NamespaceRepository } from './ports/namespace-repository.js';
import type { ForkRepository } from './ports/project-relations.js';
import type { HeldProject, ProjectChanges, ProjectRepository } from './ports/workspace-repositories.js';

export interface CreateProjectCommand {
  readonly creatorId: UserId;
  /** One of name and path is needed; each is made of the other. */
  readonly name?: string;
  readonly path?: string;
  readonly description: string | null;
  readonly visibility: Visibility;
  readonly defaultBranch: string | null;
  readonly mergeWhenPipelineSucceeds: boolean;
  readonly merging?: Partial<MergeSettings>;
  readonly ciConfigPath?: string | null;
  readonly features?: Partial<FeatureLevels>;
  readonly topics?: readonly string[];
  readonly requestAccessEnabled?: boolean;
}

export interface ProjectsNeed {
  readonly users: UserRepository;
  readonly namespaces: NamespaceRepository;
  readonly projects: ProjectRepository;
  readonly forks: ForkRepository;
  readonly jobs: JobRequests<{ readonly remove_project: ProjectId }>;
  readonly events: DomainEvents;
}

/** Creating, changing and removing projects. */
export class Projects<Repositories extends ProjectsNeed = ProjectsNeed> {
  constructor(
    private readonly unitOfWork: UnitOfWork<Repositories>,
    private readonly clock: Clock,
    private readonly jobsAreDue: () => void,
  ) {}

  /**
   * @param alongside what else is made with it: both stay, or neither.
   * @throws Invalid naming every problem; NotFound where the creator, or what would hold it, has just been removed.
   */
  async create(
    namespace: PermittedNamespace,
    command: CreateProjectCommand,
    alongside?: (repositories: Repositories, projectId: ProjectId) => Promise<void>,
  ): Promise<ProjectId> {
    const { name = command.path ?? '', path = pathFromName(command.name ?? ''), ...rest } = command;
    checkProject({ ...rest, name, path });
    const createdAt = this.clock.now();
    return this.unitOfWork.execute(async (repositories) => {
      const { projects, events } = repositories;
      await holdMaker(repositories, rest.creatorId);
      await keepVisibility(repositories, { visibility: rest.visibility, within: namespace.id });
      const projectId = await projects.add({ ...rest, name, path, namespaceId: namespace.id, createdAt });
      await events.publish({ kind: 'project_created', projectId, by: rest.creatorId, at: createdAt });
      await alongside?.(repositories, projectId);
      return projectId;
    });
  }

  /** @throws Invalid naming every problem. */
  async edit({ project }: Permitted<'manage_project'>, changes: Omit<ProjectChanges, 'archived'>): Promise<void> {
    checkProject({ name: project.name, path: project.path, ...changes }, project.path);
    const now = this.clock.now();
    const { visibility } = changes;
    const repository = changes.features?.repository;
    await this.unitOfWork.execute(async (repositories) => {
      const { namespaceId, visibility: before, features } = await takeProject(repositories, project.id);
      if (visibility !== undefined) await keepVisibility(repositories, { visibility, within: namespaceId });
      if (visibility !== undefined || repository !== undefined) {
        const openness = opennessOf(visibility ?? before, repository ?? features.repository);
        await keepWithinSource(repositories, project.id, openness);
        await repositories.forks.removeMoreVisible(project.id, openness);
      }
      await repositories.projects.update(project.id, changes, now);
      if (visibility !== undefined && visibility !== before)
        await repositories.events.publish({ kind: 'project_visibility_changed', projectId: project.id, at: now });
      if (changes.defaultBranch !== undefined && changes.defaultBranch !== project.defaultBranch)
        await repositories.events.publish({
          kind: 'default_branch_chosen',
          projectId: project.id,
          branch: changes.defaultBranch,
        });
    });
  }

  /** Makes it read-only, or takes that back; doing so twice changes nothing. */
  async setArchived({ project }: Permitted<'archive_project'>, archived: boolean): Promise<void> {
    const now = this.clock.now();
    await this.unitOfWork.execute(async (repositories) => {
      await takeProject(repositories, project.id);
      await repositories.projects.update(project.id, { archived }, now);
    });
  }

  /**
   * Moves it into another namespace; its address follows.
   * @throws Invalid when it is there already, would be more visible than what holds it, or its name is taken there.
   */
  async transfer({ project }: Permitted<'transfer_project'>, target: PermittedNamespace, by: UserId): Promise<void> {
    const at = this.clock.now();
    await this.unitOfWork.execute(async (repositories) => {
      const { projects, events } = repositories;
      const { namespaceId, visibility } = await takeProject(repositories, project.id, target.id);
      if (target.id === namespaceId) throw new Invalid({ namespace: ['holds the project already'] });
      await keepVisibility(repositories, { visibility, within: target.id });
      await projects.move(project.id, target.id, at);
      await events.publish({ kind: 'project_moved', projectId: project.id, fromId: namespaceId, by, at });
    });
  }

  /** Gone for everybody at once; the removal itself is a job that survives a restart. */
  async requestRemoval({ project }: Permitted<'remove_project'>): Promise<void> {
    const now = this.clock.now();
    await this.unitOfWork.execute(async ({ projects, jobs }) => {
      if (await projects.requestRemoval(project.id, now)) await jobs.enqueue('remove_project', project.id, now);
    });
    this.jobsAreDue();
  }
}

/** @throws NotFound for one that has just been removed. */
const takeProject = async (
  { projects }: Pick<ProjectsNeed, 'projects'>,
  id: ProjectId,
  target?: NamespaceId,
): Promise<HeldProject> => {
  const project = await projects.take(id, target);
  if (project === undefined) throw new NotFound('Project');
  return project;
};
