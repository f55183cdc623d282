import type { Bot } from '../../../domain/identity/bot.js';
import {
  familyOf,
  ROTATED_LASTS_DAYS,
  tokenState,
  type PersonalAccessToken,
} from '../../../domain/identity/personal-access-token.js';
import type { User } from '../../../domain/identity/user.js';
import { isCalendarDay } from '../../../domain/shared/calendar-day.js';
import { BadRequest, Forbidden } from '../../../domain/shared/domain-error.js';
import { ProblemCollector } from '../../../domain/shared/problem-collector.js';
import { PERSONAL_ACCESS_TOKEN_SCOPES, scopeCovers, type Scope } from '../../../domain/shared/scope.js';
import type { DomainEvents } from '../../shared/domain-events.js';
import type { BotRepository } from '../ports/bot-repository.js';
import type { PersonalAccessTokenRepository } from '../ports/personal-access-token-repository.js';
import type { Requester } from '../requester.js';
import type { SecurityLogRepositories } from '../security-log.js';

/** What whoever makes a token says of it. */
export interface TokenFields {
  readonly name: string;
  readonly description?: string | null;
  readonly scopes: readonly Scope[];
  /** UTC day on which it stops working, `YYYY-MM-DD`. */
  readonly expiresAt: string | null;
}

/** A token as its maker sees it once: the secret is not stored. */
export type CreatedToken = PersonalAccessToken & { readonly secret: string };

/** What ending a token needs of a transaction. */
export interface EndingNeeds {
  readonly personalAccessTokens: PersonalAccessTokenRepository;
  readonly bots: BotRepository;
  readonly events: DomainEvents;
}

/** What replacing one needs. */
export type RotationNeeds = EndingNeeds & SecurityLogRepositories;

/** Whose token it is: to be taken first, so that nothing more comes of it meanwhile. */
export type TakenOwner = Pick<User, 'id' | 'name' | 'username' | 'admin' | 'bot'>;

const MAX_NAME_LENGTH = 255;
const MAX_DESCRIPTION_LENGTH = 1_000;
const DAY_MS = 86_400_000;

/** @throws Invalid naming every problem. */
export const checkToken = ({ name, description, scopes, expiresAt }: TokenFields, now: Date): void => {
  const allowed: readonly string[] = PERSONAL_ACCESS_TOKEN_SCOPES;
  const problems = new ProblemCollector()
    .check(name.trim() !== '', 'name', "can't be blank")
    .check(name.length <= MAX_NAME_LENGTH, 'name', `is too long (maximum is ${MAX_NAME_LENGTH} characters)`)
    .check(
      (description ?? '').length <= MAX_DESCRIPTION_LENGTH,
      'description',
      `is too long (maximum is ${MAX_DESCRIPTION_LENGTH} characters)`,
    )
    .check(scopes.length > 0, 'scopes', "can't be blank")
    .check(
      scopes.every((scope) => allowed.includes(scope)),
      'scopes',
      `can only contain ${allowed.join(', ')}`,
    )
    .check(new Set(scopes).size === scopes.length, 'scopes', 'must not repeat');
  checkExpiry(problems, expiresAt, now).refuse();
};

const checkExpiry = (problems: ProblemCollector, expiresAt: string | null, now: Date): ProblemCollector => {
  const today = now.toISOString().slice(0, 10);
  const isDay = expiresAt === null || isCalendarDay(expiresAt);
  return problems
    .check(isDay, 'expires_at', 'is not a date (expected YYYY-MM-DD)')
    .check(!isDay || expiresAt === null || expiresAt > today, 'expires_at', 'must be a date in the future');
};

/** Until when a token lasts that takes the place of another. @throws Invalid. */
export const lastDayOfRotated = (asked: string | undefined, now: Date): string => {
  const after = new Date(now.getTime() + ROTATED_LASTS_DAYS * DAY_MS).toISOString().slice(0, 10);
  const lastsUntil = asked ?? after;
  checkExpiry(new ProblemCollector(), lastsUntil, now).refuse();
  return lastsUntil;
};

/** @throws Invalid for `sudo` where nobody is an administrator. */
export const refuseSudoOf = (owner: { readonly admin: boolean }, scopes: readonly Scope[]): void => {
  if (!scopes.includes('sudo') || owner.admin) return;
  new ProblemCollector().add('scopes', 'can only contain sudo for administrators').refuse();
};

/** A token never makes one that can do more than itself. @throws Forbidden. */
export const refuseMoreThanOwn = (requester: Requester, scopes: readonly Scope[]): void => {
  if (requester.kind !== 'user' || requester.credential.kind === 'session') return;
  const held = requester.credential.scopes;
  const beyond = scopes.filter((scope) => !scopeCovers(held, scope));
  if (beyond.length > 0)
    throw new Forbidden(`A token can't make one with more scopes than its own: ${beyond.join(', ')}`);
};

/** What an application would get outlasts the consent that it was given. @throws Forbidden. @param what as in "rotate tokens". */
export const refuseApplication = (requester: Requester, what: string): void => {
  if (requester.kind === 'user' && requester.credential.kind === 'oauth')
    throw new Forbidden(`An application can't ${what}`);
};

interface Replacement {
  readonly old: PersonalAccessToken;
  readonly owner: TakenOwner;
  readonly digest: string;
  readonly lastsUntil: string;
  /** Records that it was rotated, before it is. */
  readonly record: () => Promise<void>;
  readonly at: Date;
}

/** What became of one that was revoked already: whether another one, which had taken its place, ended. */
export type UsedAgain = 'successor_ended' | 'nothing_ended';

/**
 * Puts a token of the same name and scopes in the place of one, which ends with it. One that was revoked already takes with it what has
 * come of it: of the two that know it one has stolen it.
 *
 * @throws BadRequest for a token that has ended; Invalid for `sudo` where its owner is no administrator any more.
 */
export const replaceToken = async (
  repositories: RotationNeeds,
  { old, owner, digest, lastsUntil, record, at }: Replacement,
): Promise<PersonalAccessToken | UsedAgain> => {
  refuseSudoOf(owner, old.scopes);
  const { personalAccessTokens } = repositories;
  if (!(await personalAccessTokens.revoke(old.id, at))) return endSuccessor(repositories, old, owner, at);
  if (tokenState({ ...old, revokedAt: null }, at) === 'expired') throw new BadRequest('Token is expired');
  await record();
  const { userId, name, description, scopes } = old;
  const kept = { userId, name, description, scopes, familyId: familyOf(old) };
  return personalAccessTokens.add({ ...kept, digest, expiresAt: lastsUntil, createdAt: at });
};

/** Where another token has taken the place of one that was used again, that one ends. */
export const endSuccessor = async (
  repositories: EndingNeeds,
  token: PersonalAccessToken,
  owner: TakenOwner,
  at: Date,
): Promise<UsedAgain> => {
  const successor = await repositories.personalAccessTokens.findSuccessor(token);
  if (successor === undefined) return 'nothing_ended';
  await endToken(repositories, successor, owner, at);
  return 'successor_ended';
};

/** Revokes a token; the bot behind one of a project or group ends with it. */
export const endToken = async (
  repositories: EndingNeeds,
  token: Pick<PersonalAccessToken, 'id'>,
  owner: TakenOwner,
  at: Date,
): Promise<void> => {
  if (!(await repositories.personalAccessTokens.revoke(token.id, at))) return;
  if (isBot(owner)) await retireBot(repositories, owner, at);
};

/** The same for whichever token a bot has. */
export const endBot = async (repositories: EndingNeeds, bot: TakenBot, at: Date): Promise<void> => {
  await repositories.personalAccessTokens.revokeAllOf(bot.id, at);
  await retireBot(repositories, bot, at);
};

/** The account of a bot. */
export type TakenBot = TakenOwner & { readonly bot: Bot };

export const isBot = <Account extends Pick<User, 'bot'>>(
  account: Account,
): account is Account & { readonly bot: Bot } => account.bot !== null;

/** Blocks one whose token has ended. Its membership goes with it: whoever keeps members hears of it. */
export const retireBot = async (
  { bots, events }: Pick<EndingNeeds, 'bots' | 'events'>,
  { id, bot }: Pick<TakenBot, 'id' | 'bot'>,
  at: Date,
): Promise<void> => {
  await bots.retire(id);
  await events.publish({ kind: 'bot_retired', accountId: id, place: bot.place, at });
};
