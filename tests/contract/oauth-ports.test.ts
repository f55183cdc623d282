import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Application } from '../../src/domain/oauth/application.js';
import { ENDED_KEPT_DAYS } from '../../src/domain/oauth/grant.js';
import { KnexAccessTokenReader } from '../../src/adapters/outbound/persistence/knex/oauth/knex-access-token-repository.js';
import { KnexApplicationReader } from '../../src/adapters/outbound/persistence/knex/oauth/knex-application-repository.js';
import { KnexGrantReader } from '../../src/adapters/outbound/persistence/knex/oauth/knex-grant-repository.js';
import { KnexRefreshTokenReader } from '../../src/adapters/outbound/persistence/knex/oauth/knex-refresh-token-repository.js';
import { after, ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';
import type { UserId } from '../../src/domain/shared/identifiers.js';

const DAY = 86_400;

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
        secretDigest: 'secret',
        createdAt: NOW,
      }),
    );

  const addGrant = (applicationId: number | null = application.id, expiresAt: Date | null = null) =>
    parts.work(({ grants }) =>
      grants.add({
        userId,
        applicationId,
        kind: 'authorization_code',
        scopes: ['read_user', 'openid'],
        nonce: 'once',
        authenticatedAt: after(-60),
        createdAt: NOW,
        expiresAt,
      }),
    );

  const addAccessToken = (grantId: number, expiresAt: Date | null = after(7_200)) => {
    const digest = unique();
    return parts.work(async ({ accessTokens }) => {
      const id = await accessTokens.add({ digest, grantId, scopes: ['read_user'], createdAt: NOW, expiresAt });
      return { id, digest };
    });
  };

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
      const grant = await addGrant(doomed.id);
      const { digest } = await addAccessToken(grant.id);
      expect(await parts.work(({ applications }) => applications.remove(doomed.id))).toBe(true);
      expect(await parts.work(({ applications }) => applications.remove(doomed.id))).toBe(false);
      expect(await read(digest)).toBeUndefined();
    });
  });

  describe('authorization codes', () => {
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

    it('are taken as they were added, and remember what they were redeemed for', async () => {
      const { digest, ...code } = await addCode();
      const grant = await addGrant();
      const taken = await parts.work(async ({ authorizationCodes }) => {
        const found = await authorizationCodes.take(digest);
        await authorizationCodes.markRedeemed(found?.id ?? 0, grant.id);
        return found;
      });
      expect(taken).toEqual({ ...code, id: expect.any(Number), grantId: null });
      const again = await parts.work(({ authorizationCodes }) => authorizationCodes.take(digest));
      expect(again?.grantId).toBe(grant.id);
    });

    it('are taken by one work at a time: of many, one finds it unused', async () => {
      const { digest } = await addCode();
      const grant = await addGrant();
      const found = await Promise.all(
        Array.from({ length: 8 }, () =>
          parts.work(async ({ authorizationCodes }) => {
            const code = await authorizationCodes.take(digest);
            const unused = code?.grantId === null;
            if (unused) await authorizationCodes.markRedeemed(code.id, grant.id);
            return unused;
          }),
        ),
      );
      expect(found.filter(Boolean)).toHaveLength(1);
    });
  });

  describe('access tokens', () => {
    it('are found with their owner and application, and say when they end', async () => {
      const grant = await addGrant();
      const { id, digest } = await addAccessToken(grant.id);
      expect(await read(digest)).toEqual({
        token: {
          id,
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
      const forever = await addAccessToken((await addGrant(null)).id, null);
      expect(await read(forever.digest)).toMatchObject({ token: { expiresAt: null }, application: null });
    });

    it('are revoked by themselves, and by their grant', async () => {
      const grant = await addGrant();
      const [first, second] = [await addAccessToken(grant.id), await addAccessToken(grant.id)];
      await parts.work(({ accessTokens }) => accessTokens.revoke(first.id, NOW));
      expect((await read(first.digest))?.token.revoked).toBe(true);
      expect((await read(second.digest))?.token.revoked).toBe(false);
      await parts.work(({ grants }) => grants.revoke(grant.id, 'revoked_by_client', NOW));
      expect((await read(second.digest))?.token.revoked).toBe(true);
    });
  });

  describe('refresh tokens', () => {
    it('are replaced, count their repeats, and are found beside their grant', async () => {
      const grant = await addGrant();
      const { id: accessTokenId } = await addAccessToken(grant.id);
      const digest = unique();
      await parts.work(({ refreshTokens }) =>
        refreshTokens.add({ digest, grantId: grant.id, accessTokenId, createdAt: NOW }),
      );
      const reader = new KnexRefreshTokenReader(parts.database.reader);
      expect(await reader.findByDigest(digest)).toMatchObject({
        current: true,
        createdAt: NOW,
        grant: { id: grant.id },
      });
      const taken = await parts.work(({ refreshTokens }) => refreshTokens.take(digest));
      expect(taken).toEqual({ id: expect.any(Number), grantId: grant.id, accessTokenId, rotatedAt: null, repeats: 0 });
      await parts.work(async ({ refreshTokens }) => {
        await refreshTokens.markRotated(taken?.id ?? 0, after(1));
        await refreshTokens.countRepeat(taken?.id ?? 0);
      });
      expect(await parts.work(({ refreshTokens }) => refreshTokens.take(digest))).toMatchObject({
        rotatedAt: after(1),
        repeats: 1,
      });
      expect(await reader.findByDigest(digest)).toMatchObject({ current: false });
    });
  });

  describe('grants', () => {
    it('keep the first reason of their end', async () => {
      const { id } = await addGrant();
      await parts.work(({ grants }) => grants.revoke(id, 'refresh_token_reused', NOW));
      await parts.work(({ grants }) => grants.revoke(id, 'revoked_by_user', after(9)));
      const grant = await parts.work(({ grants }) => grants.find(id));
      expect(grant).toMatchObject({
        revokedAt: NOW,
        revocationReason: 'refresh_token_reused',
        nonce: 'once',
        authenticatedAt: after(-60),
      });
    });

    it('of one user and application end together, and those of others live on', async () => {
      const [own, other] = [await addApplication(), await addApplication()];
      const mine = [await addGrant(own.id), await addGrant(own.id)];
      const foreign = await addGrant(other.id);
      expect(await parts.work(({ grants }) => grants.revokeAllOf(userId, 'revoked_by_user', NOW, own.id))).toBe(2);
      for (const { id } of mine) expect((await parts.work(({ grants }) => grants.find(id)))?.revokedAt).toEqual(NOW);
      expect((await parts.work(({ grants }) => grants.find(foreign.id)))?.revokedAt).toBeNull();
      const nameless = await addGrant(null);
      expect(
        await parts.work(({ grants }) => grants.revokeAllOf(userId, 'revoked_by_user', NOW, null)),
      ).toBeGreaterThan(0);
      expect((await parts.work(({ grants }) => grants.find(nameless.id)))?.revokedAt).toEqual(NOW);
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
        grants.add({
          userId,
          applicationId: own.id,
          kind: 'password',
          scopes: ['api'],
          nonce: null,
          authenticatedAt: NOW,
          createdAt: NOW,
          expiresAt: null,
        }),
      );
      expect(await reader.approvedScopes(userId, own.id, NOW)).toEqual(new Set());
    });
  });

  describe('the clean-up', () => {
    it('removes what has ended, a batch at a time, and a grant with all its tokens', async () => {
      const ended = await Promise.all([1, 2, 3].map(() => addGrant(application.id, after(5))));
      const { digest } = await addAccessToken(ended[0]?.id ?? 0);
      const living = await addGrant();
      const sweep = (at: Date) => parts.work(({ expiredRows }) => expiredRows.remove('oauth_grants', at, 2));
      expect(await sweep(after(4))).toBe(0);
      expect(await sweep(after(5))).toBe(2);
      expect(await sweep(after(5))).toBe(1);
      expect(await read(digest)).toBeUndefined();
      expect(await parts.work(({ grants }) => grants.find(living.id))).toBeDefined();
    });

    it('keeps a revoked grant for a month', async () => {
      const { id } = await addGrant();
      await parts.work(({ grants }) => grants.revoke(id, 'revoked_by_user', NOW));
      const sweep = (seconds: number) =>
        parts.work(({ expiredRows }) => expiredRows.remove('oauth_grants', after(seconds), 1_000));
      await sweep(ENDED_KEPT_DAYS * DAY - 1);
      expect(await parts.work(({ grants }) => grants.find(id))).toBeDefined();
      await sweep(ENDED_KEPT_DAYS * DAY);
      expect(await parts.work(({ grants }) => grants.find(id))).toBeUndefined();
    });
  });
});
