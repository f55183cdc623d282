import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OfferedPassword } from '../../src/application/identity/ports/password-hasher.js';
import { SecondFactor } from '../../src/application/identity/second-factor.js';
import { SignIn } from '../../src/application/identity/sign-in.js';
import { createAesSecretBox } from '../../src/adapters/outbound/security/aes-secret-box.js';
import { sha256Digester } from '../../src/adapters/outbound/security/node-secrets.js';
import { otpOneTimeCodes } from '../../src/adapters/outbound/security/otp-one-time-codes.js';
import { Conflict } from '../../src/domain/shared/domain-error.js';
import { KnexPersonalAccessTokenReader } from '../../src/adapters/outbound/persistence/knex/identity/knex-personal-access-token-reader.js';
import { KnexSessionReader } from '../../src/adapters/outbound/persistence/knex/identity/knex-session-repository.js';
import { KnexUserReader } from '../../src/adapters/outbound/persistence/knex/identity/knex-user-reader.js';
import { KnexAccessTokenReader } from '../../src/adapters/outbound/persistence/knex/keys/knex-access-token-reader.js';
import type { TokenFilters } from '../../src/application/identity/ports/identity-readers.js';
import type { BotPlace } from '../../src/domain/identity/bot.js';
import { after, ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';
import type { GroupId, UserId } from '../../src/domain/shared/identifiers.js';

describeEachDatabase('the ports of identity', (openTestDatabase) => {
  let parts: ContractParts;
  let ada: UserId;

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    ada = (await parts.addUser('Ada')).id;
  });

  afterAll(() => parts.close());

  describe('users', () => {
    it('are found by name and address whatever the case', async () => {
      const found = await parts.work(async ({ users }) => [
        await users.findByUsername('aDA'),
        await users.findByEmail('ADA@example.com'),
      ]);
      expect(found.map((user) => user?.id)).toEqual([ada, ada]);
    });

    it('are each told to whoever asks for them, when many ask at once and some ask what the database refuses', async () => {
      const names = Array.from({ length: 130 }, (_, index) => `asked-${index}`);
      for (const name of names) await parts.addUser(name);
      const reader = new KnexUserReader(parts.database.reader);
      const ask = async (name: string): Promise<string | undefined> =>
        (await reader.findByUsername(name).catch(() => undefined))?.username;
      const found = await Promise.all([...names, 'nobody', 'asked-\0', 'asked-7', 'ADA'].map(ask));
      expect(found).toEqual([...names, undefined, undefined, 'asked-7', 'Ada']);
      await parts.database.transact(({ query }) => query('users').whereIn('username_key', names).delete());
    });

    it('have names of their own, whatever the case', async () => {
      await expect(parts.addUser('ADA')).rejects.toBeInstanceOf(Conflict);
    });

    it('keep their second factor and their failures as they were written', async () => {
      const twoFactor = { sealedSecret: 'sealed', recoveryCodeDigests: ['a', 'b'], lastTimeStep: 58_000_000 };
      await parts.work(({ users }) =>
        users.update(ada, { twoFactor, failedAttempts: 3, lockedUntil: after(60), lastSignInAt: NOW }),
      );
      const user = await parts.work(({ users }) => users.find(ada));
      expect(user).toMatchObject({
        twoFactor,
        failedAttempts: 3,
        lockedUntil: after(60),
        lastSignInAt: NOW,
        name: 'Ada',
      });
      await parts.work(({ users }) => users.update(ada, { twoFactor: null, lockedUntil: null }));
      expect(await parts.work(({ users }) => users.find(ada))).toMatchObject({
        twoFactor: null,
        lockedUntil: null,
        failedAttempts: 3,
      });
    });

    it('are listed by name in the same order on every database, and found by a part of it', async () => {
      for (const name of ['zoe', 'Émile', 'eve', '100%_sure'])
        await parts.addUser(name.replace('É', 'e-')).catch(() => undefined);
      const reader = new KnexUserReader(parts.database.reader);
      const list = (search?: string) =>
        reader.list({
          ...(search === undefined ? {} : { search }),
          orderBy: 'username',
          sort: 'asc',
          page: { page: 1, perPage: 10 },
        });
      expect((await list()).items.map(({ username }) => username)).toEqual([
        '100%_sure',
        'Ada',
        'e-mile',
        'eve',
        'zoe',
      ]);
      expect((await list('%_')).items.map(({ username }) => username)).toEqual(['100%_sure']);
      expect((await list('ADA')).items.map(({ email }) => email)).toEqual(['Ada@example.com']);
    });

    it('take everything that is theirs alone with them', async () => {
      const { id } = await parts.addUser('brief');
      await parts.work(({ sessions }) =>
        sessions.add({
          stage: 'signed_in',
          userId: id,
          returnTo: null,
          digest: 'brief',
          createdAt: NOW,
          provedAt: NOW,
          expiresAt: after(60),
        }),
      );
      await parts.work(({ users }) => users.remove(id));
      expect(await new KnexSessionReader(parts.database.reader).findByDigest('brief', NOW)).toBeUndefined();
      expect(await parts.work(({ users }) => users.findByEmail('brief@example.com'))).toBeUndefined();
      await parts.addUser('brief');
    });
  });

  describe('signing in', () => {
    /** A sign-in whose comparison takes long enough for something else to happen. */
    const signInWhile = (something: () => Promise<unknown>) =>
      new SignIn(
        { execute: (work) => parts.work(work) },
        {
          hash: (password) => Promise.resolve(password.reveal()),
          verify: async (stored, password) => {
            const matches = stored === password.reveal();
            await something();
            return matches;
          },
        },
        new SecondFactor(
          { execute: (work) => parts.work(work) },
          otpOneTimeCodes,
          createAesSecretBox(randomBytes(32), 'test'),
          sha256Digester,
          { now: () => NOW },
        ),
        { now: () => NOW },
        { count: () => undefined },
      );
    const offered = (text: string) => new OfferedPassword(text, 'test');

    it('counts every wrong password, however many come at once', async () => {
      const { id } = await parts.addUser('guessed');
      const signIn = signInWhile(() => Promise.resolve());
      await Promise.all(Array.from({ length: 6 }, () => signIn.byPassword('guessed', offered('wrong'))));
      expect((await parts.work(({ users }) => users.find(id)))?.failedAttempts).toBe(6);
    });

    it('refuses a password that was changed while it was compared, and undoes no change', async () => {
      const { id } = await parts.addUser('reset');
      await parts.work(({ users }) => users.update(id, { passwordHash: 'old' }));
      const change = () => parts.work(({ users }) => users.update(id, { passwordHash: 'new', state: 'blocked' }));
      expect(await signInWhile(change).byPassword('reset', offered('old'))).toEqual({ outcome: 'refused' });
      expect(await parts.work(({ users }) => users.find(id))).toMatchObject({ passwordHash: 'new', state: 'blocked' });
    });
  });

  describe('addresses', () => {
    it('belong to one user, and one of them is primary', async () => {
      const { id } = await parts.addUser('grace');
      const add = (address: string) =>
        parts.work(({ emails }) =>
          emails.add({ userId: id, address, primary: false, confirmedAt: null, recoverySince: null, createdAt: NOW }),
        );
      // Another account has confirmed it.
      await expect(add('ADA@example.com')).rejects.toBeInstanceOf(Conflict);
      const second = await add('second@example.com');
      await parts.work(async ({ emails }) => {
        await emails.confirm(second.id, after(1));
        await emails.makePrimary(second.id);
      });
      const own = await parts.work(({ emails }) => emails.ofUser(id));
      expect(own.map(({ address, primary }) => [address, primary])).toEqual([
        ['grace@example.com', false],
        ['second@example.com', true],
      ]);
      expect(own[1]?.confirmedAt).toEqual(after(1));
    });
  });

  describe('personal access tokens', () => {
    const add = (digest: string, expiresAt: string | null = null) =>
      parts.work(({ personalAccessTokens }) =>
        personalAccessTokens.add({
          userId: ada,
          digest,
          name: 'ci',
          scopes: ['api', 'read_user'],
          expiresAt,
          createdAt: NOW,
        }),
      );
    const reader = () => new KnexPersonalAccessTokenReader(parts.database.reader);

    it('are found by digest with the profile of their owner, also when they ended', async () => {
      const token = await add('first', '2026-03-02');
      expect(await reader().findByDigest('first')).toEqual({
        token,
        owner: await new KnexUserReader(parts.database.reader).find(ada),
      });
      await parts.work(({ personalAccessTokens }) => personalAccessTokens.revoke(token.id, after(1)));
      await parts.work(({ personalAccessTokens }) => personalAccessTokens.revoke(token.id, after(2)));
      expect((await reader().findByDigest('first'))?.token.revokedAt).toEqual(after(1));
    });

    it('remember when they were used, and end all at once', async () => {
      const [one, two] = [await add('one'), await add('two')];
      await parts.work(({ personalAccessTokens }) => personalAccessTokens.recordUses(new Map([[one.id, after(5)]])));
      expect((await reader().find(one.id))?.lastUsedAt).toEqual(after(5));
      expect(await parts.work(({ personalAccessTokens }) => personalAccessTokens.revokeAllOf(ada, NOW))).toBe(2);
      expect((await reader().find(two.id))?.revokedAt).toEqual(NOW);
    });

    it('are held by whoever acts by them until they are revoked or expire', async () => {
      const { id } = await add('held', '2026-04-01');
      const hold = (at: Date) =>
        parts.work(({ credentials }) => credentials.hold({ kind: 'personal_access_token', id, scopes: [] }, at));
      expect([await hold(NOW), await hold(new Date('2026-04-01T00:00:00Z'))]).toEqual([true, false]);
      await parts.work(({ personalAccessTokens }) => personalAccessTokens.revoke(id, NOW));
      expect(await hold(NOW)).toBe(false);
    });
  });

  describe('bots', () => {
    let serial = 0;
    const add = async (place: BotPlace, expiresAt: string | null = null) =>
      parts.work(async ({ bots, personalAccessTokens }) => {
        const username = `robot-${(serial += 1)}`;
        const bot = await bots.add({ username, name: 'Robot', place, accessLevel: 30, createdAt: NOW });
        const made = { userId: bot.id, name: username, digest: username, scopes: ['api'] as const, createdAt: NOW };
        const token = await personalAccessTokens.add({ ...made, description: 'Builds', expiresAt });
        return { bot, token };
      });
    const addPlace = async () => {
      const projectId = await parts.addProject(await parts.addUser(`owner-${(serial += 1)}`));
      return { kind: 'project', id: projectId } as const;
    };
    const stateOf = async (id: UserId) => (await parts.work(({ users }) => users.find(id)))?.state;

    it('are accounts that know their place and level, whichever way they are read', async () => {
      const place = await addPlace();
      const { bot } = await add(place);
      expect(bot).toMatchObject({ bot: { place, accessLevel: 30 }, admin: false, passwordHash: null });
      expect(await parts.work(({ users }) => users.take(bot.id))).toEqual(bot);
      const users = new KnexUserReader(parts.database.reader);
      const found = await new KnexPersonalAccessTokenReader(parts.database.reader).findByDigest(bot.username);
      expect([found?.owner, found?.token.description]).toEqual([await users.find(bot.id), 'Builds']);
      expect([found?.owner.bot, (await users.find(ada))?.bot]).toEqual([{ place, accessLevel: 30 }, null]);
      const inGroup = await add({ kind: 'group', id: ((await addPlace()).id + 5_000) as GroupId });
      expect(inGroup.bot.bot?.place.kind).toBe('group');
    });

    it('are counted by their tokens that work', async () => {
      const place = await addPlace();
      const today = '2026-03-01';
      const atLeast = (number: number) => parts.work(({ bots }) => bots.holdAtLeast(place, number, today));
      const { token } = await add(place, '2026-03-02');
      await add(place, today);
      expect([await atLeast(1), await atLeast(2)]).toEqual([true, false]);
      await parts.work(({ personalAccessTokens }) => personalAccessTokens.revoke(token.id, NOW));
      expect(await atLeast(1)).toBe(false);
    });

    it('are found once their last token has expired, until they are blocked', async () => {
      const [place, today] = [await addPlace(), '2026-03-01'];
      const findExpired = (day = today) => parts.work(({ bots }) => bots.findExpired(day));
      // What other tests have left.
      for (let id = await findExpired(); id !== undefined; id = await findExpired())
        await parts.work(({ bots }) => bots.retire(id!));
      const [{ bot }] = [await add(place, '2026-03-02'), await add(place)];
      expect([await findExpired(), await findExpired('2026-03-02')]).toEqual([undefined, bot.id]);
      await parts.work(({ bots }) => bots.retire(bot.id));
      expect(await findExpired('2026-03-02')).toBeUndefined();
    });

    it('end one by one, and all of what is removed, with their tokens', async () => {
      const [place, other] = [await addPlace(), await addPlace()];
      const [one, two, apart] = [await add(place), await add(place), await add(other)];
      await parts.work(({ bots }) => bots.retire(one.bot.id));
      expect(await Promise.all([one, two].map(({ bot }) => stateOf(bot.id)))).toEqual(['blocked', 'active']);
      await parts.work(({ bots }) => bots.retireAll(place));
      expect(await Promise.all([two, apart].map(({ bot }) => stateOf(bot.id)))).toEqual(['blocked', 'active']);
      const reader = new KnexPersonalAccessTokenReader(parts.database.reader);
      expect((await reader.find(two.token.id))?.revokedAt).not.toBeNull();
      expect((await reader.find(apart.token.id))?.revokedAt).toBeNull();
    });

    it('have tokens that are narrowed and sorted alike on both databases', async () => {
      const place = await addPlace();
      const reader = new KnexAccessTokenReader(parts.database.reader);
      const [first, second, third] = [await add(place, '2026-05-01'), await add(place, '2026-04-01'), await add(place)];
      await parts.work(({ personalAccessTokens }) =>
        personalAccessTokens.recordUses(new Map([[first.token.id, after(9)]])),
      );
      const ids = async (asked: TokenFilters) =>
        (await reader.list({ place, page: { page: 1, perPage: 10 }, ...asked })).items.map(({ id }) => id);
      const [a, b, c] = [first.token.id, second.token.id, third.token.id];
      expect([await ids({}), await ids({ sort: 'created_desc' })]).toEqual([
        [a, b, c],
        [c, b, a],
      ]);
      expect([await ids({ sort: 'expires_asc' }), await ids({ sort: 'expires_desc' })]).toEqual([
        [b, a, c],
        [a, b, c],
      ]);
      expect((await ids({ sort: 'last_used_desc' }))[0]).toBe(a);
      expect(await ids({ sort: 'name_desc' })).toEqual([c, b, a]);
      expect(await ids({ state: { is: 'inactive', at: new Date('2026-04-01T00:00:00Z') } })).toEqual([b]);
      expect(await ids({ state: { is: 'active', at: new Date('2026-04-01T00:00:00Z') } })).toEqual([a, c]);
      expect([await ids({ lastUsedAfter: after(9) }), await ids({ lastUsedBefore: after(8) })]).toEqual([[a], []]);
      expect([await ids({ search: third.token.name.toUpperCase() }), await ids({ search: '%' })]).toEqual([[c], []]);
      expect((await reader.find(place, a))?.accessLevel).toBe(30);
      expect(await reader.find(await addPlace(), a)).toBeUndefined();
    });
  });

  describe('sessions and one-time links', () => {
    const addSession = (digest: string) =>
      parts.work(({ sessions }) =>
        sessions.add({
          stage: 'signed_in',
          userId: ada,
          returnTo: '/x',
          digest,
          createdAt: NOW,
          provedAt: NOW,
          expiresAt: after(60),
        }),
      );
    const find = (digest: string, at: Date) => new KnexSessionReader(parts.database.reader).findByDigest(digest, at);

    it('live until their instant, or longer when they are extended', async () => {
      const session = await addSession('lasting');
      expect(await find('lasting', after(59))).toMatchObject({ session, owner: { id: ada, username: 'Ada' } });
      expect(await find('lasting', after(60))).toBeUndefined();
      await parts.work(({ sessions }) => sessions.extend(session.id, after(120), after(30)));
      expect((await find('lasting', after(60)))?.session.returnTo).toBe('/x');
    });

    it('end all but the one that is spared', async () => {
      const [spared] = [await addSession('spared'), await addSession('ended')];
      await parts.work(({ sessions }) => sessions.removeAllOf(ada, spared.id));
      expect(await find('spared', NOW)).toBeDefined();
      expect(await find('ended', NOW)).toBeUndefined();
    });

    it('are used once, by one of many, for their purpose and in time', async () => {
      const link = {
        purpose: 'reset_password',
        userId: ada,
        emailId: null,
        createdAt: NOW,
        expiresAt: after(60),
      } as const;
      const add = (digest: string) => parts.work(({ oneTimeTokens }) => oneTimeTokens.add({ ...link, digest }));
      await add('link');
      const use = (purpose: 'reset_password' | 'confirm_email', at: Date) =>
        parts.work(({ oneTimeTokens }) => oneTimeTokens.consume(purpose, 'link', at));
      expect(await use('confirm_email', NOW)).toBeUndefined();
      expect(await use('reset_password', after(60))).toBeUndefined();
      const used = await Promise.all([1, 2, 3, 4].map(() => use('reset_password', NOW)));
      expect(used.filter((each) => each !== undefined)).toEqual([link]);
    });
  });
});
