import { checkName, checkPassword, checkUsername } from '../../domain/identity/user.js';
import type { Invitation, InvitedMembership, SignUpPolicy } from '../../domain/invitations/invitation.js';
import { DomainError, Forbidden } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { MatchedPassword } from '../identity/operations/matched-password.js';
import { openAccount } from '../identity/operations/open-account.js';
import type { OfferedPassword, PasswordHasher } from '../identity/ports/password-hasher.js';
import type { EmailRepository, UserRepository } from '../identity/ports/user-repository.js';
import type { UserActor } from '../shared/actor.js';
import type { DomainEvents } from '../shared/domain-events.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretDigester } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { Admission, InvitationRepository, InviterRights, ManagerOfMembers } from './ports/invitation-ports.js';

interface Needs {
  readonly users: UserRepository;
  readonly emails: EmailRepository;
  readonly invitations: InvitationRepository;
  readonly inviterRights: InviterRights;
  readonly events: DomainEvents;
}

export interface NewPerson {
  readonly username: string;
  readonly name: string;
  readonly password: OfferedPassword;
}

/** What an invitation leads to, as whoever follows its link sees it. */
export interface OpenedInvitation {
  readonly invitation: Invitation;
  /** The project or group, and who invited; undefined for who asked for an account themselves. */
  readonly into: { readonly place: string; readonly inviter: string } | undefined;
}

export interface AcceptInvitationParts<Repositories extends Needs> {
  readonly unitOfWork: UnitOfWork<Repositories>;
  readonly admission: Admission<Repositories>;
  readonly passwordHasher: PasswordHasher;
  readonly digester: SecretDigester;
  readonly clock: Clock;
  readonly signUp: SignUpPolicy;
}

/** An invitation that is good now, with the right of who sent it. */
interface Good extends OpenedInvitation {
  readonly admit?: { readonly manager: ManagerOfMembers; readonly membership: InvitedMembership };
}

/**
 * Invitations end in an account, a membership, or both. They do what whoever sent them may do now: who has lost the right to add members,
 * was blocked or was removed, has invited nobody.
 */
export class AcceptInvitation<Repositories extends Needs> {
  constructor(private readonly parts: AcceptInvitationParts<Repositories>) {}

  /** Undefined when the link was used, has expired, was withdrawn or is made up. */
  async open(token: string): Promise<OpenedInvitation | undefined> {
    return this.#find(token);
  }

  /**
   * Opens an account with the address of the invitation, which the link has confirmed.
   * @returns whom its password lets in; undefined when the link is no good: nothing is hashed then.
   * @throws Invalid naming every problem; Conflict when the username or the address is taken; Forbidden while nobody may sign up. The link stays good.
   */
  async asNewPerson(token: string, { username, name, password }: NewPerson): Promise<MatchedPassword | undefined> {
    const { passwordHasher, unitOfWork, digester, clock } = this.parts;
    const found = await this.#find(token);
    if (found === undefined) return undefined;
    this.#refuseSignUp(found);
    const problems = new ProblemCollector();
    checkUsername(problems, username);
    checkName(problems, name);
    checkPassword(problems, password.reveal());
    problems.refuse();
    const passwordHash = await passwordHasher.hash(password);
    const at = clock.now();
    return unitOfWork.execute(async (repositories) => {
      // Whoever sent it may have lost the right to while the password was hashed.
      const good = await this.#judge(repositories, digester.digest(token), at);
      if (good === undefined) return undefined;
      const invitation = await repositories.invitations.consume(digester.digest(token), at);
      if (invitation === undefined) return undefined;
      const account = { username, name, admin: false, passwordHash, address: invitation.address, confirmed: true };
      const { user } = await openAccount(repositories, account, at);
      await this.#admit(repositories, good, user.id);
      return { userId: user.id, passwordHash };
    });
  }

  /**
   * Makes somebody a member who has an account.
   * @returns false when the link is no good.
   * @throws Conflict "Member already exists"; the link stays good.
   */
  async asMember(token: string, { id }: UserActor): Promise<boolean> {
    const { unitOfWork, digester, clock } = this.parts;
    const [digest, at] = [digester.digest(token), clock.now()];
    return unitOfWork.execute(async (repositories) => {
      const good = await this.#judge(repositories, digest, at);
      if (good?.admit === undefined) return false;
      if ((await repositories.invitations.consume(digest, at)) === undefined) return false;
      await this.#admit(repositories, good, id);
      return true;
    });
  }

  async #admit(repositories: Repositories, { admit }: Good, userId: UserId): Promise<void> {
    if (admit === undefined) return;
    const { accessLevel, memberUntil: expiresAt } = admit.membership;
    await this.parts.admission.admit(repositories, admit.manager, { userId, accessLevel, expiresAt });
  }

  #refuseSignUp({ admit }: Good): void {
    const { signUp } = this.parts;
    if (signUp === 'off' || (signUp === 'invite' && admit === undefined))
      throw new Forbidden('Nobody may create an account here any more. Ask an administrator.');
  }

  #find(token: string): Promise<Good | undefined> {
    const { unitOfWork, digester, clock } = this.parts;
    return unitOfWork.execute((repositories) => this.#judge(repositories, digester.digest(token), clock.now()));
  }

  /** Whether it is good, by what whoever sent it is and may do in this transaction. Leaves it where it is. */
  async #judge(repositories: Repositories, digest: string, at: Date): Promise<Good | undefined> {
    const invitation = await repositories.invitations.find(digest, at);
    if (invitation === undefined) return undefined;
    const { membership } = invitation;
    if (membership === null) return { invitation, into: undefined };
    // Held: whoever blocks or demotes them waits, or has done so.
    const inviter = await repositories.users.take(membership.inviterId);
    if (inviter?.state !== 'active') return undefined;
    const { id, username, admin } = inviter;
    const actor = { kind: 'user', id, username, admin, credential: { kind: 'session' } } as const;
    const manager = await this.#rightOf(repositories, actor, membership);
    if (manager === undefined) return undefined;
    const place = 'project' in manager ? manager.project.fullPath : manager.group.fullPath;
    return { invitation, into: { place, inviter: inviter.name }, admit: { manager, membership } };
  }

  async #rightOf(
    { inviterRights: rights }: Repositories,
    inviter: UserActor,
    { place, accessLevel, memberUntil }: InvitedMembership,
  ) {
    const { admission } = this.parts;
    try {
      const id = String(place.id);
      const manager =
        place.kind === 'project'
          ? await rights.project(inviter, id, 'manage_project_members')
          : await rights.group(inviter, id, 'manage_group_members');
      admission.check(manager, { accessLevel, expiresAt: memberUntil });
      return manager;
    } catch (error) {
      if (error instanceof DomainError && error.kind !== 'unavailable') return undefined;
      throw error;
    }
  }
}
