import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OAUTH_TOKENS } from '../../src/infrastructure/composition/oauth.tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { CALLBACK, decide, newProof, signedIn } from '../support/oauth-client.js';
import { TestService, type TestUser } from '../support/test-service.js';

interface Registered {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly error?: string;
  readonly error_description?: string;
}

const DAY = 86_400;
const METADATA = { redirect_uris: [CALLBACK], client_name: 'Loom', token_endpoint_auth_method: 'none' };

describeEachDatabase('applications that register themselves', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;

  const register = async (json: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${service.url}/oauth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(json),
    });
    const body = (await response.json()) as Registered;
    if (body.client_secret !== undefined) service.secrets.push(body.client_secret);
    return { status: response.status, headers: response.headers, body };
  };

  const metadata = async () =>
    (await (await fetch(`${service.url}/.well-known/oauth-authorization-server`)).json()) as Record<string, unknown>;

  const addressOf = (
    clientId: string,
    scope: string,
    challenge: string,
    beside: Readonly<Record<string, string>> = {},
  ): string =>
    `/oauth/authorize?${new URLSearchParams({
      ...{ client_id: clientId, redirect_uri: CALLBACK, response_type: 'code', scope },
      ...{ code_challenge: challenge, code_challenge_method: 'S256', ...beside },
    }).toString()}`;

  const redeem = async (clientId: string, code: string, verifier: string) => {
    service.secrets.push(code);
    const answer = await fetch(`${service.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        ...{ grant_type: 'authorization_code', code, redirect_uri: CALLBACK },
        ...{ client_id: clientId, code_verifier: verifier },
      }),
    });
    expect(answer.status).toBe(200);
    const token = (await answer.json()) as { access_token: string; refresh_token: string; scope: string };
    service.secrets.push(token.access_token, token.refresh_token);
    return token;
  };

  const start = async (oauthRegistration: 'off' | 'token' | 'open', signIn: 'off' | number = 'off') => {
    service = await TestService.start(await openTestDatabase(), {
      oauthRegistration,
      rateLimits: { api: 'off', alerts: 'off', signIn },
    });
    ada = await service.addUser('ada', { password: 'a-difference-engine' });
  };

  describe('unless told to', () => {
    beforeAll(() => start('off'));
    afterAll(() => service.close());

    it('are not taken, and nobody is led there', async () => {
      const headers = { 'Content-Type': 'application/json' };
      const sent = { method: 'POST', headers, body: JSON.stringify(METADATA) };
      expect((await fetch(`${service.url}/oauth/register`, sent)).status).toBe(404);
      expect(await metadata()).not.toHaveProperty('registration_endpoint');
    });
  });

  describe('with a token', () => {
    beforeAll(() => start('token'));
    afterAll(() => service.close());

    const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

    it('belong to whose personal access token it is, and can keep a secret unless they say otherwise', async () => {
      expect((await metadata())['registration_endpoint']).toBe(`${service.url}/oauth/register`);
      const { status, headers, body } = await register({ redirect_uris: [CALLBACK] }, bearer(ada.token));
      expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
      expect(body).toEqual({
        client_id: expect.any(String),
        client_id_issued_at: Math.floor(service.clock.now().getTime() / 1_000),
        client_secret: expect.any(String),
        client_secret_expires_at: 0,
        client_name: 'Application without a name',
        redirect_uris: [CALLBACK],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_basic',
        scope: 'read_user openid profile email',
      });
      const { applicationReader } = service.service.container.get(OAUTH_TOKENS.oauth);
      const { items } = await applicationReader.list({ page: 1, perPage: 20 });
      expect(items).toMatchObject([{ ownerId: ada.id, selfRegistered: false, confidential: true }]);
    });

    it('are refused without one, with one that is not good, and with one that may not do everything', async () => {
      const reads = await service.addToken(ada.id, ['read_api']);
      const answers = [
        await register(METADATA),
        await register(METADATA, bearer('wrong')),
        await register(METADATA, bearer(reads)),
      ];
      expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
        [401, 'invalid_token'],
        [401, 'invalid_token'],
        [403, 'insufficient_scope'],
      ]);
      expect(answers[0]!.headers.get('www-authenticate')).toContain('Bearer');
    });

    it('are a hundred of one person at most, however many come at once, and the page says so', async () => {
      const bob = await service.addUser('bob', { password: PASSWORD });
      const { applications, applicationReader } = service.service.container.get(OAUTH_TOKENS.oauth);
      const details = { name: 'Loom', redirectUris: CALLBACK, scopes: 'api', confidential: true };
      for (let number = 0; number < 98; number += 1) await applications.register(bob.id, details);

      const answers = await Promise.all(Array.from({ length: 6 }, () => register(METADATA, bearer(bob.token))));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
      const refused = answers.filter(({ status }) => status === 400).map(({ body }) => body);
      expect(refused).toHaveLength(4);
      for (const { error, error_description } of refused)
        expect([error, error_description]).toEqual([
          'invalid_client_metadata',
          'A person has at most 100 applications.',
        ]);

      const browser = await signedIn(service, 'bob');
      const page = await browser.submit('/profile/applications', '/profile/applications', {
        ...{ name: 'Loom', redirect_uri: CALLBACK, scopes: 'api' },
      });
      expect([page.status, await page.text()]).toEqual([400, expect.stringContaining('at most 100 applications')]);
      const { items } = await applicationReader.list({ page: 1, perPage: 200 }, bob.id);
      expect(items).toHaveLength(100);
    });

    it.each([
      [{}, 'invalid_redirect_uri'],
      [{ redirect_uris: [] }, 'invalid_redirect_uri'],
      [{ redirect_uris: CALLBACK }, 'invalid_redirect_uri'],
      [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
      [{ redirect_uris: [`${CALLBACK}#part`] }, 'invalid_redirect_uri'],
      [{ redirect_uris: [`${CALLBACK}\nhttps://evil.example/`] }, 'invalid_redirect_uri'],
      [{ redirect_uris: Array.from({ length: 51 }, (_, index) => `${CALLBACK}/${index}`) }, 'invalid_redirect_uri'],
      [{ ...METADATA, scope: 'sudo' }, 'invalid_client_metadata'],
      [{ ...METADATA, scope: ['api'] }, 'invalid_client_metadata'],
      [{ ...METADATA, client_name: 'x'.repeat(256) }, 'invalid_client_metadata'],
      [{ ...METADATA, client_name: '' }, 'invalid_client_metadata'],
      [{ ...METADATA, client_name: 'Loom\u202e' }, 'invalid_client_metadata'],
      [{ ...METADATA, client_name: '\u200b\u3164 ' }, 'invalid_client_metadata'],
      [{ ...METADATA, grant_types: ['password'] }, 'invalid_client_metadata'],
      [{ ...METADATA, response_types: ['token'] }, 'invalid_client_metadata'],
      [{ ...METADATA, token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
      [[METADATA], 'invalid_request'],
      ['text', 'invalid_request'],
      [{ ...METADATA, client_name: 'Loom\u0000' }, 'invalid_client_metadata'],
      [{ ...METADATA, client_name: 'Loom\ud800' }, 'invalid_client_metadata'],
      [{ redirect_uris: [`${CALLBACK}/\ud800`] }, 'invalid_client_metadata'],
    ])('say what is wrong with what they tell of themselves: %#', async (sent, error) => {
      const { status, body } = await register(sent, bearer(ada.token));
      expect([status, body.error]).toEqual([400, error]);
      expect(body.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
      expect(body.error_description).not.toContain('..');
    });
  });

  describe('without a token', () => {
    beforeAll(() => start('open'));
    afterAll(() => service.close());

    it('are let in by who agrees, who is told that nobody here knows them', async () => {
      const { status, body } = await register({ ...METADATA, scope: 'api openid' });
      expect(status).toBe(201);
      expect(body).not.toHaveProperty('client_secret');
      const { verifier, challenge } = newProof();
      const person = await signedIn(service, 'ada');
      const address = addressOf(body.client_id, 'api', challenge);
      expect(await (await person.get(address)).text()).toContain('This application registered itself');
      const code = (await decide(person, address)).searchParams.get('code') ?? '';
      expect((await redeem(body.client_id, code, verifier)).scope).toBe('api');
    });

    it('are no way from here to any address: only who let one in before is sent there unasked', async () => {
      const { body } = await register({ ...METADATA, client_name: 'Wheel', scope: 'openid' });
      const { verifier, challenge } = newProof();
      const silent = addressOf(body.client_id, 'openid', challenge, { prompt: 'none' });
      const wrong = addressOf(body.client_id, 'api', challenge);
      const person = await signedIn(service, 'ada');
      const sent = async (browser: FormBrowser, address: string) => {
        const answer = await browser.get(address);
        return [answer.status, answer.headers.get('location')?.startsWith(CALLBACK) ?? false];
      };
      const held = await person.get(silent);
      expect(await held.text()).toContain('Nobody here has looked at this application');
      const stranger = new FormBrowser(service.url);
      expect([held.status, await sent(stranger, silent), await sent(person, wrong)]).toEqual([
        ...[400, [400, false]],
        [400, false],
      ]);
      const known = addressOf(body.client_id, 'openid', challenge);
      expect((await decide(person, known, 'deny')).searchParams.get('error')).toBe('access_denied');
      const code = (await decide(person, known)).searchParams.get('code')!;
      const { access_token: token } = await redeem(body.client_id, code, verifier);
      expect(token).toEqual(expect.any(String));
      expect([await sent(person, silent), await sent(stranger, silent)]).toEqual([
        [303, true],
        [400, false],
      ]);
    });

    it('get codes, as they were told, and neither tokens from the page nor passwords', async () => {
      const { body } = await register({ ...METADATA, scope: 'api', token_endpoint_auth_method: 'client_secret_post' });
      const person = await signedIn(service, 'ada');
      const address = addressOf(body.client_id, 'api', newProof().challenge, { response_type: 'token' });
      const page = await person.get(address);
      expect([page.status, page.headers.get('location')]).toEqual([400, null]);
      expect(await page.text()).toContain('not authorized to perform this request using this method');
      const answer = await fetch(`${service.url}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          ...{ grant_type: 'password', username: 'ada', password: 'a-difference-engine' },
          ...{ client_id: body.client_id, client_secret: body.client_secret! },
        }),
      });
      expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'unauthorized_client' }]);
    });

    it('are gone after a week in which nobody let them in, and only then', async () => {
      const { applications, applicationReader } = service.service.container.get(OAUTH_TOKENS.oauth);
      const kept = (await register(METADATA)).body.client_id;
      service.clock.advance(7 * DAY * 1_000 + 1_000);
      const young = (await register(METADATA)).body.client_id;
      await applications.register(null, {
        ...{ name: 'Of an administrator', redirectUris: CALLBACK, scopes: 'api', confidential: false },
      });
      await applications.removeUnused();
      const { items } = await applicationReader.list({ page: 1, perPage: 20 });
      expect(items.map(({ uid }) => uid)).toEqual(expect.arrayContaining([young]));
      expect(items.map(({ uid }) => uid)).not.toContain(kept);
      expect(items.map(({ name }) => name).sort()).toEqual(['Loom', 'Loom', 'Of an administrator', 'Wheel']);
    });

    it('are no more than a thousand that nobody uses, however many come at once', async () => {
      const { schema } = service.service.database;
      const at = service.service.database.reader.dialect.writeInstant(service.clock.now());
      const waiting = Array.from({ length: 997 }, (_, index) => ({
        ...{ uid: `waiting-${index}`, secret_digest: `none-${index}`, name: 'Waits', redirect_uris: CALLBACK },
        ...{
          scopes: 'api',
          confidential: false,
          owner_id: null,
          self_registered: true,
          created_at: at,
          updated_at: at,
        },
      }));
      for (let from = 0; from < waiting.length; from += 50)
        await schema('oauth_applications').insert(waiting.slice(from, from + 50));
      const answers = await Promise.all(Array.from({ length: 8 }, () => register(METADATA)));
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([201, 201, 503, 503, 503, 503, 503, 503]);
      expect(answers.find(({ status }) => status === 503)!.headers.get('retry-after')).toBe('3600');
    });

    it('keep others out for an hour at most, however many nobody uses', async () => {
      service.clock.advance(3_599_000);
      expect((await register(METADATA)).status).toBe(503);
      service.clock.advance(2_000);
      expect((await register({ ...METADATA, client_name: 'Spindle' })).status).toBe(201);
      const { items } = await service.service.container
        .get(OAUTH_TOKENS.oauth)
        .applicationReader.list({ page: 1, perPage: 20 });
      expect(items.map(({ name }) => name).sort()).toEqual(['Loom', 'Of an administrator', 'Spindle', 'Wheel']);
    });
  });

  describe('of one address', () => {
    beforeAll(() => start('open', 3));
    afterAll(() => service.close());

    it('are as many a minute as sign-ins may be', async () => {
      const statuses: number[] = [];
      for (let times = 0; times < 4; times += 1) statuses.push((await register(METADATA)).status);
      expect(statuses).toEqual([201, 201, 201, 429]);
    });
  });
});
