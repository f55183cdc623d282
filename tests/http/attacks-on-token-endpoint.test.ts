import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { createArgon2PasswordHasher } from '../../src/adapters/outbound/security/argon2-password-hasher.js';
import { AttackTable } from '../support/attack-table.js';
import { describeEachDatabase } from '../support/databases.js';
import { PASSWORD, type FormBrowser } from '../support/form-browser.js';
import { CALLBACK, newProof, OAuthClient, signedIn, type TokenAnswer } from '../support/oauth-client.js';
import { turnOnTwoFactor } from '../support/two-factor.js';
import { TestService } from '../support/test-service.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

describeEachDatabase('attacks on the token endpoint', (openTestDatabase) => {
  const table = new AttackTable('B');
  let service: TestService;
  let person: FormBrowser;
  let client: OAuthClient;
  let other: OAuthClient;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    await service.addUser('ada', { password: PASSWORD });
    person = await signedIn(service, 'ada');
    client = await OAuthClient.register(service);
    other = await OAuthClient.register(service);
  });

  afterAll(() => service.close());

  const outcome = ({ status, body }: TokenAnswer) => [status, body.error];
  const reads = async (token: string) =>
    (await service.call('GET', '/user', { headers: { Authorization: `Bearer ${token}` } })).status;
  const INVALID_GRANT = [400, 'invalid_grant'];

  table.attack('B1', 'a code used twice is refused, and what it had bought is revoked', async () => {
    const code = await client.code(person);
    const { body } = await client.redeem(code);
    expect(await reads(body.access_token)).toBe(200);
    expect(outcome(await client.redeem(code))).toEqual(INVALID_GRANT);
    expect(await reads(body.access_token)).toBe(401);
    expect(outcome(await client.refresh(body.refresh_token))).toEqual(INVALID_GRANT);

    const contested = await client.code(person);
    const answers = await Promise.all(Array.from({ length: 50 }, () => client.redeem(contested)));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(new Set(answers.map((answer) => outcome(answer).join()))).toEqual(new Set(['200,', '400,invalid_grant']));
    expect(await reads(won[0]?.body.access_token ?? '')).toBe(401);
    return 'one success of 50 at once; its tokens are revoked';
  });

  table.attack('B2', 'a code is good for ten minutes', async () => {
    const [early, late] = [await client.code(person), await client.code(person)];
    service.clock.advance(10 * MINUTE - 1);
    expect((await client.redeem(early)).status).toBe(200);
    service.clock.advance(1);
    expect(outcome(await client.redeem(late))).toEqual(INVALID_GRANT);
    return 'invalid_grant after 600 s';
  });

  table.attack('B3', 'a code of one client is nothing to another', async () => {
    const code = await client.code(person);
    expect(outcome(await other.redeem(code))).toEqual(INVALID_GRANT);
    expect((await client.redeem(code)).status).toBe(200);
    return 'invalid_grant, and the code still serves its own client';
  });

  table.attack('B4', 'the redirect URI is the one of the authorization request', async () => {
    for (const redirect_uri of ['https://app.example/other', `${CALLBACK}/`]) {
      expect(outcome(await client.redeem(await client.code(person), { redirect_uri }))).toEqual(INVALID_GRANT);
    }
    expect(outcome(await client.redeem(await client.code(person), { redirect_uri: '' }))).toEqual([
      400,
      'invalid_request',
    ]);
    return 'invalid_grant';
  });

  const challenged = (challenge: string) =>
    client.code(person, { code_challenge: challenge, code_challenge_method: 'S256' });

  table.attack('B5', 'a challenge without its verifier buys nothing, nor a verifier without a challenge', async () => {
    const { verifier, challenge } = newProof();
    expect(outcome(await client.redeem(await challenged(challenge)))).toEqual([400, 'invalid_request']);
    expect(outcome(await client.redeem(await challenged(challenge), { code_verifier: newProof().verifier }))).toEqual(
      INVALID_GRANT,
    );
    expect(outcome(await client.redeem(await client.code(person), { code_verifier: verifier }))).toEqual(INVALID_GRANT);
    expect((await client.redeem(await challenged(challenge), { code_verifier: verifier })).status).toBe(200);
    return 'invalid_request, invalid_grant';
  });

  table.attack('B7', 'S256 is the one method', async () => {
    const { challenge } = newProof();
    for (const method of ['plain', 'S256\n', 's256', '', undefined, 'none']) {
      const page = await person.get(client.authorizePath({ code_challenge: challenge, code_challenge_method: method }));
      const location = new URL(page.headers.get('location') ?? '');
      expect([method, location.searchParams.get('error')]).toEqual([method, 'invalid_request']);
    }
    const short = await person.get(client.authorizePath({ code_challenge: 'short', code_challenge_method: 'S256' }));
    expect(short.headers.get('location')).toContain('error=invalid_request');
    return 'invalid_request by redirect';
  });

  table.attack('B8', 'a verifier has 43 to 128 characters of the unreserved set', async () => {
    for (const verifier of [
      'a'.repeat(42),
      'a'.repeat(129),
      `${'a'.repeat(42)}+`,
      `${'a'.repeat(42)}é`,
      `${'a'.repeat(43)}\n`,
    ]) {
      const code = await challenged(newProof(verifier).challenge);
      expect([verifier, ...outcome(await client.redeem(code, { code_verifier: verifier }))]).toEqual([
        verifier,
        ...INVALID_GRANT,
      ]);
    }
    for (const verifier of ['a'.repeat(43), `${'a'.repeat(124)}-._~`]) {
      const code = await challenged(newProof(verifier).challenge);
      expect((await client.redeem(code, { code_verifier: verifier })).status).toBe(200);
    }
    return 'invalid_grant for 42, 129 and other characters; 43 and 128 pass';
  });

  table.attack('B10', 'a replaced refresh token that comes back after the grace ends the family', async () => {
    const first = await client.tokens(person);
    const { body: second } = await client.refresh(first.refresh_token);
    service.clock.advance(30 * SECOND + 1);
    expect(await reads(second.access_token)).toBe(200);
    expect(outcome(await client.refresh(first.refresh_token))).toEqual(INVALID_GRANT);
    expect(await reads(second.access_token)).toBe(401);
    expect(outcome(await client.refresh(second.refresh_token))).toEqual(INVALID_GRANT);
    const audit = service.logger.lines.filter(({ message }) => message.startsWith('a refresh token was used again'));
    expect(audit.at(-1)).toMatchObject({ level: 'warn', fields: { reason: 'past_grace', application: client.id } });
    const metrics = await (await fetch(`${service.url}/-/metrics`)).text();
    expect(metrics).toMatch(/gatehouse_token_reuses_total\{kind="refresh_token"\} [1-9]/);
    expect(metrics).toMatch(/gatehouse_refresh_refusals_total\{reason="past_grace"\} [1-9]/);
    expect(await (await person.get('/profile/applications')).text()).toContain('lost its access');
    return 'family revoked, logged, counted, and its owner is told';
  });

  table.attack('B11', 'a race for a new token signs nobody out', async () => {
    const first = await client.tokens(person);
    const racing = await Promise.all([1, 2, 3, 4].map(() => client.refresh(first.refresh_token)));
    expect(racing.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await reads(first.access_token)).toBe(401);
    for (const { body } of racing) {
      expect(await reads(body.access_token)).toBe(200);
      expect((await client.refresh(body.refresh_token)).status).toBe(200);
    }
    return 'four at once: four fresh pairs that live on; the old access token is dead';
  });

  table.attack('B12', 'the grace is for three repeats by the same client', async () => {
    const busy = await client.tokens(person);
    const tries: number[] = [];
    for (let use = 0; use < 5; use += 1) tries.push((await client.refresh(busy.refresh_token)).status);
    expect(tries).toEqual([200, 200, 200, 200, 400]);

    const stolen = await client.tokens(person);
    expect(outcome(await other.refresh(stolen.refresh_token))).toEqual(INVALID_GRANT);
    const { body: next } = await client.refresh(stolen.refresh_token);
    expect(outcome(await other.refresh(stolen.refresh_token))).toEqual(INVALID_GRANT);
    expect(await reads(next.access_token)).toBe(401);

    const dpop = await client.post(
      '/oauth/token',
      { ...client.credentials, grant_type: 'refresh_token', refresh_token: 'x' },
      { DPoP: 'proof' },
    );
    expect(outcome(dpop)).toEqual(INVALID_GRANT);
    return 'fourth repeat, and a repeat by another client: family revoked. DPoP: not offered, token_type is bearer';
  });

  table.attack('B14', 'header and body name one client', async () => {
    const code = await client.code(person);
    const fields = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK };
    expect(outcome(await client.post('/oauth/token', { ...fields, client_id: other.id }, client.basic))).toEqual([
      400,
      'invalid_request',
    ]);
    expect((await client.post('/oauth/token', { ...fields, client_id: client.id }, client.basic)).status).toBe(200);
    return 'invalid_request';
  });

  table.attack('B15', 'a client authenticates in one way', async () => {
    const fields = { grant_type: 'authorization_code', code: await client.code(person), redirect_uri: CALLBACK };
    expect(outcome(await client.post('/oauth/token', { ...fields, ...client.credentials }, client.basic))).toEqual([
      400,
      'invalid_request',
    ]);
    return 'invalid_request';
  });

  table.attack('B16', 'a secret does not stand in an address', async () => {
    const { client_id, client_secret } = client.credentials;
    const code = await client.code(person);
    const path = `/oauth/token?client_secret=${client_secret}`;
    const answer = await client.post(path, {
      client_id: client_id ?? '',
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
    });
    expect(outcome(answer)).toEqual([400, 'invalid_request']);
    expect(JSON.stringify(service.logger.lines)).not.toContain(client_secret);
    return 'invalid_request, and not in the log';
  });

  const byPassword = (username: string, password: string, target = client) =>
    target.token({ grant_type: 'password', username, password, scope: 'read_user' });

  table.attack('B18', 'guessing passwords locks the account and is limited by address', async () => {
    const limited = await TestService.start(await openTestDatabase(), {
      rateLimits: { api: 'off', alerts: 'off', signIn: 20 },
    });
    try {
      await limited.addUser('grace', { password: PASSWORD });
      const guesser = await OAuthClient.register(limited);
      const unknown = await byPassword('nobody', 'wrong', guesser);
      const tries: TokenAnswer[] = [];
      for (let count = 0; count < 10; count += 1) tries.push(await byPassword('grace', 'wrong', guesser));
      expect(tries.map(({ body }) => body)).toEqual(Array(10).fill(unknown.body));
      expect(outcome(await byPassword('grace', PASSWORD, guesser))).toEqual(INVALID_GRANT);
      const many = await Promise.all(
        Array.from({ length: 20 }, (_, index) => byPassword(`user${index}`, 'wrong', guesser)),
      );
      const limitedAnswers = many.filter(({ status }) => status === 429);
      expect(limitedAnswers).toHaveLength(12);
      expect(Number(limitedAnswers[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
      limited.clock.advance(10 * MINUTE);
    } finally {
      await limited.close();
    }
    return 'locked after 10; 429 with Retry-After for the address; one text whoever it is, no delay';
  });

  table.attack('B19', 'a password alone does not open an account with two-factor', async () => {
    const grace = await service.addUser('grace', { password: PASSWORD });
    await turnOnTwoFactor(service, grace.id);
    const refused = await byPassword('grace', PASSWORD);
    expect(outcome(refused)).toEqual(INVALID_GRANT);
    expect(refused.body.error_description).toContain('personal access token');
    expect((await byPassword('grace', 'wrong')).body.error_description).not.toContain('personal access token');
    return 'invalid_grant with a hint at personal access tokens, for the right password only';
  });

  table.attack('B20', 'a password is bounded, and one letter is one letter', async () => {
    const huge = await byPassword('ada', 'x'.repeat(1_048_576));
    expect(huge.status).toBe(413);
    expect(outcome(await byPassword('ada', 'x'.repeat(60_000)))).toEqual(INVALID_GRANT);
    expect(outcome(await byPassword('ada', 'a\u0000b'))).toEqual([400, 'invalid_request']);
    await service.addUser('zoe', { password: 'Zo\u00EB-of-Byron' });
    expect((await byPassword('zoe', 'Zoe\u0308-of-Byron')).status).toBe(200);
    return '413, invalid_grant unhashed, 400 for NUL; composed and decomposed letters are the same';
  });

  table.attack('B21', 'a flood of sign-ins does not hold up anybody else', async () => {
    // So slow that a queue of four is full whatever the machine.
    const hasher = createArgon2PasswordHasher({ concurrency: 1, queue: 4 });
    const slow = await TestService.start(await openTestDatabase(), {}, randomBytes(32), hasher);
    await slow.addUser('ada', { password: PASSWORD });
    const flooding = await OAuthClient.register(slow);
    const reads = async (token: string) =>
      (await slow.call('GET', '/user', { headers: { Authorization: `Bearer ${token}` } })).status;
    const flood = Array.from({ length: 400 }, () => byPassword('ada', 'wrong-password', flooding));
    const bystanders = await Promise.all(Array.from({ length: 20 }, () => reads('no-token')));
    expect(new Set(bystanders)).toEqual(new Set([401]));
    const answers = await Promise.all(flood);
    await slow.close();
    const refused = answers.filter(({ status }) => status === 503);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400, 503]));
    expect(refused[0]?.body.error).toBe('temporarily_unavailable');
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    return `${refused.length} of 400 refused with 503 and Retry-After; others answered meanwhile`;
  });

  table.attack('B22', 'proofs of identity by signed assertion are not offered', async () => {
    const assertion = {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: 'a.b.c',
    };
    const answer = await client.post('/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: 'x',
      client_id: client.id,
      ...assertion,
    });
    expect(outcome(answer)).toEqual([401, 'invalid_client']);
    const metadata = (await (await fetch(`${service.url}/.well-known/oauth-authorization-server`)).json()) as Record<
      string,
      unknown
    >;
    expect(metadata['token_endpoint_auth_methods_supported']).toEqual([
      'client_secret_basic',
      'client_secret_post',
      'none',
    ]);
    expect(metadata).not.toHaveProperty('dpop_signing_alg_values_supported');
    return 'not offered: invalid_client, and absent from the metadata';
  });

  table.attack('B23', 'no answer is kept by a cache', async () => {
    const { access_token } = await client.tokens(person);
    const answers = [
      await client.redeem('x'),
      await client.redeem(await client.code(person)),
      await client.post('/oauth/introspect', { ...client.credentials, token: 'x' }),
      await client.post('/oauth/revoke', { ...client.credentials, token: 'x' }),
      await fetch(`${service.url}/oauth/token/info?access_token=${access_token}`),
      await fetch(`${service.url}/oauth/userinfo`),
      await person.get(client.authorizePath()),
      await person.get('/profile/applications'),
    ];
    expect(answers.map(({ headers }) => headers.get('cache-control'))).toEqual(answers.map(() => 'no-store'));
    return 'Cache-Control: no-store on every answer, refusals too';
  });

  table.attack('B24', 'a request that is not one gets a named error', async () => {
    const send = async (body: string | Buffer, type: string | undefined) => {
      const response = await fetch(`${service.url}/oauth/token`, {
        method: 'POST',
        headers: type === undefined ? {} : { 'Content-Type': type },
        body: typeof body === 'string' ? body : new Uint8Array(body),
      });
      return [response.status, ((await response.json()) as { error?: string }).error];
    };
    const form = 'application/x-www-form-urlencoded';
    expect(await send('grant_type=Authorization_Code', form)).toEqual([400, 'unsupported_grant_type']);
    expect(await send('grant_type=client_credentials', form)).toEqual([400, 'unsupported_grant_type']);
    expect(await send('grant_type=constructor', form)).toEqual([400, 'unsupported_grant_type']);
    expect(await send('grant_type[]=password', form)).toEqual([400, 'invalid_request']);
    expect(await send('grant_type=password&grant_type=password', form)).toEqual([400, 'invalid_request']);
    expect(await send('', form)).toEqual([400, 'invalid_request']);
    expect(await send('[]', 'application/json')).toEqual([400, 'invalid_request']);
    expect(await send('{"grant_type":{"a":1}}', 'application/json')).toEqual([400, 'invalid_request']);
    expect((await send('{', 'application/json'))[0]).toBe(400);
    expect((await send('x', 'text/plain'))[0]).toBe(415);
    expect((await send('--x--', 'multipart/form-data; boundary=x'))[0]).toBe(415);
    expect((await send(randomBytes(10_485_760), form))[0]).toBe(413);
    return '400, 413, 415, never 500';
  });

  table.complete();
});
