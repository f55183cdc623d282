import { ACCESS_LEVEL } from '../../domain/shared/access-level.js';
import { checkWorkspaceName, checkWorkspacePath } from '../../domain/workspace/naming.js';
import { depthOf, MAX_GROUP_DEPTH } from '../../domain/workspace/group-place.js';
import type { Visibility } from '../../domain/shared/visibility.js';
import { RESERVED_TOP_LEVEL_PATHS } from '../../domain/shared/reserved-paths.js';
import { Invalid, NotFound } from '../../domain/shared/domain-error.js';
import type { GroupId } from '../../domain/shared/identifiers.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { UserRepository } from '../identity/ports/user-repository.js';
import { refuseBot, type UserActor } from '../shared/actor.js';
import type { JobRequests } from '../shared/jobs/job-queue.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { holdMaker } from './hold-maker.js';
import { keepVisibility } from './keep-visibility.js';
import type { NamespaceRepository } from './ports/namespace-repository.js';
import type { GroupChanges, GroupRepository, HeldGroup, MemberRepository } from './ports/workspace-repositories.js';

export interface CreateGroupCommand {
  readonly creator: Pick<UserActor, 'id' | 'bot'>;
  readonly name: string;
  readonly path: string;
  readonly description: string;
  /** As visible as the parent, or private at the top, when absent. */
  readonly visibility?: Visibility;
  readonly requestAccessEnabled?: boolean;
}

interface Needs {
  readonly users: UserRepository;
  readonly namespaces: NamespaceRepository;
  readonly groups: GroupRepository;
  readonly groupMembers: MemberRepository;
  readonly jobs: JobRequests<{ readonly remove_group: GroupId }>;
}

/** Creating, changing and removing groups. */
export class Groups {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly clock: Clock,
    private readonly jobsAreDue: () => void,
  ) {}

  /**
   * Whoever creates a group owns it; a bot makes groups below its own alone, and has there what it has above.
   * @param parent the group that will hold it, or undefined at the top.
   * @throws Invalid naming every problem; Forbidden for a bot at the top.
   */
  async create(parent: Permitted<'create_subgroups'> | undefined, command: CreateGroupCommand): Promise<GroupId> {
    const { creator, ...rest } = command;
    if (parent === undefined) refuseBot(creator, 'own groups: make one below its own');
    check(command, parent === undefined);
    const createdAt = this.clock.now();
    return this.unitOfWork.execute(async (repositories) => {
      const { groups, groupMembers } = repositories;
      await holdMaker(repositories, creator.id);
      const holder = parent === undefined ? undefined : await takeGroup(repositories, parent.group.id);
      if (holder !== undefined) checkDepthBelow(holder);
      const parentId = holder?.id ?? null;
      const visibility = command.visibility ?? holder?.visibility ?? 'private';
      await keepVisibility(repositories, { visibility, within: parentId });
      const id = await groups.add({ ...rest, visibility, parentId, createdAt });
      // Below a group its owners own already.
      if (creator.bot !== true && (parent === undefined || parent.level < ACCESS_LEVEL.owner)) {
        await groupMembers.add(id, { userId: creator.id, accessLevel: ACCESS_LEVEL.owner, expiresAt: null, createdAt });
      }
      return id;
    });
  }

  /** @throws Invalid naming every problem: nothing inside may be more visible than the group. */
  async edit({ group }: Permitted<'manage_group'>, changes: GroupChanges): Promise<void> {
    const { id } = group;
    const { visibility } = changes;
    const now = this.clock.now();
    await this.unitOfWork.execute(async (repositories) => {
      // Paths below follow that of a group, so creating something there waits too.
      const held = await takeGroup(repositories, id);
      const { parentId } = held;
      check({ ...held, ...changes }, parentId === null, held.path);
      if (visibility !== undefined) await keepVisibility(repositories, { visibility, within: parentId, groupId: id });
      await repositories.groups.update(id, changes, now);
    });
  }

  /** Gone for everybody at once, with everything inside; the removal itself is a job that survives a restart. */
  async requestRemoval({ group }: Permitted<'remove_group'>): Promise<void> {
    const now = this.clock.now();
    await this.unitOfWork.execute(async ({ namespaces, groups, jobs }) => {
      // What is being created inside is removed too, or finds the group gone.
      await namespaces.takeTrees([group.id]);
      if (await groups.requestRemoval(group.id, now)) await jobs.enqueue('remove_group', group.id, now);
    });
    this.jobsAreDue();
  }
}

/** As it is now: it may have been moved since it was permitted. @throws NotFound for one that has just been removed. */
const takeGroup = async ({ groups }: Pick<Needs, 'groups'>, id: GroupId): Promise<HeldGroup> => {
  const group = await groups.take(id);
  if (group === undefined) throw new NotFound('Group');
  return group;
};

const checkDepthBelow = (holder: HeldGroup): void => {
  if (depthOf(holder) < MAX_GROUP_DEPTH) return;
  throw new Invalid({ parent_id: [`is too deep: groups nest at most ${MAX_GROUP_DEPTH} levels`] });
};

const MAX_DESCRIPTION = 2_000;

const check = (
  { name, path, description }: Required<Pick<GroupChanges, 'name' | 'path' | 'description'>>,
  atTheTop: boolean,
  before?: string,
): void => {
  const problems = new ProblemCollector();
  checkWorkspaceName(problems, name);
  checkWorkspacePath(problems, path, atTheTop ? RESERVED_TOP_LEVEL_PATHS : undefined, before);
  problems.check(
    description.length <= MAX_DESCRIPTION,
    'description',
    `is too long (maximum is ${MAX_DESCRIPTION} characters)`,
  );
  problems.refuse();
};
