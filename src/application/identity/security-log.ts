import { SENSITIVE_ACTS, type ActMeans, type SensitiveAct } from '../../domain/identity/sensitive-act.js';
import { confirmedPrimary, type User } from '../../domain/identity/user.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { SharedCounters } from '../shared/ports/shared-counters.js';
import type { MailQueue } from '../shared/ports/mail-queue.js';
import { holdSession, type HeldSessionNeeds } from './operations/hold-session.js';
import type { ActSource, SecurityEvent, SecurityEventRepository } from './ports/security-event-repository.js';
import type { SessionRepository } from './ports/session-repository.js';
import type { EmailRepository, UserRepository } from './ports/user-repository.js';
import type { ProvedPerson } from './prove-identity.js';
import type { Requester } from './requester.js';

const DAY_MS = 86_400_000;
const KEPT_MS = 365 * DAY_MS;
/** What could not be mailed by then is let go; the page shows it still. */
const MAIL_LASTS_MS = 14 * DAY_MS;

const MEANS_WORDS: Readonly<Record<ActMeans, string>> = {
  browser: 'in a browser',
  mailed_link: 'by a mailed link',
  personal_access_token: 'by the personal access token',
  application: 'by the application',
  administrator: 'by the administrator',
  operator: 'at the command line of the server',
};

/** How an act was done, as its owner reads it. */
export const describeMeans = ({ means, name }: ActSource): string =>
  name === null ? MEANS_WORDS[means] : `${MEANS_WORDS[means]} “${name}”`;

/** What was done, as its owner reads it. */
export const describeAct = ({ act, subject }: Pick<SecurityEvent, 'act' | 'subject'>): string =>
  SENSITIVE_ACTS[act].told + (subject === null ? '' : `: ${subject}`);

/** What recording needs of a transaction. */
export interface SecurityLogRepositories {
  readonly users: UserRepository;
  readonly emails: EmailRepository;
  readonly sessions: SessionRepository;
  readonly securityEvents: SecurityEventRepository;
  readonly mailQueue: MailQueue;
}

export interface RecordedAct {
  readonly user: Pick<User, 'id' | 'name' | 'username'>;
  readonly act: SensitiveAct;
  readonly subject?: string;
  readonly source: ActSource;
  readonly at: Date;
}

/** What an owner is told of, in a sentence of its own. */
export interface ToldAct extends Pick<RecordedAct, 'user' | 'source' | 'at'> {
  readonly told: string;
}

/**
 * What the act of a proved person is recorded with. To be called in the transaction of the act: the session is locked until it ends, and
 * one that has ended since it was looked at does nothing more.
 *
 * @throws Unauthenticated when the session has ended.
 */
export const redeemProof = async (repositories: HeldSessionNeeds, person: ProvedPerson): Promise<ActSource> => {
  await holdSession(repositories, person);
  return { means: 'browser', name: null, clientAddress: person.clientAddress };
};

/** Records every sensitive act and mails its owner, in the transaction of the act itself. */
export class SecurityLog {
  constructor(
    private readonly baseUrl: () => string,
    private readonly counters: SharedCounters,
  ) {}

  /** Mails the primary address as it is now: an act that changes it is recorded before it is done. */
  async record(repositories: SecurityLogRepositories, { user, act, subject, source, at }: RecordedAct): Promise<void> {
    const event = { act, subject: subject ?? null, source, at };
    await repositories.securityEvents.add(user.id, event, new Date(at.getTime() + KEPT_MS));
    await this.tell(repositories, { user, told: describeAct(event), source, at });
  }

  /** Mails the owner alone: of what the service did by itself. */
  async tell(
    repositories: Pick<SecurityLogRepositories, 'emails' | 'mailQueue'>,
    { user, told, source, at }: ToldAct,
  ): Promise<void> {
    const primary = confirmedPrimary(await repositories.emails.ofUser(user.id));
    if (primary === undefined) return;
    const from = source.clientAddress === null ? '' : `, from ${source.clientAddress}`;
    const content = {
      name: user.name,
      username: user.username,
      told,
      when: `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      how: describeMeans(source) + from,
      ...this.#links(),
    };
    const expiresAt = new Date(at.getTime() + MAIL_LASTS_MS);
    const mail = {
      recipient: primary.address,
      template: 'security_notice',
      content,
      createdAt: at,
      expiresAt,
    } as const;
    await repositories.mailQueue.enqueue(mail);
    this.counters.count('mails_queued_total', { template: mail.template });
  }

  /** None at a command line that was not told the public address. */
  #links(): Readonly<Record<string, string>> {
    const baseUrl = this.baseUrl();
    return baseUrl === '' ? {} : { link: `${baseUrl}/profile/account`, resetLink: `${baseUrl}/users/password/new` };
  }

  /** How a request reached an account: by its owner's own credential, or by somebody who administers it. */
  async sourceOf(
    { users, securityEvents }: Pick<SecurityLogRepositories, 'users' | 'securityEvents'>,
    requester: Requester,
    ownerId: UserId,
    clientAddress: string | null,
  ): Promise<ActSource> {
    if (requester.kind === 'operator') return { means: 'operator', name: null, clientAddress: null };
    if (requester.kind === 'anonymous') return { means: 'browser', name: null, clientAddress };
    const { id, username, impersonator, credential } = requester;
    // Where an administrator sits is not for others to know.
    if (impersonator !== undefined) {
      const administrator = await users.find(impersonator);
      return { means: 'administrator', name: administrator?.username ?? null, clientAddress: null };
    }
    if (id !== ownerId) return { means: 'administrator', name: username, clientAddress: null };
    if (credential.kind === 'session') return { means: 'browser', name: null, clientAddress };
    const means = credential.kind === 'oauth' ? 'application' : 'personal_access_token';
    return { means, name: await securityEvents.nameOf(credential), clientAddress };
  }
}
