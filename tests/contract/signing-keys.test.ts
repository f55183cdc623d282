import { createSign, createVerify, createPrivateKey, createPublicKey, type JsonWebKey } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OAUTH_TOKENS } from '../../src/infrastructure/composition/oauth.tokens.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { SIGNED_TOKEN_LIFETIME_SECONDS } from '../../src/domain/oauth/signing-key.js';
import { KnexSigningKeyReader } from '../../src/adapters/outbound/persistence/knex/oauth/knex-signing-key-repository.js';
import { describeEachDatabase } from '../support/databases.js';
import { TestService } from '../support/test-service.js';

describeEachDatabase('the keys that sign tokens', (openTestDatabase) => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
  });

  afterAll(() => service.close());

  const keys = () => service.service.container.get(OAUTH_TOKENS.oauth).signingKeys;
  const published = async () => (await keys().published()).map(({ kid }) => kid);

  it('are there before the first token is signed, one for however many ask at once', async () => {
    const fresh = await TestService.start(await openTestDatabase());
    const { signingKeys } = fresh.service.container.get(OAUTH_TOKENS.oauth);
    const answers = await Promise.all(Array.from({ length: 20 }, () => signingKeys.published()));
    const kids = answers.map((list) => list.map(({ kid }) => kid));
    expect(new Set(kids.flat()).size).toBe(1);
    expect([(await signingKeys.current()).key.kid]).toEqual(kids[0]);
    await fresh.close();
  });

  it('take turns: the one before verifies until its last token has expired', async () => {
    const first = await keys().rotate();
    service.clock.advance(60_000);
    const second = await keys().rotate();
    expect(await published()).toEqual([second, first]);
    service.clock.advance(SIGNED_TOKEN_LIFETIME_SECONDS * 1_000 - 1);
    expect(await published()).toEqual([second, first]);
    service.clock.advance(1);
    expect(await published()).toEqual([second]);
    const third = await keys().rotate();
    expect(await published()).toEqual([third, second]);
  });

  it('are kept sealed, and show their public half alone', async () => {
    await keys().rotate();
    const { container } = service.service;
    const [key] = await new KnexSigningKeyReader(container.get(TOKENS.database).reader).list();
    const sealed = key?.sealedPrivateJwk ?? '';
    expect(sealed).not.toContain('"d"');
    const privateJwk = JSON.parse(container.get(TOKENS.secretBox).open(sealed)) as JsonWebKey;
    expect(Object.keys(key?.publicJwk ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    const signature = createSign('RSA-SHA256')
      .update('token')
      .sign(createPrivateKey({ key: privateJwk, format: 'jwk' }));
    const publicKey = createPublicKey({ key: key?.publicJwk as JsonWebKey, format: 'jwk' });
    expect(createVerify('RSA-SHA256').update('token').verify(publicKey, signature)).toBe(true);
  });
});
