import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Outdated } from '../../src/application/shared/outdated.js';
import type { Application } from '../../src/domain/oauth/application.js';
import { ENDED_KEPT_DAYS } from '../../src/domain/oauth/grant.js';
import { KnexUserReader } from '../../src/adapters/outbound/persistence/knex/identity/knex-user-reader.js';
import { KnexAccessTokenReader } from '../../src/adapters/outbound/persistence/knex/oauth/knex-access-token-reader.js';
import { KnexApplicationReader } from '../../src/adapters/outbound/persistence/knex/oauth/knex-application-repository.js';
import { KnexAuthorizationCodeReader } from '../../src/adapters/outbound/persistence/knex/oauth/knex-authorization-code-repository.js';
import { KnexGrantReader } from '../../src/adapters/outbound/persistence/knex/oauth/knex-grant-repository.js';
import { KnexRefreshTokenReader } from '../../src/adapters/outbound/persistence/knex/oauth/knex-refresh-token-repository.js';
import { after, ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';
import type { UserId } from '../../src/domain/shared/identifiers.js';

const DAY = 86_400;

/** Whom everything is given to, as applications hear of them. */
const ADA = { username: 'ada', name: 'ada', email: 'ada@example.com', confirmedAt: NOW, state: 'active' };

describeEachDatabase('the ports of OAuth', (openTestDatabase) => {
  let parts: ContractParts;
  let userId: UserId;
  let application: Application;
  let serial = 0;

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    userId = (await parts.addUser('ada')).id;
    application = await addApplication();
  });

  afterAll(() => parts.close());

  const unique = (): string => `digest-${(serial += 1)}`;

  const addApplication = () =>
    parts.work(({ applications }) =>
      applications.add({
        uid: unique(),
        name: 'Engine',
        redirectUris: ['https://a.example/cb', 'https://b.example/cb'],
        scopes: ['api', 'openid'],
        confidential: true,
        ownerId: userId,
        selfRegistered: false,
        secretDigest: 'secret',
        createdAt: NOW,
      }),
    );

  const newGrant = (applicationId: number | null, expiresAt: Date | null = null) =>
    ({
      userId,
      applicationId,
      kind: 'authorization_code',
      scopes: ['read_user', 'openid'],
      nonce: 'once',
      authenticatedAt: after(-60),
      createdAt: NOW,
      expiresAt,
    }) as const;

  const newToken = (expiresAt: Date | null = after(7_200)) =>
    ({ digest: unique(), scopes: ['read_user'], createdAt: NOW, expiresAt }) as const;

  const newPair = () => ({ access: newToken(), refreshDigest: unique() });

  /** A grant with an access token, whose digest is told beside it. */
  const addGrant = async (
    applicationId: number | null = application.id,
    expiresAt: Date | null = null,
    token: ReturnType<typeof newToken> = newToken(),
  ) => {
    const grant = await parts.work(({ grants }) => grants.open(newGrant(applicationId, expiresAt), token));
    return { ...grant, digest: token.digest };
  };

  const addCode = () => {
    const digest = unique();
    const code = {
      digest,
      userId,
      applicationId: application.id,
      redirectUri: 'https://a.example/cb',
      scopes: ['read_user'] as const,
      codeChallenge: null,
      nonce: null,
      authenticatedAt: NOW,
      createdAt: NOW,
      expiresAt: after(600),
    };
    return parts.work(async ({ authorizationCodes }) => {
      await authorizationCodes.add(code);
      return code;
    });
  };

  /** Redeems a code for a grant with a pair of tokens, unless it was used before. */
  const redeem = (codeDigest: string) => {
    const tokens = newPair();
    return parts.work(async ({ authorizationCodes, grants }) => {
      const code = await authorizationCodes.take(codeDigest);
      if (code?.grantId !== null) return undefined;
      const called = { id: code.id, username: 'ada', applicationName: 'Engine' };
      return { grant: await grants.redeem(called, newGrant(application.id), tokens), tokens };
    });
  };

  const addPair = async () => (await redeem((await addCode()).digest))!;

  const isRevoked = async ({ digest }: { readonly digest: string }) => (await read(digest))?.token.revoked;

  const read = (digest: string) => new KnexAccessTokenReader(parts.database.reader).findByDigest(digest);

  describe('applications', () => {
    const reader = () => new KnexApplicationReader(parts.database.reader);

    it('are found by id and uid as they were added, with the digest of their secret', async () => {
      expect(await reader().find(application.id)).toEqual(application);
      expect(await reader().findByUid(application.uid)).toEqual({ application, secretDigest: 'secret' });
      expect(await reader().findByUid('nobody')).toBeUndefined();
    });

    it('change in what is given and stay in the rest', async () => {
      const { id } = await addApplication();
      await parts.work(({ applications }) => applications.update(id, { name: 'Renamed', confidential: false }, NOW));
      expect(await reader().find(id)).toMatchObject({
        name: 'Renamed',
        confidential: false,
        scopes: ['api', 'openid'],
      });
    });

    it('are listed by owner, a page at a time', async () => {
      const other = await parts.addUser('owner');
      expect((await reader().list({ page: 1, perPage: 10 }, other.id)).items).toEqual([]);
      const page = await reader().list({ page: 1, perPage: 1 }, userId);
      expect([page.items.length, page.hasNext]).toEqual([1, true]);
    });

    it('take everything that they were given with them', async () => {
      const doomed = await addApplication();
      const { digest } = await addGrant(doomed.id);
      expect(await parts.work(({ applications }) => applications.remove(doomed.id))).toBe(true);
      expect(await parts.work(({ applications }) => applications.remove(doomed.id))).toBe(false);
      expect(await read(digest)).toBeUndefined();
    });
  });

  describe('authorization codes', () => {
    it('are taken as they were added, and remember what they were redeemed for', async () => {
      const { digest, ...code } = await addCode();
      const take = () => parts.work(({ authorizationCodes }) => authorizationCodes.take(digest));
      expect(await take()).toEqual({ ...code, id: expect.any(Number), grantId: null });
      const redeemed = await redeem(digest);
      expect((await take())?.grantId).toBe(redeemed?.grant.id);
    });

    it('name whom they were given to, and for what', async () => {
      const { digest } = await addCode();
      const holderOf = (asked: string) => parts.work(({ authorizationCodes }) => authorizationCodes.holderOf(asked));
      expect(await holderOf(digest)).toEqual({ ...ADA, applicationName: 'Engine' });
      expect(await holderOf('nothing')).toBeUndefined();
    });

    it('are found with their holder, held by nobody', async () => {
      const { digest, ...code } = await addCode();
      const reader = new KnexAuthorizationCodeReader(parts.database.reader);
      const holder = { ...ADA, applicationName: 'Engine' };
      expect(await reader.findPresented(digest)).toEqual({
        code: { ...code, id: expect.any(Number), grantId: null },
        holder,
      });
      const redeemed = await redeem(digest);
      expect(await reader.findPresented(digest)).toMatchObject({ code: { grantId: redeemed?.grant.id }, holder });
      expect(await reader.findPresented('nothing')).toBeUndefined();
    });

    it.each(['at once', 'step by step'] as const)(
      'buy one grant, asked %s, whoever found them unused',
      async (asking) => {
        const { digest } = await addCode();
        const reader = new KnexAuthorizationCodeReader(parts.database.reader);
        const { code } = (await reader.findPresented(digest))!;
        const called = { id: code.id, username: 'ada', applicationName: 'Engine' };
        const tokens = Array.from({ length: 8 }, newPair);
        const redeemed = await Promise.allSettled(
          tokens.map((pair) =>
            parts.work(({ grants }) => grants.redeem(called, newGrant(application.id), pair), asking),
          ),
        );
        const won = redeemed.findIndex(({ status }) => status === 'fulfilled');
        for (const [place, each] of redeemed.entries())
          if (place !== won) expect(each).toEqual({ status: 'rejected', reason: expect.any(Outdated) });
        // Nothing is left of those that lost.
        const found = await Promise.all(tokens.map(({ access }) => read(access.digest)));
        expect(found.map((each) => each !== undefined)).toEqual(tokens.map((_, place) => place === won));
        const { code: used } = (await reader.findPresented(digest))!;
        expect(found[won]?.token.grantId).toBe(used.grantId);
      },
    );

    /** Works that ask at once, in one turn: each buys a grant for a code that it found unused. */
    const buyWith = async (codes: readonly { readonly digest: string }[]) => {
      const reader = new KnexAuthorizationCodeReader(parts.database.reader);
      const found = await Promise.all(codes.map(async ({ digest }) => (await reader.findPresented(digest))!.code));
      return found.map(async ({ id }) => {
        const pair = newPair();
        const called = { id, username: 'ada', applicationName: 'Engine' };
        await parts.work(({ grants }) => grants.redeem(called, newGrant(application.id), pair), 'at once');
        return pair.access;
      });
    };

    it('buy what they are worth, whoever fails beside them', async () => {
      const codes = await Promise.all(Array.from({ length: 40 }, addCode));
      const lost = [0, 17, 39];
      const bought = await buyWith(codes.flatMap((code, place) => (lost.includes(place) ? [code, code] : [code])));
      const ended = await Promise.allSettled(bought);
      expect(ended.filter(({ status }) => status === 'rejected')).toEqual(
        lost.map(() => ({ status: 'rejected', reason: expect.any(Outdated) })),
      );
      const tokens = ended.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      expect(await Promise.all(tokens.map(async ({ digest }) => (await read(digest))?.token.revoked))).toEqual(
        codes.map(() => false),
      );
    });

    it('do not wait for one that somebody else holds', async () => {
      const [held, free] = [await addCode(), await addCode()];
      const [release, holding] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
      const holder = parts.work(async ({ authorizationCodes }) => {
        await authorizationCodes.take(held.digest);
        holding.resolve(undefined);
        await release.promise;
      });
      await holding.promise;
      const buying = buyWith([held, free]);
      // Where one writes at a time, all wait for the one who does.
      if (parts.database.inThisThread !== undefined) release.resolve(undefined);
      const [ofHeld, ofFree] = await buying;
      expect(await read((await ofFree!).digest)).toBeDefined();
      release.resolve(undefined);
      await holder;
      expect(await read((await ofHeld!).digest)).toBeDefined();
    });

    it('are taken by one work at a time: of many, one finds it unused', async () => {
      const { digest } = await addCode();
      const redeemed = await Promise.all(Array.from({ length: 8 }, () => redeem(digest)));
      expect(redeemed.filter((each) => each !== undefined)).toHaveLength(1);
    });
  });

  describe('access tokens', () => {
    it('are found with their owner and application, and say when they end', async () => {
      const grant = await addGrant();
      expect(await read(grant.digest)).toEqual({
        token: {
          id: expect.any(Number),
          grantId: grant.id,
          scopes: ['read_user'],
          createdAt: NOW,
          expiresAt: after(7_200),
          revoked: false,
        },
        owner: { id: userId, username: 'ada', admin: false, state: 'active' },
        application: { id: application.id, uid: application.uid },
        grantLastUsedAt: null,
      });
      expect(await new KnexAccessTokenReader(parts.database.reader).findActing(grant.digest)).toEqual({
        token: (await read(grant.digest))?.token,
        owner: await new KnexUserReader(parts.database.reader).find(userId),
        grantLastUsedAt: null,
      });
      const forever = await addGrant(null, null, newToken(null));
      expect(await read(forever.digest)).toMatchObject({ token: { expiresAt: null }, application: null });
    });

    it('are revoked by themselves, and by their grant', async () => {
      const { grant, tokens } = await addPair();
      const taken = await parts.work(({ refreshTokens }) => refreshTokens.take(tokens.refreshDigest));
      const next = newPair();
      const { id = 0, accessTokenId = 0 } = taken ?? {};
      await parts.work(({ grants }) => grants.renew(grant.id, next, { use: 'first', id, accessTokenId, at: NOW }));
      expect([await isRevoked(tokens.access), await isRevoked(next.access)]).toEqual([true, false]);
      await parts.work(({ grants }) => grants.revoke(grant.id, 'revoked_by_client', NOW));
      expect(await isRevoked(next.access)).toBe(true);
    });

    it('are held by whoever acts by them until they expire, are replaced, or their grant is revoked', async () => {
      const { grant, tokens } = await addPair();
      const hold = async ({ digest }: { readonly digest: string }, at = NOW) => {
        const id = (await read(digest))?.token.id ?? 0;
        return parts.work(({ credentials }) => credentials.hold({ kind: 'oauth', id, scopes: [] }, at));
      };
      expect([await hold(tokens.access), await hold(tokens.access, after(7_200))]).toEqual([true, false]);
      const taken = await parts.work(({ refreshTokens }) => refreshTokens.take(tokens.refreshDigest));
      const next = newPair();
      const { id = 0, accessTokenId = 0 } = taken ?? {};
      await parts.work(({ grants }) => grants.renew(grant.id, next, { use: 'first', id, accessTokenId, at: NOW }));
      expect([await hold(tokens.access), await hold(next.access)]).toEqual([false, true]);
      await parts.work(({ grants }) => grants.revoke(grant.id, 'revoked_by_client', NOW));
      expect(await hold(next.access)).toBe(false);
    });
  });

  describe('refresh tokens', () => {
    it('are replaced, count their repeats, and are found beside their grant', async () => {
      const { grant, tokens } = await addPair();
      const { refreshDigest: digest } = tokens;
      const reader = new KnexRefreshTokenReader(parts.database.reader);
      expect(await reader.findByDigest(digest)).toMatchObject({ current: true, createdAt: NOW, grant });
      const take = () => parts.work(({ refreshTokens }) => refreshTokens.take(digest));
      const taken = await take();
      const { id = 0, accessTokenId = 0 } = taken ?? {};
      const access = await read(tokens.access.digest);
      expect(taken).toEqual({ id, grantId: grant.id, accessTokenId: access?.token.id, rotatedAt: null, repeats: 0 });
      const [second, third] = [newPair(), newPair()];
      await parts.work(async ({ grants }) => {
        await grants.renew(grant.id, second, { use: 'first', id, accessTokenId, at: after(1) });
        await grants.renew(grant.id, third, { use: 'repeated', id });
      });
      expect(await take()).toMatchObject({ rotatedAt: after(1), repeats: 1 });
      expect(await reader.findByDigest(digest)).toMatchObject({ current: false });
      for (const { access: added, refreshDigest } of [second, third]) {
        expect(await reader.findByDigest(refreshDigest)).toMatchObject({ current: true, grant: { id: grant.id } });
        expect((await read(added.digest))?.token.grantId).toBe(grant.id);
      }
    });

    it('replace no access token where that has been cleaned up', async () => {
      const { grant, tokens } = await addPair();
      const { id = 0 } = (await parts.work(({ refreshTokens }) => refreshTokens.take(tokens.refreshDigest))) ?? {};
      const next = newPair();
      await parts.work(({ grants }) =>
        grants.renew(grant.id, next, { use: 'first', id, accessTokenId: null, at: NOW }),
      );
      expect([await isRevoked(tokens.access), await isRevoked(next.access)]).toEqual([false, false]);
    });

    it.each(['at once', 'step by step'] as const)(
      'are replaced once, asked %s, whoever found them new',
      async (asking) => {
        const { grant, tokens } = await addPair();
        const reader = new KnexRefreshTokenReader(parts.database.reader);
        const { token } = (await reader.findPresented(tokens.refreshDigest))!;
        const next = Array.from({ length: 8 }, newPair);
        const used = { use: 'first', id: token.id, accessTokenId: token.accessTokenId, at: NOW } as const;
        const renewed = await Promise.allSettled(
          next.map((pair) => parts.work(({ grants }) => grants.renew(grant.id, pair, used), asking)),
        );
        const won = renewed.findIndex(({ status }) => status === 'fulfilled');
        for (const [place, each] of renewed.entries())
          if (place !== won) expect(each).toEqual({ status: 'rejected', reason: expect.any(Outdated) });
        const found = await Promise.all(next.map(({ access }) => read(access.digest)));
        expect(found.map((each) => each !== undefined)).toEqual(next.map((_, place) => place === won));
        expect(await reader.findPresented(tokens.refreshDigest)).toMatchObject({
          token: { rotatedAt: NOW, repeats: 0 },
        });
      },
    );

    it('tell their family as it was granted', async () => {
      const { grant, tokens } = await addPair();
      const reader = new KnexRefreshTokenReader(parts.database.reader);
      expect(await reader.findPresented(tokens.refreshDigest)).toEqual({
        token: await parts.work(({ refreshTokens }) => refreshTokens.take(tokens.refreshDigest)),
        family: { grant, owner: ADA },
      });
      const family = await parts.work(({ refreshTokens }) => refreshTokens.familyOf(tokens.refreshDigest));
      expect(family).toEqual({ grant, owner: ADA });
      expect(grant).toMatchObject({ nonce: 'once', authenticatedAt: after(-60), scopes: ['read_user', 'openid'] });
    });
  });

  describe('grants', () => {
    it('keep the first reason of their end', async () => {
      const { grant, tokens } = await addPair();
      await parts.work(({ grants }) => grants.revoke(grant.id, 'refresh_token_reused', NOW));
      await parts.work(({ grants }) => grants.revoke(grant.id, 'revoked_by_user', after(9)));
      const family = await parts.work(({ refreshTokens }) => refreshTokens.familyOf(tokens.refreshDigest));
      expect(family?.grant).toEqual({ ...grant, revokedAt: NOW, revocationReason: 'refresh_token_reused' });
    });

    it('of one user and application end together, and those of others live on', async () => {
      const [own, other] = [await addApplication(), await addApplication()];
      const mine = [await addGrant(own.id), await addGrant(own.id)];
      const foreign = await addGrant(other.id);
      expect(await parts.work(({ grants }) => grants.revokeAllOf(userId, 'revoked_by_user', NOW, own.id))).toBe(2);
      for (const grant of mine) expect(await isRevoked(grant)).toBe(true);
      expect(await isRevoked(foreign)).toBe(false);
      const nameless = await addGrant(null);
      expect(
        await parts.work(({ grants }) => grants.revokeAllOf(userId, 'revoked_by_user', NOW, null)),
      ).toBeGreaterThan(0);
      expect(await isRevoked(nameless)).toBe(true);
    });

    it('tell what was approved while they live, and when they were used', async () => {
      const own = await addApplication();
      const reader = new KnexGrantReader(parts.database.reader);
      const grant = await addGrant(own.id);
      expect(await reader.approvedScopes(userId, own.id, NOW)).toEqual(new Set(['read_user', 'openid']));
      await parts.work(({ grants }) => grants.recordUses(new Map([[grant.id, after(5)]])));
      await addGrant(own.id, after(10));
      const connection = async (at: Date) =>
        (await reader.connectionsOf(userId, at)).find(({ application: connected }) => connected?.id === own.id);
      expect(await connection(NOW)).toEqual({
        application: own,
        scopes: ['read_user', 'openid'],
        since: NOW,
        lastUsedAt: after(5),
      });
      await parts.work(({ grants }) => grants.revoke(grant.id, 'revoked_by_user', NOW));
      expect(await reader.approvedScopes(userId, own.id, after(11))).toEqual(new Set());
      expect(await connection(after(11))).toBeUndefined();
    });

    it('tell why they ended, where somebody else ended them, and count no password as approval', async () => {
      const own = await addApplication();
      const reader = new KnexGrantReader(parts.database.reader);
      const { id } = await addGrant(own.id);
      await parts.work(({ grants }) => grants.revoke(id, 'code_reused', after(3)));
      const ended = await reader.endedOf(userId, ['code_reused'], 5);
      expect(ended[0]).toEqual({ application: own, reason: 'code_reused', at: after(3) });
      expect(await reader.endedOf(userId, ['revoked_by_client'], 5)).not.toContainEqual(ended[0]);
      await parts.work(({ grants }) =>
        grants.open({ ...newGrant(own.id), kind: 'password', scopes: ['api'] }, newToken()),
      );
      expect(await reader.approvedScopes(userId, own.id, NOW)).toEqual(new Set());
    });
  });

  describe('the clean-up', () => {
    it('removes what has ended, a batch at a time, and a grant with all its tokens', async () => {
      const ended = await Promise.all([1, 2, 3].map(() => addGrant(application.id, after(5))));
      const living = await addGrant();
      const sweep = (at: Date) => parts.work(({ expiredRows }) => expiredRows.remove('oauth_grants', at, 2));
      expect(await sweep(after(4))).toBe(0);
      expect(await sweep(after(5))).toBe(2);
      expect(await sweep(after(5))).toBe(1);
      for (const { digest } of ended) expect(await read(digest)).toBeUndefined();
      expect(await read(living.digest)).toBeDefined();
    });

    it('keeps a revoked grant for a month', async () => {
      const { id, digest } = await addGrant();
      await parts.work(({ grants }) => grants.revoke(id, 'revoked_by_user', NOW));
      const sweep = (seconds: number) =>
        parts.work(({ expiredRows }) => expiredRows.remove('oauth_grants', after(seconds), 1_000));
      await sweep(ENDED_KEPT_DAYS * DAY - 1);
      expect(await read(digest)).toBeDefined();
      await sweep(ENDED_KEPT_DAYS * DAY);
      expect(await read(digest)).toBeUndefined();
    });
  });
});
