import { ACCESS_LEVEL, GROUP_MEMBER_LEVELS, PROJECT_MEMBER_LEVELS } from '../../domain/shared/access-level.js';
import { isLastingOwner } from '../../domain/workspace/lasting-owner.js';
import type { Member } from '../../domain/workspace/namespace.js';
import { hasNobody } from '../../domain/identity/service-account.js';
import { Forbidden, Invalid, NotFound, type AttributeProblems } from '../../domain/shared/domain-error.js';
import type { GroupId, ProjectId, UserId } from '../../domain/shared/identifiers.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import { endBot, isBot } from '../identity/operations/token-works.js';
import type { BotRepository } from '../identity/ports/bot-repository.js';
import type { PersonalAccessTokenRepository } from '../identity/ports/personal-access-token-repository.js';
import type { UserRepository } from '../identity/ports/user-repository.js';
import type { DomainEvents, MembershipEvent } from '../shared/domain-events.js';
import type { UserActor } from '../shared/actor.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { findGroupsLeftWithoutOwner } from './keep-an-owner.js';
import type { AccessRequestRepository } from './ports/access-requests.js';
import type { NamespaceRepository } from './ports/namespace-repository.js';
import type { GroupOwnerRepository, MemberRepository } from './ports/workspace-repositories.js';

export interface MembershipCommand {
  readonly userId: UserId;
  readonly accessLevel: number;
  /** UTC day on which it ends. Absent leaves it as it is. */
  readonly expiresAt?: string | null;
}

/** Who may add, change and remove members of a project or group. */
export type ManagerOfMembers = Permitted<'manage_project_members'> | Permitted<'manage_group_members'>;
/** Who may see a project or group: a member of it may leave. */
export type ViewerOfMembers = Permitted<'read_project'> | Permitted<'read_group'>;

/** The group or project whose members are meant, with the level of the caller. */
type MembersOf = { readonly level: number } & (
  { readonly kind: 'project'; readonly id: ProjectId } | { readonly kind: 'group'; readonly id: GroupId }
);

const membersOf = (permitted: ManagerOfMembers | ViewerOfMembers): MembersOf =>
  'project' in permitted
    ? { kind: 'project', id: permitted.project.id, level: permitted.level }
    : { kind: 'group', id: permitted.group.id, level: permitted.level };

export interface MembersNeed {
  readonly users: UserRepository;
  readonly namespaces: NamespaceRepository;
  readonly groupMembers: MemberRepository<GroupId>;
  readonly groupOwners: GroupOwnerRepository;
  readonly projectMembers: MemberRepository<ProjectId>;
  readonly accessRequests: AccessRequestRepository;
  readonly personalAccessTokens: PersonalAccessTokenRepository;
  readonly bots: BotRepository;
  readonly events: DomainEvents;
}

const BATCH = 500;

/** Adding, changing and removing members. Nobody gives away a level above their own. */
export class Members {
  constructor(
    private readonly unitOfWork: UnitOfWork<MembersNeed>,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFound "User", Conflict "Member already exists", Invalid, Forbidden. */
  async add(manager: ManagerOfMembers, { userId, accessLevel, expiresAt = null }: MembershipCommand): Promise<Member> {
    const command = { userId, accessLevel, expiresAt };
    this.check(manager, command);
    return this.unitOfWork.execute((repositories) => this.admit(repositories, manager, command));
  }

  /** Within the transaction of another work. @throws as `add`. */
  async admit(
    repositories: MembersNeed,
    manager: ManagerOfMembers,
    { userId, accessLevel, expiresAt = null }: MembershipCommand,
  ): Promise<Member> {
    const of = membersOf(manager);
    const now = this.clock.now();
    const member: Member = { userId, accessLevel, expiresAt, createdAt: now };
    this.#check(of, member);
    // Held: the account may be about to be removed.
    const user = await repositories.users.take(userId);
    if (user === undefined) throw new NotFound('User');
    if (hasNobody(user))
      throw new Forbidden('This account belongs to the service, or to an access token, and cannot be a member');
    const members = membersIn(repositories, of);
    // What has ended is not in the way.
    if ((await members.removeExpired(this.#today(), 1, { ownerId: of.id, userId })).length > 0)
      await tell(repositories, of, 'member_expired', userId, now);
    await members.add(of.id, member);
    await repositories.accessRequests.settle(of, userId);
    await tell(repositories, of, 'member_joined', userId, now);
    return member;
  }

  /** Whether such a membership could be given. @throws Invalid, Forbidden. */
  check(manager: ManagerOfMembers, { accessLevel, expiresAt = null }: Omit<MembershipCommand, 'userId'>): void {
    this.#check(membersOf(manager), { accessLevel, expiresAt });
  }

  /** @throws NotFound, Forbidden; Invalid, for the last owner of a group too. */
  async change(manager: ManagerOfMembers, { userId, accessLevel, expiresAt }: MembershipCommand): Promise<Member> {
    const of = membersOf(manager);
    return this.unitOfWork.execute(async (repositories) => {
      const members = await takeMembers(repositories, of);
      const before = await members.find(of.id, userId);
      if (before === undefined) throw new NotFound();
      const user = await repositories.users.find(userId);
      if (user !== undefined && isBot(user))
        throw new Forbidden('This member belongs to an access token: its level and its end are those of the token');
      const after: Member = {
        ...before,
        accessLevel,
        expiresAt: expiresAt === undefined ? before.expiresAt : expiresAt,
      };
      this.#check(of, after);
      if (before.accessLevel > of.level) throw new Forbidden();
      await keepAnOwner(repositories, of, before, after);
      await members.update(of.id, userId, after);
      return after;
    });
  }

  /** @throws NotFound; Invalid for the last owner of a group. */
  async remove(manager: ManagerOfMembers, userId: UserId): Promise<void> {
    await this.#end(membersOf(manager), userId);
  }

  /** Everybody may leave. @throws NotFound; Invalid for the last owner of a group. */
  async leave(actor: UserActor, viewer: ViewerOfMembers): Promise<void> {
    await this.#end(membersOf(viewer), actor.id);
  }

  async #end(of: MembersOf, userId: UserId): Promise<void> {
    await this.unitOfWork.execute(async (repositories) => {
      const user = await repositories.users.find(userId);
      if (user !== undefined && isBot(user)) return endBotIn(repositories, of, userId, this.clock.now());
      const members = await takeMembers(repositories, of);
      const member = await members.find(of.id, userId);
      if (member === undefined) throw new NotFound();
      await keepAnOwner(repositories, of, member, undefined);
      // Somebody else may have been faster.
      if (!(await members.remove(of.id, userId))) throw new NotFound();
      await tell(repositories, of, 'member_left', userId, this.clock.now());
    });
  }

  /** Removes memberships that have ended, in bounded batches, and answers how many. */
  async removeExpired(stopping?: AbortSignal): Promise<number> {
    const today = this.#today();
    let removed = 0;
    while (stopping?.aborted !== true) {
      const batch = await this.unitOfWork.execute((repositories) => this.#removeSomeExpired(repositories, today));
      removed += batch;
      if (batch === 0) break;
    }
    return removed;
  }

  async #removeSomeExpired(repositories: MembersNeed, today: string): Promise<number> {
    const at = this.clock.now();
    const ofGroups = await repositories.groupMembers.removeExpired(today, BATCH);
    const ofProjects = await repositories.projectMembers.removeExpired(today, BATCH);
    for (const { ownerId, userId } of ofProjects)
      await tell(repositories, { kind: 'project', id: ownerId }, 'member_expired', userId, at);
    return ofGroups.length + ofProjects.length;
  }

  #check({ kind, level }: MembersOf, { accessLevel, expiresAt }: Pick<Member, 'accessLevel' | 'expiresAt'>): void {
    const levels = kind === 'group' ? GROUP_MEMBER_LEVELS : PROJECT_MEMBER_LEVELS;
    new ProblemCollector()
      .check(levels.includes(accessLevel), 'access_level', 'is not included in the list')
      .check(expiresAt === null || expiresAt > this.#today(), 'expires_at', 'cannot be a date in the past')
      .refuse();
    if (accessLevel > level) throw new Forbidden();
  }

  #today(): string {
    return this.clock.now().toISOString().slice(0, 10);
  }
}

/** Its token ends with its membership. Taken before the tree that its membership is locked with. */
const endBotIn = async (repositories: MembersNeed, of: MembersOf, userId: UserId, at: Date): Promise<void> => {
  const bot = await repositories.users.take(userId);
  const member = await membersIn(repositories, of).find(of.id, userId);
  if (bot === undefined || !isBot(bot) || member === undefined) throw new NotFound();
  await endBot(repositories, bot, at);
};

const LAST_OWNER =
  'since they are the last owner of this group: make another member an owner without an expiry date first';

const refusalOf = (after: Member | undefined): AttributeProblems => {
  if (after === undefined) return { user_id: [`can't be removed ${LAST_OWNER}`] };
  return after.accessLevel < ACCESS_LEVEL.owner
    ? { access_level: [`can't be lowered ${LAST_OWNER}`] }
    : { expires_at: [`can't be set ${LAST_OWNER}`] };
};

/** @param after undefined where the membership ends. @throws Invalid. */
const keepAnOwner = async (
  repositories: MembersNeed,
  of: MembersOf,
  before: Member,
  after: Member | undefined,
): Promise<void> => {
  if (of.kind !== 'group' || !isLastingOwner(before) || (after !== undefined && isLastingOwner(after))) return;
  const left = await findGroupsLeftWithoutOwner(repositories, before.userId, of.id);
  if (left.length > 0) throw new Invalid(refusalOf(after));
};

/** Memberships of projects are told; those of groups are nobody's event. */
const tell = async (
  { events }: MembersNeed,
  of: { readonly kind: 'project'; readonly id: ProjectId } | { readonly kind: 'group' },
  what: MembershipEvent['kind'],
  userId: UserId,
  at: Date,
): Promise<void> => {
  if (of.kind === 'project') await events.publish({ kind: what, projectId: of.id, by: userId, at });
};

const membersIn = ({ groupMembers, projectMembers }: MembersNeed, { kind }: MembersOf): MemberRepository =>
  kind === 'group' ? groupMembers : projectMembers;

/** The members of a group are locked with its tree: what one work reads of them, no other changes meanwhile. */
const takeMembers = async (repositories: MembersNeed, of: MembersOf): Promise<MemberRepository> => {
  if (of.kind === 'group') await repositories.namespaces.takeTrees([of.id]);
  return membersIn(repositories, of);
};
