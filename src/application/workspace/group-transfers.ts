import { RESERVED_TOP_LEVEL_PATHS } from '../../domain/shared/reserved-paths.js';
import { ACCESS_LEVEL } from '../../domain/shared/access-level.js';
import { NotFound, NotPossible } from '../../domain/shared/domain-error.js';
import type { GroupId, UserId } from '../../domain/shared/identifiers.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import { MAX_GROUP_DEPTH, whyNotMoved } from '../../domain/workspace/group-place.js';
import { checkWorkspacePath } from '../../domain/workspace/naming.js';
import type { UserRepository } from '../identity/ports/user-repository.js';
import { refuseBot, type UserActor } from '../shared/actor.js';
import type { DomainEvents } from '../shared/domain-events.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { keepVisibility } from './keep-visibility.js';
import type { NamespaceRepository } from './ports/namespace-repository.js';
import type {
  GroupOwnerRepository,
  GroupRepository,
  HeldGroup,
  MemberRepository,
} from './ports/workspace-repositories.js';

interface Needs {
  readonly users: UserRepository;
  readonly namespaces: NamespaceRepository;
  readonly groups: GroupRepository;
  readonly groupMembers: MemberRepository<GroupId>;
  readonly groupOwners: GroupOwnerRepository;
  readonly events: DomainEvents;
}

const REFUSALS = {
  at_the_top_already: 'Group is already a root group.',
  there_already: 'Group is already associated to the parent group.',
  into_itself: 'Cannot transfer group to one of its subgroup.',
  too_deep: `Groups nest at most ${MAX_GROUP_DEPTH} levels.`,
} as const;

/** Moving groups, with everything in them. */
export class GroupTransfers {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly clock: Clock,
  ) {}

  /**
   * Moves a group below another, or to the top; the addresses of everything in it follow. Members stay; what people had through
   * the groups above is theirs no more.
   * @param target undefined to the top: whoever moves it there owns it, unless somebody else does for good.
   * @throws NotPossible; Invalid at `visibility` or `path`; NotFound "Group" when one of the two is gone; Forbidden for a bot to the top.
   */
  async transfer(
    { group: { id } }: Permitted<'transfer_group'>,
    target: Permitted<'create_subgroups'> | undefined,
    by: Pick<UserActor, 'id' | 'bot'>,
  ): Promise<void> {
    // It would own a group that isn't its own, and nobody else might.
    if (target === undefined) refuseBot(by, 'move groups to the top');
    const at = this.clock.now();
    await this.unitOfWork.execute(async (repositories) => {
      // People are locked before groups.
      if (target === undefined && (await repositories.users.take(by.id)) === undefined) throw new NotFound('User');
      const { group, holder } = await takeBoth(repositories, id, target?.group.id);
      const levels = await repositories.groups.levelsIn(id);
      const reason = whyNotMoved({ ...group, levels }, holder);
      if (reason !== undefined) throw new NotPossible(`Transfer failed: ${REFUSALS[reason]}`);
      checkPath(group, holder);
      if (holder !== undefined) await keepVisibility(repositories, { visibility: group.visibility, within: holder.id });
      await repositories.groups.move(id, holder?.id ?? null, at);
      await repositories.events.publish({ kind: 'group_moved', groupId: id, fromId: group.parentId });
      if (holder === undefined) await giveAnOwner(repositories, id, by.id, at);
    });
  }
}

/** Both trees are locked at once, in the order that holds for everybody: two groups that are moved crosswise wait for each other. */
const takeBoth = async (
  { namespaces, groups }: Needs,
  id: GroupId,
  targetId: GroupId | undefined,
): Promise<{ readonly group: HeldGroup; readonly holder: HeldGroup | undefined }> => {
  await namespaces.takeTrees(targetId === undefined ? [id] : [id, targetId]);
  const group = await groups.take(id);
  const holder = targetId === undefined ? undefined : await groups.take(targetId);
  if (group === undefined || (targetId !== undefined && holder === undefined)) throw new NotFound('Group');
  return { group, holder };
};

/** Other paths are taken by pages at the top than below. @throws Invalid. */
const checkPath = ({ path }: HeldGroup, holder: HeldGroup | undefined): void => {
  const problems = new ProblemCollector();
  checkWorkspacePath(problems, path, holder === undefined ? RESERVED_TOP_LEVEL_PATHS : undefined);
  problems.refuse();
};

/** A group at the top has an owner for good (`findGroupsLeftWithoutOwner`); below, the owners above were enough. */
const giveAnOwner = async (
  { groupMembers, groupOwners }: Needs,
  id: GroupId,
  userId: UserId,
  createdAt: Date,
): Promise<void> => {
  const owners = await groupOwners.lastingOwnersOf(id);
  if (owners.some(({ blocked }) => !blocked)) return;
  const owner = { userId, accessLevel: ACCESS_LEVEL.owner, expiresAt: null, createdAt };
  const isMember = (await groupMembers.find(id, userId)) !== undefined;
  await (isMember ? groupMembers.update(id, userId, owner) : groupMembers.add(id, owner));
};
