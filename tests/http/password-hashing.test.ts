import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OfferedPassword, PasswordHasher } from '../../src/application/identity/ports/password-hasher.js';
import { createArgon2PasswordHasher } from '../../src/adapters/outbound/security/argon2-password-hasher.js';
import { API_PREFIX } from '../../src/adapters/inbound/http/route.js';
import { OAUTH_TOKENS } from '../../src/infrastructure/composition/oauth.tokens.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeAnyDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { OAuthClient } from '../support/oauth-client.js';
import { mailedSecret } from '../support/queued-mails.js';
import { TestService, type TestUser } from '../support/test-service.js';

/** Every address that has a password hashed. */
const HASHING = [
  `POST ${API_PREFIX}/users`,
  `PUT ${API_PREFIX}/users/:id`,
  'POST /oauth/token',
  'POST /profile/account/password',
  // Those that ask for the password again; the same page does it for all of them.
  'POST /profile/emails',
  'POST /users/password/edit',
  'POST /users/sign_in',
];

class CountingHasher implements PasswordHasher {
  readonly sources: string[] = [];
  readonly #hasher = createArgon2PasswordHasher({ concurrency: 2, queue: 64 });

  hash(password: OfferedPassword): Promise<string> {
    this.sources.push(password.source);
    return this.#hasher.hash(password);
  }

  verify(stored: string | null, password: OfferedPassword): Promise<boolean> {
    this.sources.push(password.source);
    return this.#hasher.verify(stored, password);
  }
}

describeAnyDatabase('the hashing of passwords', (openTestDatabase) => {
  const LIMIT = 3;
  let hasher: CountingHasher;
  let service: TestService;
  let root: TestUser;
  let address = 0;

  beforeAll(async () => {
    hasher = new CountingHasher();
    const rateLimits = { api: 'off', alerts: 'off', signIn: LIMIT } as const;
    const url = await openTestDatabase();
    service = await TestService.start(url, { rateLimits, trustProxy: 'loopback' }, randomBytes(32), hasher);
    root = await service.addUser('root', { admin: true });
    await service.addUser('ada', { password: PASSWORD });
  });

  afterAll(() => service.close());

  /** A client address of its own, so that each attempt is counted alone. */
  const newAddress = () => `192.0.2.${(address += 1)}`;

  class BrowserAt extends FormBrowser {
    readonly from = newAddress();

    override send(path: string, init: RequestInit): Promise<Response> {
      const headers = new Headers(init.headers);
      headers.set('X-Forwarded-For', this.from);
      return super.send(path, { ...init, headers });
    }
  }

  /** What is asked of each of those addresses again and again, from one client address. */
  const asking = async (): Promise<ReadonlyMap<string, (from: BrowserAt) => Promise<number>>> => {
    const client = await OAuthClient.register(service);
    const api = (method: string, path: string, json: object) => async (from: BrowserAt) =>
      (await service.call(method, path, { token: root.token, json, headers: { 'X-Forwarded-For': from.from } })).status;
    const form = (page: string, action: string, values: Record<string, string>) => async (from: BrowserAt) =>
      (await from.submit(page, action, values)).status;
    const ada = await service.addUser(`ada${(address += 1)}`);
    let made = 0;
    return new Map([
      [
        HASHING[0]!,
        (from) => {
          const username = `made${ada.id}-${(made += 1)}`;
          const user = { username, name: 'Made', email: `${username}@example.com`, password: 'a-good-password' };
          return api('POST', '/users', user)(from);
        },
      ],
      [HASHING[1]!, api('PUT', `/users/${ada.id}`, { password: 'a-good-password' })],
      [
        HASHING[2]!,
        async (from) => {
          const { status } = await fetch(`${service.url}/oauth/token`, {
            method: 'POST',
            headers: { 'X-Forwarded-For': from.from },
            body: new URLSearchParams({
              grant_type: 'password',
              username: 'ada',
              password: 'x',
              ...client.credentials,
            }),
          });
          return status;
        },
      ],
      [HASHING[3]!, form('/profile/account', '/profile/account/password', { current_password: 'x', password: 'y' })],
      [HASHING[4]!, form('/profile/account', '/profile/emails', { current_password: 'x', email: 'a@b.example' })],
      [HASHING[6]!, form('/users/sign_in', '/users/sign_in', { login: 'nobody', password: 'x' })],
    ]);
  };

  it('is counted by the limit of sign-ins at every address, before anything is hashed', async () => {
    for (const [route, ask] of await asking()) {
      const visitor = await service.addUser(`visitor${(address += 1)}`, { password: PASSWORD });
      const browser = new BrowserAt(service.url);
      if (route.includes('/profile/')) {
        const entrance = new BrowserAt(service.url);
        await entrance.signIn(visitor.username);
        entrance.cookies.forEach((value, key) => browser.cookies.set(key, value));
      }
      const statuses: number[] = [];
      for (let time = 0; time < LIMIT; time += 1) statuses.push(await ask(browser));
      expect([route, statuses]).toEqual([route, expect.not.arrayContaining([429])]);
      const before = hasher.sources.length;
      expect([route, await ask(browser), hasher.sources.length - before]).toEqual([route, 429, 0]);
      expect([route, hasher.sources.slice(-1)]).toEqual([route, [browser.from]]);
    }
  });

  it('looks for the link of a mail first: one that is made up costs nothing, and is counted', async () => {
    const browser = new BrowserAt(service.url);
    const before = hasher.sources.length;
    const statuses: number[] = [];
    for (let time = 0; time <= LIMIT; time += 1) {
      const set = { reset_password_token: `made-up-${time}`, password: 'a-good-password' };
      statuses.push((await browser.submit('/users/sign_in', '/users/password/edit', set)).status);
    }
    expect([statuses, hasher.sources.length - before]).toEqual([[400, 400, 400, 429], 0]);
  });

  it('takes place once for a link that is good', async () => {
    const other = new BrowserAt(service.url);
    await other.submit('/users/password/new', '/users/password/new', { email: 'ada@example.com' });
    const link = (await mailedSecret(service, 'ada@example.com', 'reset_password')) ?? '';
    const before = hasher.sources.length;
    const browser = new BrowserAt(service.url);
    const set = { reset_password_token: link, password: PASSWORD };
    expect((await browser.submit('/users/sign_in', '/users/password/edit', set)).status).toBe(303);
    expect(hasher.sources.slice(before)).toEqual([browser.from]);
  });

  it('takes place nowhere else', async () => {
    const known = new Set(HASHING);
    const person = new BrowserAt(service.url);
    const values = {
      password: 'a-good-password',
      current_password: '',
      user: 'ada',
      username: 'x',
      email: 'x@y.example',
    };
    const before = hasher.sources.length;
    for (const route of service.service.container.get(TOKENS.routes)) {
      const name = `${route.method.toUpperCase()} ${API_PREFIX}${route.path}`;
      // The token that asks must outlive the test.
      if (known.has(name) || route.method === 'get' || route.path.endsWith('/self/rotate')) continue;
      const path = route.path.replace(/:\w+|\*\w+/g, '999999');
      await service.call(route.method.toUpperCase(), path, { token: root.token, json: values });
    }
    for (const { method, path } of service.service.container.get(OAUTH_TOKENS.oauthEndpoints)) {
      if (known.has(`${method.toUpperCase()} ${path}`) || method === 'get') continue;
      await fetch(service.url + path, { method: 'POST', body: new URLSearchParams(values) });
    }
    for (const path of ['/users/sign_in/verify', '/users/confirmation', '/users/password/new', '/users/sign_out'])
      await person.submit('/users/sign_in', path, values);
    expect(hasher.sources.slice(before)).toEqual([]);
  });

  describe('when too much is asked at once', () => {
    it('refuses the flood with 503 and Retry-After, and lets in who signs in from elsewhere', async () => {
      const slow = createArgon2PasswordHasher({ concurrency: 1, queue: 8 });
      const busy = await TestService.start(await openTestDatabase(), { trustProxy: 'loopback' }, randomBytes(32), slow);
      try {
        await busy.addUser('ada', { password: PASSWORD });
        const flooder = new BrowserAt(busy.url);
        const authenticity_token = await flooder.formToken('/users/sign_in');
        const flood = Array.from({ length: 60 }, () =>
          flooder.post('/users/sign_in', { login: 'nobody', password: 'x', authenticity_token }),
        );
        const honest = new BrowserAt(busy.url);
        expect((await honest.signIn('ada')).status).toBe(303);
        const answers = await Promise.all(flood);
        const refused = answers.filter(({ status }) => status === 503);
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 503]));
        expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(await refused[0]?.text()).toContain('Too much is asked for at once right now.');
      } finally {
        await busy.close();
      }
    });
  });

  it('says for whom: passwords are offered by the limit of sign-ins and by the operator alone', () => {
    const folder = fileURLToPath(new URL('../../src', import.meta.url));
    const making = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(
        (file) => file.endsWith('.ts') && readFileSync(`${folder}/${file}`, 'utf8').includes('new OfferedPassword('),
      )
      .map((file) => file.replaceAll('\\', '/'));
    expect(making.sort()).toEqual([
      'adapters/inbound/http/middleware/sign-in-limit.ts',
      'application/identity/requester.ts',
    ]);
  });
});
