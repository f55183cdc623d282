import type { GroupId, ProjectId } from '../../domain/shared/identifiers.js';
import type { JobProgress } from '../shared/jobs/job-runner.js';
import type { ForgetGroup, ForgetProject } from './ports/forget-project.js';
import type { GroupRepository, ProjectRepository } from './ports/workspace-repositories.js';

interface Needs {
  readonly projects: ProjectRepository;
  readonly groups: GroupRepository;
}

/** Projects, or groups, that one step takes. */
const REMOVED_AT_ONCE = 50;

/** The jobs that remove projects and groups, step by step. */
export class Removals<Repositories extends Needs> {
  /** What each context does first. */
  constructor(
    private readonly forget: readonly ForgetProject<Repositories>[],
    private readonly forgetGroups: readonly ForgetGroup<Repositories>[],
  ) {}

  async removeProject(repositories: Repositories, id: ProjectId): Promise<JobProgress> {
    if ((await this.#forgetAll(repositories, [id])) === 'more') return 'more';
    await repositories.projects.remove(id);
    return 'done';
  }

  async removeGroup(repositories: Repositories, id: GroupId): Promise<JobProgress> {
    const inside = await repositories.groups.projectsInside(id, REMOVED_AT_ONCE);
    if ((await this.#forgetAll(repositories, inside)) === 'more') return 'more';
    for (const forget of this.forgetGroups) await forget(repositories, id);
    return (await repositories.groups.removeSome(id, REMOVED_AT_ONCE)) ? 'done' : 'more';
  }

  async #forgetAll(repositories: Repositories, projectIds: readonly ProjectId[]): Promise<JobProgress> {
    for (const id of projectIds)
      for (const forget of this.forget) if ((await forget(repositories, id)) === 'more') return 'more';
    return 'done';
  }
}
