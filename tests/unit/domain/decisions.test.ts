import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { afterFailure, isLocked, NO_FAILURES, type AttemptRecord } from '../../../src/domain/identity/sign-in-lock.js';
import { botUsername } from '../../../src/domain/identity/bot.js';
import { hasNobody } from '../../../src/domain/identity/service-account.js';
import type { ProjectId } from '../../../src/domain/shared/identifiers.js';
import { scopeCovers, SCOPES, type Scope } from '../../../src/domain/shared/scope.js';
import { tokenState } from '../../../src/domain/identity/personal-access-token.js';
import { decideAccess } from '../../../src/domain/workspace/workspace-policy.js';
import { checkLinkTerms, requireGroupElsewhere, requireRoomForLink } from '../../../src/domain/workspace/group-link.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const minutesLater = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
const failures = (count: number): AttemptRecord =>
  Array.from({ length: count }).reduce<AttemptRecord>((record) => afterFailure(record, NOW), NO_FAILURES);

describe('the lock of an account', () => {
  it('closes at the tenth failure and not before', () => {
    expect(isLocked(failures(9), NOW)).toBe(false);
    expect(isLocked(failures(10), NOW)).toBe(true);
  });

  it('opens after ten minutes, and the count begins anew', () => {
    const locked = failures(10);
    expect(isLocked(locked, minutesLater(9.99))).toBe(true);
    expect(isLocked(locked, minutesLater(10))).toBe(false);
    expect(afterFailure(locked, minutesLater(10))).toEqual({ failedAttempts: 1, lockedUntil: null });
  });
});

describe('a scope', () => {
  it('never covers sudo but by itself, and always covers itself', () => {
    fc.assert(
      fc.property(fc.subarray([...SCOPES]), fc.constantFrom(...SCOPES), (held, wanted) => {
        if (held.includes(wanted)) expect(scopeCovers(held, wanted)).toBe(true);
        if (wanted === 'sudo') expect(scopeCovers(held, wanted)).toBe(held.includes('sudo'));
      }),
    );
  });

  it('of everything covers what reads and writes, and one that reads nothing that writes', () => {
    const covered = (held: Scope) => SCOPES.filter((wanted) => scopeCovers([held], wanted));
    expect(covered('api')).toEqual(['api', 'read_api', 'read_user', 'read_repository', 'write_repository']);
    expect(covered('read_api')).toEqual(['read_api', 'read_user']);
  });
});

describe('an account', () => {
  const bot = { place: { kind: 'project', id: 7 as ProjectId }, accessLevel: 30 } as const;

  it.each([
    ['ada', null, false],
    ['Alert-Bot', null, true],
    [botUsername(bot.place, 'c0ffee'), bot, true],
    // What it is called makes nobody a bot.
    [botUsername(bot.place, 'c0ffee'), null, false],
  ])('called %s, with %j as what makes it a bot, has nobody behind it: %s', (username, kept, nobody) => {
    expect(hasNobody({ username, bot: kept })).toBe(nobody);
  });
});

describe('the state of a token', () => {
  it.each([
    [null, null, 'active'],
    ['2026-03-02', null, 'active'],
    ['2026-03-01', null, 'expired'],
    ['2026-02-28', NOW, 'expired'],
    [null, NOW, 'revoked'],
  ] as const)('that expires on %s, revoked at %s, is %s', (expiresAt, revokedAt, state) => {
    expect(tokenState({ expiresAt, revokedAt }, NOW)).toBe(state);
  });
});

describe('access', () => {
  const stranger = { signedIn: false, admin: false };
  const person = { signedIn: true, admin: false };

  it.each([
    [stranger, 'public', 0, 10, 'granted'],
    [stranger, 'internal', 0, 10, 'invisible'],
    [person, 'internal', 0, 10, 'granted'],
    [person, 'private', 0, 10, 'invisible'],
    [person, 'private', 0, 40, 'invisible'],
    [person, 'public', 0, 40, 'insufficient_access_level'],
    [person, 'private', 30, 40, 'insufficient_access_level'],
    [person, 'private', 40, 40, 'granted'],
    [{ signedIn: true, admin: true }, 'private', 0, 50, 'granted'],
  ] as const)(
    'of %o to what is %s at level %i, where %i is needed, is %s',
    (asker, visibility, level, needed, decision) => {
      expect(decideAccess(asker, visibility, level, needed)).toBe(decision);
    },
  );
});

describe('sharing a project with a group', () => {
  const TODAY = '2026-03-01';

  it('is for a level of projects, until a day to come', () => {
    for (const accessLevel of [10, 20, 30, 40])
      for (const expiresAt of [null, '2026-03-02'])
        expect(() => checkLinkTerms({ accessLevel, expiresAt }, TODAY)).not.toThrow();
    for (const accessLevel of [-10, 0, 15, 50, 60])
      expect(() => checkLinkTerms({ accessLevel, expiresAt: null }, TODAY)).toThrow('group_access');
    for (const expiresAt of [TODAY, '2026-02-28'])
      expect(() => checkLinkTerms({ accessLevel: 10, expiresAt }, TODAY)).toThrow('expires_at');
  });

  it('is with a group that does not hold it, whatever begins with the same letters', () => {
    for (const group of ['a', 'a/b', 'a/b/c'])
      expect(() => requireGroupElsewhere('a/b/c/mill', group)).toThrow('This group holds the project already');
    for (const group of ['b', 'a/b/c/d', 'a/b/c/mil', 'a/bc'])
      expect(() => requireGroupElsewhere('a/b/c/mill', group)).not.toThrow();
  });

  it('has room for a hundred', () => {
    expect(() => requireRoomForLink(99)).not.toThrow();
    expect(() => requireRoomForLink(100)).toThrow('at most 100 groups');
  });
});
