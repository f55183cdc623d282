import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { OPERATOR, operatorsPassword } from '../../src/application/identity/requester.js';
import { IDENTITY_TOKENS } from '../../src/infrastructure/composition/identity.tokens.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { AttackTable } from '../support/attack-table.js';
import { describeEachDatabase } from '../support/databases.js';
import { PASSWORD, type FormBrowser } from '../support/form-browser.js';
import { OAuthClient, signedIn, type TokenAnswer } from '../support/oauth-client.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { provedPerson } from '../support/two-factor.js';

const HOUR = 3_600_000;

describeEachDatabase('attacks on tokens in use', (openTestDatabase) => {
  const table = new AttackTable('C');
  const secretKey = randomBytes(32);
  let url: string;
  let service: TestService;
  let root: TestUser;
  let ada: TestUser;
  let person: FormBrowser;
  let client: OAuthClient;

  beforeAll(async () => {
    url = await openTestDatabase();
    service = await TestService.start(url, {}, secretKey);
    root = await service.addUser('root', { admin: true, scopes: ['api', 'sudo'] });
    ada = await service.addUser('ada', { password: PASSWORD });
    person = await signedIn(service, 'ada');
    client = await OAuthClient.register(service);
  });

  afterAll(() => service.close());

  const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
  const reads = async (token: string, at = service) => (await at.call('GET', '/user', bearer(token))).status;
  const outcome = ({ status, body }: TokenAnswer) => [status, body.error];
  const info = async (token: string) => {
    const response = await fetch(`${service.url}/oauth/token/info`, bearer(token));
    return {
      status: response.status,
      body: (await response.json()) as Record<string, unknown>,
      headers: response.headers,
    };
  };

  table.attack('C2', 'a token that may read people writes nothing', async () => {
    const { access_token } = await client.tokens(person);
    const changing = service.service.container.get(TOKENS.routes).filter(({ method }) => method !== 'get');
    // What it may end is itself.
    const routes = changing.filter(({ scopes }) => scopes !== 'any');
    expect(changing.filter((route) => !routes.includes(route)).map(({ operationId }) => operationId)).toEqual([
      'revokeOwnPersonalAccessToken',
    ]);
    expect(routes.length).toBeGreaterThan(15);
    for (const { method, path } of routes) {
      const { status, body } = await service.call(
        method.toUpperCase(),
        path.replace(/:\w+/g, '1'),
        bearer(access_token),
      );
      expect([method, path, status, (body as { error?: string }).error]).toEqual([
        method,
        path,
        403,
        'insufficient_scope',
      ]);
    }
    return `403 insufficient_scope on all ${routes.length} routes that change something`;
  });

  table.attack('C3', 'a token tells which application it was given to', async () => {
    const other = await OAuthClient.register(service);
    const [mine, foreign] = [await client.tokens(person), await other.tokens(person)];
    expect((await info(mine.access_token)).body['application']).toEqual({ uid: client.id });
    expect((await info(foreign.access_token)).body['application']).toEqual({ uid: other.id });
    return 'application.uid of token info; docs/oauth.md shows the check';
  });

  table.attack('C4', 'a token that ended is refused everywhere at once', async () => {
    const [revoked, expired] = [await client.tokens(person), await client.tokens(person)];
    expect(await reads(revoked.access_token)).toBe(200);
    expect((await client.post('/oauth/revoke', { ...client.credentials, token: revoked.access_token })).status).toBe(
      200,
    );
    expect(await reads(revoked.access_token)).toBe(401);
    expect(outcome(await client.refresh(revoked.refresh_token))).toEqual([400, 'invalid_grant']);
    service.clock.advance(2 * HOUR - 1);
    expect(await reads(expired.access_token)).toBe(200);
    service.clock.advance(1);
    expect(await reads(expired.access_token)).toBe(401);
    // Another process on the same database, as after a restart or beside this one.
    const again = await TestService.start(url, {}, secretKey);
    try {
      again.clock.advance(2 * HOUR);
      for (const { access_token } of [revoked, expired]) expect(await reads(access_token, again)).toBe(401);
    } finally {
      await again.close();
    }
    return '401 in the same millisecond, and from a process started afterwards';
  });

  table.attack('C5', 'nobody revokes a token of somebody else', async () => {
    const { access_token, refresh_token } = await client.tokens(person);
    const foreign = [await OAuthClient.register(service, { confidential: false }), await OAuthClient.register(service)];
    for (const token of [access_token, refresh_token]) {
      for (const other of foreign) {
        expect(outcome(await other.post('/oauth/revoke', { ...other.credentials, token }))).toEqual([
          403,
          'unauthorized_client',
        ]);
      }
      expect(outcome(await client.post('/oauth/revoke', { token }))).toEqual([401, 'invalid_client']);
      expect(outcome(await client.post('/oauth/revoke', { token, client_id: client.id }))).toEqual([
        401,
        'invalid_client',
      ]);
      expect(outcome(await client.post('/oauth/revoke', { token, client_id: client.id, client_secret: 'x' }))).toEqual([
        401,
        'invalid_client',
      ]);
    }
    expect(await reads(access_token)).toBe(200);
    expect((await client.post('/oauth/revoke', { ...client.credentials, token: 'unknown' })).status).toBe(200);
    return '403 unauthorized_client for others, 401 without the secret; the token lives';
  });

  table.attack('C6', 'a public client revokes its own token', async () => {
    const mobile = await OAuthClient.register(service, { confidential: false });
    const byAccess = await mobile.tokens(person);
    expect((await mobile.post('/oauth/revoke', { client_id: mobile.id, token: byAccess.access_token })).status).toBe(
      200,
    );
    const byRefresh = await mobile.tokens(person);
    expect((await mobile.post('/oauth/revoke', { client_id: mobile.id, token: byRefresh.refresh_token })).status).toBe(
      200,
    );
    for (const tokens of [byAccess, byRefresh]) {
      expect(await reads(tokens.access_token)).toBe(401);
      expect(outcome(await mobile.refresh(tokens.refresh_token))).toEqual([400, 'invalid_grant']);
    }
    return 'either of the pair ends both';
  });

  table.attack('C7', 'a client learns of its own tokens alone', async () => {
    const { access_token, refresh_token } = await client.tokens(person);
    const foreign = await OAuthClient.register(service);
    const mobile = await OAuthClient.register(service, { confidential: false });
    const ask = (who: OAuthClient, fields: Record<string, string>) => who.post('/oauth/introspect', fields);
    for (const token of [access_token, refresh_token]) {
      expect((await ask(client, { ...client.credentials, token })).body).toMatchObject({
        active: true,
        client_id: client.id,
        scope: 'read_user',
      });
      expect((await ask(foreign, { ...foreign.credentials, token })).body).toEqual({ active: false });
      expect(outcome(await ask(mobile, { client_id: mobile.id, token }))).toEqual([401, 'invalid_client']);
      expect(outcome(await ask(client, { token }))).toEqual([401, 'invalid_client']);
    }
    expect((await ask(client, { ...client.credentials, token: ada.token })).body).toEqual({ active: false });
    return '401 invalid_client without credentials, active: false to others';
  });

  table.attack('C9', 'a token in an address is written down nowhere', async () => {
    const { access_token } = await client.tokens(person);
    const wrong = randomBytes(32).toString('base64url');
    const paths = [
      '/api/v4/user',
      '/api/v4/nothing',
      '/api/v4/projects/9',
      '/oauth/token/info',
      '/nobody',
      '/oauth/authorize',
    ];
    const answers: string[] = [];
    for (const token of [access_token, wrong]) {
      for (const path of paths) {
        const response = await fetch(`${service.url}${path}?access_token=${token}`);
        answers.push(await response.text(), JSON.stringify([...response.headers]));
      }
      const list = await fetch(`${service.url}/api/v4/users?per_page=1&access_token=${token}`);
      answers.push(JSON.stringify([...list.headers]));
    }
    const written =
      answers.join() + JSON.stringify(service.logger.lines) + (await (await fetch(`${service.url}/-/metrics`)).text());
    for (const secret of [access_token, wrong]) expect(written).not.toContain(secret);
    return 'not in the log, metrics, headers (Link too) or error pages';
  });

  table.attack('C10', 'a stolen database opens nothing', async () => {
    await client.tokens(person);
    const rows = await everyRow(service);
    expect(rows).toContain(client.id);
    expect(service.secrets.length).toBeGreaterThan(20);
    for (const secret of [...service.secrets, PASSWORD, ...person.cookies.values()]) expect(rows).not.toContain(secret);
    return `${service.secrets.length} tokens, codes, secrets and a password: none is in any row`;
  });

  table.attack('C11', 'access ends with the account', async () => {
    const { account, administerUsers } = service.service.container.get(IDENTITY_TOKENS.identity);
    const enter = async (username: string) => {
      const user = await service.addUser(username, { password: PASSWORD });
      const browser = await signedIn(service, username);
      const tokens = await client.tokens(browser);
      return { user, browser, tokens, code: await client.code(browser) };
    };
    const introspected = async (token: string) =>
      (await client.post('/oauth/introspect', { ...client.credentials, token })).body['active'];
    const seen = async ({ user, browser, tokens, code }: Awaited<ReturnType<typeof enter>>) => ({
      known: await introspected(tokens.refresh_token),
      code: (await client.redeem(code)).status,
      session: (await browser.get('/profile/account')).status,
      oauth: await reads(tokens.access_token),
      refresh: (await client.refresh(tokens.refresh_token)).status,
      personal: (await service.call('GET', '/user', { token: user.token })).status,
      info: (await info(tokens.access_token)).status,
    });

    const blocked = await enter('blocked');
    await administerUsers.block(OPERATOR, blocked.user.id);
    expect(await seen(blocked)).toEqual({
      known: false,
      code: 400,
      session: 303,
      oauth: 403,
      refresh: 400,
      personal: 403,
      info: 401,
    });

    const removed = await enter('removed');
    await administerUsers.remove(OPERATOR, removed.user.id);
    expect(await seen(removed)).toEqual({
      known: false,
      code: 400,
      session: 303,
      oauth: 401,
      refresh: 400,
      personal: 401,
      info: 401,
    });

    const reset = await enter('reset');
    await administerUsers.resetPassword(OPERATOR, reset.user.id, operatorsPassword('another-password'));
    expect(await seen(reset)).toEqual({
      known: false,
      code: 400,
      session: 303,
      oauth: 401,
      refresh: 400,
      personal: 401,
      info: 401,
    });

    const changed = await enter('changed');
    await account.changePassword(await provedPerson(service, changed.user.id), operatorsPassword('another-password'), {
      keepOtherSessions: false,
    });
    expect(await seen(changed)).toEqual({
      known: false,
      code: 400,
      session: 303,
      oauth: 401,
      refresh: 400,
      personal: 200,
      info: 401,
    });
    return 'blocked, removed, password reset: everything; password changed by its owner: all but his personal access tokens';
  });

  table.attack('C12', 'what an application was given ends with it', async () => {
    const doomed = await OAuthClient.register(service);
    const { access_token, refresh_token } = await doomed.tokens(person);
    const code = await doomed.code(person);
    expect((await service.call('DELETE', `/applications/${doomed.application.id}`, { token: root.token })).status).toBe(
      204,
    );
    expect(await reads(access_token)).toBe(401);
    expect(outcome(await doomed.refresh(refresh_token))).toEqual([401, 'invalid_client']);
    expect(outcome(await doomed.redeem(code))).toEqual([401, 'invalid_client']);
    return 'tokens and codes die';
  });

  table.attack('C14', 'a request carries one token', async () => {
    const { access_token: token } = await client.tokens(person);
    const both = await service.call('GET', `/user?access_token=${token}`, bearer(token));
    expect([both.status, (both.body as { error: string }).error]).toEqual([400, 'invalid_request']);
    expect((await service.call('GET', `/user?bearer_token=${ada.token}`, bearer(token))).status).toBe(400);
    expect((await service.call('GET', '/user', { token: ada.token, ...bearer(token) })).status).toBe(400);
    const twice = await fetch(`${service.url}/oauth/token/info?access_token=${token}`, bearer(token));
    expect(await twice.json()).toEqual({
      error: 'invalid_request',
      error_description: 'Both Authorization header and payload includes access token.',
    });
    expect(twice.status).toBe(400);
    return '400 invalid_request';
  });

  table.attack('C15', 'a header that is no token is a wrong token', async () => {
    const headers = [
      'Bearer',
      'Bearer ',
      'Bearer a b',
      `Bearer ${'x'.repeat(8_000)}`,
      'Bearer \u00E9',
      'bearer =',
      'Bearer null',
    ];
    for (const Authorization of headers) {
      expect([Authorization, (await service.call('GET', '/user', { headers: { Authorization } })).status]).toEqual([
        Authorization,
        401,
      ]);
      const response = await fetch(`${service.url}/oauth/token/info`, { headers: { Authorization } });
      expect([Authorization, response.status]).toEqual([Authorization, 401]);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer /);
    }
    expect((await info(ada.token)).status).toBe(401);
    return '401; looked up by digest, so time tells nothing';
  });

  table.complete();
});

/** Every row of every table, as text. */
const everyRow = async (service: TestService): Promise<string> => {
  const { schema } = service.service.container.get(TOKENS.database);
  const lists = "select name from sqlite_master where type = 'table'";
  const onServer = "select tablename as name from pg_tables where schemaname = 'public'";
  const isServer = (schema.client as { dialect: string }).dialect === 'postgresql';
  const answer: unknown = await schema.raw(isServer ? onServer : lists);
  const tables = (isServer ? (answer as { rows: unknown }).rows : answer) as { name: string }[];
  const rows = await Promise.all(tables.map(({ name }) => schema(name).select('*') as Promise<unknown[]>));
  return JSON.stringify(rows);
};
