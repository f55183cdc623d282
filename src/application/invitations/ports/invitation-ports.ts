import type { Invitation, InvitationPlace, InvitedMembership } from '../../../domain/invitations/invitation.js';
import type { Member } from '../../../domain/workspace/namespace.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../domain/shared/page.js';
import type { Actor } from '../../shared/actor.js';
import type { Permitted } from '../../shared/permitted.js';

export type NewInvitation = Omit<Invitation, 'id'> & { readonly digest: string };

export interface InvitationRepository {
  /** One of the same address to the same place ends. One that has ended is not found, but counted. */
  add(invitation: NewInvitation): Promise<void>;
  /** Leaves it where it is. Expired ones are not found. */
  find(digest: string, now: Date): Promise<Invitation | undefined>;
  /** Takes it out: of many who present it at once, one gets it. Expired ones are not found. */
  consume(digest: string, now: Date): Promise<Invitation | undefined>;
  /** The one of an address to a place. Expired ones are not found. */
  findTo(place: InvitationPlace, address: string, now: Date): Promise<Invitation | undefined>;
  /** Makes another membership of one. False when it was accepted or withdrawn meanwhile. */
  change(id: number, membership: InvitedMembership): Promise<boolean>;
  /** Ends one of a place. False when there is none. */
  withdraw(place: InvitationPlace, id: number): Promise<boolean>;
  /** When somebody invited since an instant, the newest first. */
  instantsOf(inviterId: UserId, since: Date): Promise<readonly Date[]>;
  /** How many an address got since an instant, without those that were accepted: of many who ask at once, each counts what those before it add. */
  countTo(address: string, since: Date): Promise<number>;
}

/** An invitation beside who sent it. */
export interface PendingInvitation extends Invitation {
  readonly inviterName: string | null;
}

export interface InvitationReader {
  /**
   * Those of a place that nobody has accepted yet, the newest first.
   * @param search a part of the address.
   */
  list(place: InvitationPlace, now: Date, page: PageRequest, search?: string): Promise<Page<PendingInvitation>>;
}

export type ManagerOfMembers = Permitted<'manage_project_members'> | Permitted<'manage_group_members'>;

/** Who may add members: a port of the workspace. */
export interface InviterRights {
  project(actor: Actor, id: string, permission: 'manage_project_members'): Promise<ManagerOfMembers>;
  group(actor: Actor, id: string, permission: 'manage_group_members'): Promise<ManagerOfMembers>;
}

export interface AdmittedMember {
  readonly userId: UserId;
  readonly accessLevel: number;
  readonly expiresAt?: string | null;
}

/** Takes people into projects and groups: a port of the workspace. */
export interface Admission<Repositories> {
  /** @throws Invalid, Forbidden, as `admit` does for the same membership. */
  check(manager: ManagerOfMembers, membership: Omit<AdmittedMember, 'userId'>): void;
  /** Within the transaction of another work. @throws Conflict "Member already exists", Invalid, Forbidden. */
  admit(repositories: Repositories, manager: ManagerOfMembers, member: AdmittedMember): Promise<Member>;
}
