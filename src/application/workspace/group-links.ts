import {
  checkLinkTerms,
  requireGroupElsewhere,
  requireRoomForLink,
  type LinkTerms,
} from '../../domain/workspace/group-link.js';
import { Forbidden, NotFound } from '../../domain/shared/domain-error.js';
import type { GroupId } from '../../domain/shared/identifiers.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { GroupLink, GroupLinkRepository } from './ports/group-links.js';
import type { GroupRepository, ProjectRepository } from './ports/workspace-repositories.js';

interface Needs {
  readonly groupLinks: GroupLinkRepository;
  readonly groups: GroupRepository;
  readonly projects: ProjectRepository;
}

const BATCH = 500;

/** Sharing projects with groups. */
export class GroupLinks {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly clock: Clock,
  ) {}

  /**
   * Nobody gives away a level above their own.
   * @throws NotFound where one of the two is gone, or the project is elsewhere by now; Conflict, Invalid, Forbidden, Unprocessable.
   */
  async share(
    { project, level }: Permitted<'manage_project_members'>,
    { group }: Permitted<'read_group'>,
    terms: LinkTerms,
  ): Promise<GroupLink> {
    const [createdAt, today] = [this.clock.now(), this.#today()];
    checkLinkTerms(terms, today);
    if (terms.accessLevel > level) throw new Forbidden();
    const link = { projectId: project.id, groupId: group.id, ...terms };
    return this.unitOfWork.execute(async (repositories) => {
      await repositories.groupLinks.hold(project.id);
      await this.#take(repositories, link, project.namespace.id);
      // What has ended is neither counted nor in the way.
      while ((await repositories.groupLinks.removeExpired(today, BATCH, project.id)).length === BATCH);
      requireRoomForLink(await repositories.groupLinks.count(project.id));
      return { ...link, id: await repositories.groupLinks.add({ ...link, createdAt }) };
    });
  }

  /** @throws NotFound "Group Link". */
  async unshare({ project }: Permitted<'manage_project_members'>, groupId: GroupId): Promise<void> {
    const removed = await this.unitOfWork.execute(({ groupLinks }) => groupLinks.remove(project.id, groupId));
    if (!removed) throw new NotFound('Group Link');
  }

  /** Removes links that have ended, in bounded batches, and answers how many. */
  async removeExpired(stopping?: AbortSignal): Promise<number> {
    const today = this.#today();
    let removed = 0;
    while (stopping?.aborted !== true) {
      const batch = await this.unitOfWork.execute(({ groupLinks }) => groupLinks.removeExpired(today, BATCH));
      removed += batch.length;
      if (batch.length === 0) break;
    }
    return removed;
  }

  /** Locks both, so that neither goes meanwhile. A project that went elsewhere is shared by those who manage it there. */
  async #take(
    { projects, groups }: Needs,
    { projectId, groupId }: Pick<GroupLink, 'projectId' | 'groupId'>,
    namespaceId: number,
  ): Promise<void> {
    const project = await projects.take(projectId, groupId);
    if (project?.namespaceId !== namespaceId) throw new NotFound('Project');
    const group = await groups.take(groupId);
    if (group === undefined) throw new NotFound();
    requireGroupElsewhere(project.fullPath, group.fullPath);
  }

  #today(): string {
    return this.clock.now().toISOString().slice(0, 10);
  }
}
