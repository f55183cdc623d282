import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setNewPassword } from '../../src/application/identity/new-password.js';
import type { SessionStage } from '../../src/application/identity/ports/session-repository.js';
import { Sessions } from '../../src/application/identity/sessions.js';
import { Authorize } from '../../src/application/oauth/authorize.js';
import { IdTokenHints } from '../../src/application/oauth/id-token-hints.js';
import { TokenMint } from '../../src/application/oauth/issued-token.js';
import { KnexApplicationReader } from '../../src/adapters/outbound/persistence/knex/oauth/knex-application-repository.js';
import { KnexGrantReader } from '../../src/adapters/outbound/persistence/knex/oauth/knex-grant-repository.js';
import { joseTokenVerifier } from '../../src/adapters/outbound/security/jose-token-verifier.js';
import { randomSecretSource, sha256Digester } from '../../src/adapters/outbound/security/node-secrets.js';
import { KnexSessionReader } from '../../src/adapters/outbound/persistence/knex/identity/knex-session-repository.js';
import type { UserId } from '../../src/domain/shared/identifiers.js';
import { Unauthenticated } from '../../src/domain/shared/domain-error.js';
import type { Repositories } from '../../src/infrastructure/composition/storages.js';
import { ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';

const TWO_FACTOR = { sealedSecret: 'sealed', recoveryCodeDigests: [], lastTimeStep: null };

/** What makes a password that was matched worthless, as those who do it write it. */
const ENDINGS: Readonly<Record<string, (repositories: Repositories, id: UserId) => Promise<void>>> = {
  'a change of the password': (repositories, id) => setNewPassword(repositories, id, 'new', NOW, 'nothing'),
  'a block': async ({ users, sessions }, id) => {
    await users.update(id, { state: 'blocked' });
    await sessions.removeAllOf(id);
  },
  'the removal of the account': ({ users }, id) => users.remove(id),
};

describeEachDatabase('sessions', (openTestDatabase) => {
  let parts: ContractParts;
  let sessions: Sessions;
  let authorize: Authorize;
  let users = 0;

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    const reader = new KnexSessionReader(parts.database.reader);
    const unitOfWork = { execute: <Result>(work: (all: Repositories) => Promise<Result>) => parts.work(work) };
    sessions = new Sessions(unitOfWork, reader, randomSecretSource, sha256Digester, { now: () => NOW });
    authorize = new Authorize(
      unitOfWork,
      new KnexApplicationReader(parts.database.reader),
      new KnexGrantReader(parts.database.reader),
      new IdTokenHints({ published: () => Promise.resolve([]) }, joseTokenVerifier, () => 'https://a.example'),
      new TokenMint(randomSecretSource, sha256Digester, 7_200),
      randomSecretSource,
      sha256Digester,
      { now: () => NOW },
      { count: () => undefined },
      { requireHttps: false, implicitEnabled: true },
    );
  });

  afterAll(() => parts.close());

  const addUser = async (): Promise<UserId> => {
    users += 1;
    const { id } = await parts.addUser(`user${users}`);
    await parts.work((all) => all.users.update(id, { passwordHash: 'old' }));
    return id;
  };

  const sessionsOf = async (id: UserId): Promise<unknown[]> =>
    (await parts.database.reader.query('sessions').where({ user_id: id })) as unknown[];

  const matched = (userId: UserId) => ({ userId, passwordHash: 'old' });

  const unfinished = async (id: UserId) => (await sessions.open('second_factor', matched(id), null))!.session;

  for (const [ending, end] of Object.entries(ENDINGS)) {
    for (const stage of ['signed_in', 'second_factor'] satisfies SessionStage[])
      it(`that are opened beside ${ending} do not outlive it: ${stage}`, async () => {
        const id = await addUser();
        await Promise.all([parts.work((all) => end(all, id)), sessions.open(stage, matched(id), null)]);
        expect(await sessionsOf(id)).toEqual([]);
        expect(await sessions.open(stage, matched(id), null)).toBeUndefined();
      });

    it(`that are finished beside ${ending} do not outlive it`, async () => {
      const id = await addUser();
      const begun = await unfinished(id);
      await Promise.all([parts.work((all) => end(all, id)), sessions.finish(begun)]);
      expect(await sessionsOf(id)).toEqual([]);
      expect(await sessions.finish(begun)).toBeUndefined();
    });
  }

  it('are opened by the password alone only while there is no second factor', async () => {
    const id = await addUser();
    await parts.work((all) => all.users.update(id, { twoFactor: TWO_FACTOR }));
    expect(await sessions.open('signed_in', matched(id), null)).toBeUndefined();
    expect(await sessions.open('second_factor', matched(id), null)).toBeDefined();
  });

  it('let no application in once they have ended', async () => {
    const id = await addUser();
    const { session } = (await sessions.open('signed_in', matched(id), null))!;
    const application = await parts.work(({ applications }) =>
      applications.add({
        uid: 'engine',
        name: 'Engine',
        redirectUris: ['https://a.example/cb'],
        scopes: ['read_user'],
        confidential: true,
        ownerId: id,
        selfRegistered: false,
        secretDigest: 'secret',
        createdAt: NOW,
      }),
    );
    const approve = (responseType: 'code' | 'token') =>
      authorize.approve(
        {
          application,
          redirectUri: 'https://a.example/cb',
          responseType,
          scopes: ['read_user'],
          state: undefined,
          codeChallenge: undefined,
          nonce: undefined,
          prompts: [],
          maxAge: undefined,
          idTokenHint: undefined,
        },
        { userId: id, sessionId: session.id, admin: false, provedAt: NOW, authenticatedAt: NOW },
      );
    const codes = async () =>
      (await parts.database.reader.query('oauth_authorization_codes').where({ user_id: id })) as unknown[];
    await approve('code');
    expect(await codes()).toHaveLength(1);
    await sessions.end(session);
    for (const responseType of ['code', 'token'] as const)
      await expect(approve(responseType)).rejects.toBeInstanceOf(Unauthenticated);
    expect(await codes()).toHaveLength(1);
    expect(await parts.database.reader.query('oauth_grants').where({ user_id: id })).toEqual([]);
  });

  it('are finished once, however many ask at once', async () => {
    const id = await addUser();
    const begun = await unfinished(id);
    const finished = await Promise.all([1, 2, 3].map(() => sessions.finish(begun)));
    expect(finished.filter((each) => each !== undefined)).toHaveLength(1);
    expect(await sessionsOf(id)).toHaveLength(1);
  });
});
