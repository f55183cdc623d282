import { ACCESS_LEVEL } from '../../domain/workspace/access-level.js';
import { checkVisibilityWithin, checkWorkspaceName, checkWorkspacePath } from '../../domain/workspace/naming.js';
import { isWithin, type Visibility } from '../../domain/workspace/visibility.js';
import { RESERVED_TOP_LEVEL_PATHS } from '../../domain/shared/reserved-paths.js';
import type { GroupId, UserId } from '../../domain/shared/identifiers.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { JobQueue } from '../shared/jobs/job-queue.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { GroupChanges, GroupRepository, MemberRepository } from './ports/workspace-repositories.js';
import type { WorkspaceReader } from './ports/workspace-readers.js';
import type { PermittedGroup, WorkspaceAccess } from './workspace-access.js';

export interface CreateGroupCommand {
  readonly creatorId: UserId;
  readonly name: string;
  readonly path: string;
  readonly description: string;
  /** As visible as the parent, or private at the top, when absent. */
  readonly visibility?: Visibility;
}

interface Needs {
  readonly groups: GroupRepository;
  readonly groupMembers: MemberRepository;
  readonly jobs: JobQueue;
}

const ENOUGH = { page: 1, perPage: 1 };

/** Creating, changing and removing groups. */
export class Groups {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly reader: WorkspaceReader,
    private readonly access: WorkspaceAccess,
    private readonly clock: Clock,
    private readonly jobsAreDue: () => void,
  ) {}

  /**
   * Whoever creates a group owns it.
   * @param parent the group that will hold it, or undefined at the top.
   * @throws Invalid naming every problem.
   */
  async create(parent: PermittedGroup | undefined, command: CreateGroupCommand): Promise<GroupId> {
    const { creatorId, visibility = parent?.group.visibility ?? 'private', ...rest } = command;
    check(command, parent === undefined);
    this.#checkVisibility(visibility, parent?.group.visibility ?? 'public');
    const createdAt = this.clock.now();
    return this.unitOfWork.execute(async ({ groups, groupMembers }) => {
      const id = await groups.add({ ...rest, visibility, parentId: parent?.group.id ?? null, createdAt });
      // Below a group its owners own already.
      if (parent === undefined || parent.level < ACCESS_LEVEL.owner) {
        await groupMembers.add(id, { userId: creatorId, accessLevel: ACCESS_LEVEL.owner, expiresAt: null, createdAt });
      }
      return id;
    });
  }

  /** @throws Invalid naming every problem: nothing inside may be more visible than the group. */
  async edit({ group }: PermittedGroup, changes: GroupChanges): Promise<void> {
    check({ name: group.name, path: group.path, description: group.description, ...changes }, group.parentId === null);
    if (changes.visibility !== undefined) await this.#checkNewVisibility(group.id, group.parentId, changes.visibility);
    const now = this.clock.now();
    await this.unitOfWork.execute(({ groups }) => groups.update(group.id, changes, now));
  }

  /** Gone for everybody at once, with everything inside; the removal itself is a job that survives a restart. */
  async requestRemoval({ group }: PermittedGroup): Promise<void> {
    const now = this.clock.now();
    await this.unitOfWork.execute(async ({ groups, jobs }) => {
      if (await groups.requestRemoval(group.id, now)) await jobs.enqueue('remove_group', group.id, now);
    });
    this.jobsAreDue();
  }

  async #checkNewVisibility(id: GroupId, parentId: GroupId | null, visibility: Visibility): Promise<void> {
    const parent = parentId === null ? undefined : await this.reader.findGroup(parentId);
    this.#checkVisibility(visibility, parent?.visibility ?? 'public');
    const problems = new ProblemCollector();
    for (const above of (['public', 'internal'] as const).filter((each) => !isWithin(each, visibility))) {
      if (await this.#holdsAny(id, above))
        problems.add('visibility', `${visibility} is not allowed since this group contains ${above} projects`);
    }
    problems.refuse();
  }

  async #holdsAny(namespaceId: GroupId, visibility: Visibility): Promise<boolean> {
    const viewer = { ...this.access.viewer({ kind: 'anonymous' }), admin: true };
    const within = { namespaceId, includeSubgroups: true };
    const page = await this.reader.listProjects({
      viewer,
      within,
      visibility,
      orderBy: 'id',
      sort: 'asc',
      page: ENOUGH,
    });
    return page.items.length > 0;
  }

  #checkVisibility(visibility: Visibility, limit: Visibility): void {
    const problems = new ProblemCollector();
    checkVisibilityWithin(problems, visibility, limit);
    problems.refuse();
  }
}

const MAX_DESCRIPTION = 2_000;

const check = (
  { name, path, description }: Required<Pick<GroupChanges, 'name' | 'path' | 'description'>>,
  atTheTop: boolean,
): void => {
  const problems = new ProblemCollector();
  checkWorkspaceName(problems, name);
  checkWorkspacePath(problems, path, atTheTop ? RESERVED_TOP_LEVEL_PATHS : undefined);
  problems.check(
    description.length <= MAX_DESCRIPTION,
    'description',
    `is too long (maximum is ${MAX_DESCRIPTION} characters)`,
  );
  problems.refuse();
};
