import { NotFound, Unauthenticated } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import {
  GRANTED_LEVEL,
  hourBefore,
  refuseRequest,
  requireRoomForRequest,
  type AccessRequest,
  type OpenRequests,
  type RequestedPlace,
} from '../../domain/workspace/access-request.js';
import type { Member } from '../../domain/workspace/namespace.js';
import type { UserRepository } from '../identity/ports/user-repository.js';
import { refuseBot, type Actor, type UserActor } from '../shared/actor.js';
import type { DomainEvents } from '../shared/domain-events.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { ManagerOfMembers, Members, MembersNeed, ViewerOfMembers } from './members.js';
import type { AccessRequestProfile, AccessRequestRepository } from './ports/access-requests.js';
import type { WorkspaceAccess } from './workspace-access.js';

/** Who sees a project or group that takes requests: an archived project takes none. */
export type Asked = Permitted<'request_access'> | Permitted<'read_group'>;

interface Needs extends MembersNeed {
  readonly users: UserRepository;
  readonly accessRequests: AccessRequestRepository;
  /** Who may do what, as it is in the transaction. */
  readonly accessNow: Pick<WorkspaceAccess, 'project' | 'group'>;
  readonly events: DomainEvents;
}

/** The project or group that is meant. */
export const requestedPlace = (place: Asked | ViewerOfMembers | ManagerOfMembers): RequestedPlace =>
  'project' in place ? { kind: 'project', id: place.project.id } : { kind: 'group', id: place.group.id };

/**
 * Requests for access to projects and groups, and what becomes of them. The lock is the account of whoever asks, which everything that
 * makes somebody a member holds, too: so nobody asks who has just become one, and of those who decide at once one does.
 */
export class AccessRequests {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly members: Pick<Members, 'admit' | 'check'>,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws Conflict for who has access, or has asked already; Forbidden; Unprocessable where too many are open; TooManyRequests.
   */
  async ask(actor: UserActor, asked: Asked): Promise<AccessRequestProfile> {
    refuseBot(actor, 'ask for access');
    const place = requestedPlace(asked);
    const request = { place, userId: actor.id, requestedAt: this.clock.now() };
    return this.unitOfWork.execute(async ({ users, accessRequests, accessNow, events }) => {
      const user = await users.take(actor.id);
      if (user?.state !== 'active') throw new Unauthenticated();
      // They may have become a member meanwhile, and it may be hidden, archived or closed to requests.
      refuseRequest(await standingNow(accessNow, actor, place));
      requireRoomForRequest(await openRequests(accessRequests, request), request.requestedAt);
      const { again } = await accessRequests.add(request);
      await events.publish({ kind: 'access_requested', place, requesterId: actor.id, again, at: request.requestedAt });
      const { username, name, state } = user;
      return { ...request, username, name, state };
    });
  }

  /** Whoever asked takes it back. @throws NotFound. */
  async withdraw({ id }: UserActor, viewer: ViewerOfMembers): Promise<void> {
    await this.unitOfWork.execute(async ({ users, accessRequests }) => {
      await users.take(id);
      if (!(await accessRequests.withdraw(requestedPlace(viewer), id, this.clock.now()))) throw new NotFound();
    });
  }

  /**
   * Makes whoever asked a member, as `Members.add` does.
   * @throws NotFound where they don't ask any more; Invalid; Forbidden for a level above one's own.
   */
  async approve(
    manager: ManagerOfMembers,
    by: UserActor,
    { userId, accessLevel = GRANTED_LEVEL }: { readonly userId: UserId; readonly accessLevel?: number },
  ): Promise<Member> {
    this.members.check(manager, { accessLevel });
    const place = requestedPlace(manager);
    return this.unitOfWork.execute(async (repositories) => {
      await repositories.users.take(userId);
      if (!(await repositories.accessRequests.grant(place, userId))) throw new NotFound();
      const member = await this.members.admit(repositories, manager, { userId, accessLevel });
      const decided = { place, requesterId: userId, by: by.id, at: member.createdAt };
      await repositories.events.publish({ kind: 'access_granted', ...decided, accessLevel });
      return member;
    });
  }

  /** @throws NotFound where they don't ask any more. */
  async deny(manager: ManagerOfMembers, by: UserActor, userId: UserId): Promise<void> {
    const place = requestedPlace(manager);
    await this.unitOfWork.execute(async ({ users, accessRequests, events }) => {
      await users.take(userId);
      const at = this.clock.now();
      if (!(await accessRequests.deny(place, userId, at))) throw new NotFound();
      await events.publish({
        kind: 'access_denied',
        ...{ place, requesterId: userId, by: by.id, at },
      });
    });
  }
}

const openRequests = async (
  accessRequests: AccessRequestRepository,
  { place, userId, requestedAt }: AccessRequest,
): Promise<OpenRequests> => ({
  ofPerson: await accessRequests.countOf(userId),
  lately: await accessRequests.instantsOf(userId, hourBefore(requestedAt)),
  toPlace: await accessRequests.countIn(place),
});

const standingNow = async (accessNow: Needs['accessNow'], actor: Actor, { kind, id }: RequestedPlace) => {
  if (kind === 'project') {
    const { project, level } = await accessNow.project(actor, String(id), 'request_access');
    return { level, requestAccessEnabled: project.requestAccessEnabled };
  }
  const { group, level } = await accessNow.group(actor, String(id), 'read_group');
  return { level, requestAccessEnabled: group.requestAccessEnabled };
};
