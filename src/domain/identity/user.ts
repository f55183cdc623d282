import { canonicalText } from '../shared/canonical-text.js';
import type { ProblemCollector } from '../shared/problem-collector.js';
import type { UserId } from '../shared/identifiers.js';
import { timeZoneIn } from '../shared/time-zone.js';
import { RESERVED_TOP_LEVEL_PATHS } from '../shared/reserved-paths.js';
import { looksLikeBot, type Bot } from './bot.js';

export type UserState = 'active' | 'blocked';

export interface User {
  readonly id: UserId;
  readonly username: string;
  readonly name: string;
  readonly state: UserState;
  readonly admin: boolean;
  readonly passwordHash: string | null;
  readonly failedAttempts: number;
  readonly lockedUntil: Date | null;
  readonly twoFactor: TwoFactor | null;
  readonly createdAt: Date;
  readonly lastSignInAt: Date | null;
  /** What they say of themselves; empty where they say nothing. */
  readonly bio: string;
  /** The name of the zone in which they are shown times; null where they chose none. */
  readonly timeZone: string | null;
  /** Null for people. */
  readonly bot: Bot | null;
}

/** The second factor as stored: the secret sealed, the recovery codes as digests, the last time step used (against replay). */
export interface TwoFactor {
  readonly sealedSecret: string;
  readonly recoveryCodeDigests: readonly string[];
  readonly lastTimeStep: number | null;
}

export interface EmailAddress {
  readonly id: number;
  readonly userId: UserId;
  readonly address: string;
  readonly primary: boolean;
  readonly confirmedAt: Date | null;
  /** Since when it is meant for a link that sets a new password; null for an address that was added without the password. */
  readonly recoverySince: Date | null;
}

/**
 * The addresses that a link for a new password may go to: meant for it by who proved the password or by an administrator, and
 * confirmed, but for the address that the account was created with.
 */
export const recoveryAddresses = (emails: readonly EmailAddress[]): readonly EmailAddress[] =>
  emails.filter(
    ({ primary, confirmedAt, recoverySince }) => recoverySince !== null && (primary || confirmedAt !== null),
  );

/** The primary address where it is confirmed: what concerns the account is mailed to it. */
export const confirmedPrimary = (emails: readonly EmailAddress[]): EmailAddress | undefined =>
  emails.find(({ primary, confirmedAt }) => primary && confirmedAt !== null);

const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 128;

// One label of a path: starts with a letter, digit or underscore, and never ends in what a URL suffix would claim.
const PATH_LABEL = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}$/;
const CLAIMED_SUFFIX = /(?:\.git|\.atom|\.json|\.keys|\.)$/i;

const isPathLabel = (text: string): boolean => PATH_LABEL.test(text) && !CLAIMED_SUFFIX.test(text);

// Deliberately plain: one @, no spaces or control characters, a host of ASCII labels. Confirmation by mail is the real test.
const EMAIL =
  /^[^\s@<>(),;:\\"[\]\p{C}]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}))*$/u;

export const isEmailAddress = (text: string): boolean => text.length <= 254 && EMAIL.test(text);

/** Two spellings of one address are the same address. */
export const emailKey = (address: string): string => canonicalText(address).toLowerCase();
export const usernameKey = (username: string): string => username.toLowerCase();

const isReserved = (username: string): boolean =>
  RESERVED_TOP_LEVEL_PATHS.has(usernameKey(username)) || looksLikeBot(username);

/** @param before the one that the account has, which it keeps in any case. */
export const checkUsername = (problems: ProblemCollector, username: string, before?: string): void => {
  const kept = before !== undefined && usernameKey(username) === usernameKey(before);
  problems
    .check(username.length > 0, 'username', "can't be blank")
    .check(
      username.length === 0 || (isPathLabel(username) && !/^\d+$/.test(username)),
      'username',
      'can contain only letters, digits, _, - and ., must not start with - or ., must not be digits alone, and must not end in ., .git, .atom, .json or .keys',
    )
    .check(kept || !isReserved(username), 'username', 'is a reserved name');
};

export const checkName = (problems: ProblemCollector, name: string): void => {
  problems
    .check(name.trim().length > 0, 'name', "can't be blank")
    .check(name.length <= 255, 'name', 'is too long (maximum is 255 characters)')
    .check(!/[\p{Cc}]/u.test(name), 'name', 'must not contain control characters');
};

const MAX_BIO_LENGTH = 1_000;

export const checkBio = (problems: ProblemCollector, bio: string): void => {
  problems.check(bio.length <= MAX_BIO_LENGTH, 'bio', `is too long (maximum is ${MAX_BIO_LENGTH} characters)`);
};

export const checkTimeZone = (problems: ProblemCollector, timeZone: string | null): void => {
  const isZone = timeZone === null || timeZoneIn(timeZone) !== undefined;
  problems.check(isZone, 'time_zone', 'is not a time zone (expected a name such as Europe/Berlin)');
};

export const checkEmail = (problems: ProblemCollector, email: string): void => {
  problems
    .check(email.length > 0, 'email', "can't be blank")
    .check(email.length === 0 || isEmailAddress(email), 'email', 'is invalid');
};

export const checkPassword = (problems: ProblemCollector, password: string): void => {
  problems
    .check(
      password.length >= MIN_PASSWORD_LENGTH,
      'password',
      `is too short (minimum is ${MIN_PASSWORD_LENGTH} characters)`,
    )
    .check(
      password.length <= MAX_PASSWORD_LENGTH,
      'password',
      `is too long (maximum is ${MAX_PASSWORD_LENGTH} characters)`,
    );
};
