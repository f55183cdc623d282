import { checkEmail, type User } from '../../domain/identity/user.js';
import {
  INVITATIONS_AN_HOUR,
  INVITATIONS_TO_AN_ADDRESS_AN_HOUR,
  type InvitationPlace,
  type InvitedMembership,
  type SignUpPolicy,
} from '../../domain/invitations/invitation.js';
import { ACCESS_LEVEL_NAMES, type AccessLevel } from '../../domain/shared/access-level.js';
import { Forbidden, NotFound, TooManyRequests, Unauthenticated } from '../../domain/shared/domain-error.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { UserRepository } from '../identity/ports/user-repository.js';
import type { UserActor } from '../shared/actor.js';
import type { Clock } from '../shared/ports/clock.js';
import type { MailQueue } from '../shared/ports/mail-queue.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { InvitationMails } from './invitation-mails.js';
import type { Admission, InvitationRepository, ManagerOfMembers } from './ports/invitation-ports.js';

interface Needs {
  readonly users: UserRepository;
  readonly invitations: InvitationRepository;
  readonly mailQueue: MailQueue;
}

export interface InviteCommand {
  readonly address: string;
  readonly accessLevel: number;
  /** UTC day on which the membership ends. */
  readonly expiresAt: string | null;
}

/** What is to be another; what is left out stays. */
export interface InvitationChange {
  readonly accessLevel?: number;
  readonly expiresAt?: string | null;
}

const HOUR_MS = 3_600_000;

export const invitedTo = (manager: ManagerOfMembers): InvitationPlace =>
  'project' in manager ? { kind: 'project', id: manager.project.id } : { kind: 'group', id: manager.group.id };

/** Invitations by mail into projects and groups, by who manages their members. */
export class Invitations {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly admission: Pick<Admission<never>, 'check'>,
    private readonly mails: InvitationMails,
    private readonly clock: Clock,
    private readonly signUp: SignUpPolicy,
  ) {}

  /**
   * Does the same whoever has the address, and whether or not anybody does.
   * @throws Invalid naming every problem; Forbidden for a role above one's own, and while sign-up is off; TooManyRequests.
   */
  async invite(
    manager: ManagerOfMembers,
    by: UserActor,
    { address, accessLevel, expiresAt }: InviteCommand,
  ): Promise<void> {
    if (this.signUp === 'off')
      throw new Forbidden('Nobody is invited by mail while SIGN_UP is off. Add people by their username.');
    const problems = new ProblemCollector();
    checkEmail(problems, address);
    problems.refuse();
    this.admission.check(manager, { accessLevel, expiresAt });
    const at = this.clock.now();
    const invitation = this.mails.make(at);
    const membership = { inviterId: by.id, place: invitedTo(manager), accessLevel, memberUntil: expiresAt };
    await this.unitOfWork.execute(async (repositories) => {
      const inviter = await held(repositories, by);
      await refuseTooManyBy(repositories.invitations, inviter, at);
      await refuseTooManyTo(repositories.invitations, address, at);
      await invitation.send(repositories, address, membership, {
        inviter: `${inviter.name} (@${inviter.username})`,
        place: 'project' in manager ? manager.project.fullPath : manager.group.fullPath,
        role: ACCESS_LEVEL_NAMES[accessLevel as AccessLevel],
      });
    });
  }

  /**
   * Makes another membership of an invitation, which is the caller's from then on: what they may do is what its link does.
   * @throws NotFound "Invitation"; Invalid, Forbidden for a role above one's own; TooManyRequests where it was somebody else's.
   */
  async change(
    manager: ManagerOfMembers,
    by: UserActor,
    address: string,
    change: InvitationChange,
  ): Promise<InvitedMembership> {
    const place = invitedTo(manager);
    return this.unitOfWork.execute(async (repositories) => {
      const { invitations } = repositories;
      const at = this.clock.now();
      const found = await invitations.findTo(place, address, at);
      if (found?.membership == null) throw new NotFound('Invitation');
      if (found.membership.accessLevel > manager.level) throw new Forbidden();
      const { accessLevel = found.membership.accessLevel, expiresAt = found.membership.memberUntil } = change;
      this.admission.check(manager, { accessLevel, expiresAt });
      // It counts among theirs from then on: else whoever sent it could send another.
      if (found.membership.inviterId !== by.id) await refuseTooManyBy(invitations, await held(repositories, by), at);
      const membership = { inviterId: by.id, place, accessLevel, memberUntil: expiresAt };
      if (!(await invitations.change(found.id, membership))) throw new NotFound('Invitation');
      return membership;
    });
  }

  /** As `withdraw`, of whoever was invited. @throws NotFound "Invitation". */
  async withdrawFrom(manager: ManagerOfMembers, address: string): Promise<void> {
    const place = invitedTo(manager);
    const ended = await this.unitOfWork.execute(async ({ invitations }) => {
      const found = await invitations.findTo(place, address, this.clock.now());
      return found !== undefined && invitations.withdraw(place, found.id);
    });
    if (!ended) throw new NotFound('Invitation');
  }

  /** Its link is refused from then on. @throws NotFound "Invitation". */
  async withdraw(manager: ManagerOfMembers, id: number): Promise<void> {
    const place = invitedTo(manager);
    if (!(await this.unitOfWork.execute(({ invitations }) => invitations.withdraw(place, id))))
      throw new NotFound('Invitation');
  }
}

/** Held, so that of many at once each counts those before it. */
const held = async ({ users }: Pick<Needs, 'users'>, { id }: UserActor): Promise<User> => {
  const inviter = await users.take(id);
  if (inviter === undefined) throw new Unauthenticated();
  return inviter;
};

const refuseTooManyBy = async (invitations: InvitationRepository, { id }: User, at: Date): Promise<void> => {
  const hourAgo = new Date(at.getTime() - HOUR_MS);
  const oldest = (await invitations.instantsOf(id, hourAgo))[INVITATIONS_AN_HOUR - 1];
  if (oldest !== undefined) {
    const seconds = Math.ceil((oldest.getTime() + HOUR_MS - at.getTime()) / 1_000);
    throw new TooManyRequests(
      seconds,
      `You can invite ${INVITATIONS_AN_HOUR} people an hour. Try again in ${Math.ceil(seconds / 60)} minutes.`,
    );
  }
};

const refuseTooManyTo = async (invitations: InvitationRepository, address: string, at: Date): Promise<void> => {
  const hourAgo = new Date(at.getTime() - HOUR_MS);
  if ((await invitations.countTo(address, hourAgo)) >= INVITATIONS_TO_AN_ADDRESS_AN_HOUR)
    throw new TooManyRequests(
      HOUR_MS / 1_000,
      'This address was invited several times within an hour. Try again later.',
    );
};
