import { randomBytes } from 'node:crypto';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { Installation, type RunningProgram } from '../support/installation.js';

const ROOT_PASSWORD = 'correct horse battery staple';

/** A browser that keeps cookies and fills forms in, and remembers every secret that it was handed. */
class SecretKeepingBrowser {
  readonly secrets = new Set<string>();
  readonly #cookies = new Map<string, string>();
  #formToken = '';

  constructor(private readonly url: string) {}

  async open(path: string): Promise<string> {
    return this.#ask(path, { method: 'GET' });
  }

  async submit(path: string, fields: Record<string, string>): Promise<string> {
    const body = new URLSearchParams({ ...fields, authenticity_token: this.#formToken });
    return this.#ask(path, { method: 'POST', body });
  }

  async #ask(path: string, init: RequestInit): Promise<string> {
    const cookie = [...this.#cookies].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(`${this.url}${path}`, { ...init, headers: { cookie }, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      this.#cookies.set(name, value);
      if (value !== '') this.secrets.add(decodeURIComponent(value));
    }
    const location = response.headers.get('location');
    if (location !== null) return this.open(new URL(location, this.url).pathname);
    const html = await response.text();
    const token = /name="authenticity_token" value="([^"]+)"/.exec(html)?.[1];
    if (token !== undefined) this.secrets.add((this.#formToken = token));
    return html;
  }
}

describeEachDatabase('the log of a whole run', (openTestDatabase) => {
  const secretKey = randomBytes(32).toString('base64');
  const secrets = new Set<string>([ROOT_PASSWORD, secretKey]);
  let installation: Installation;
  let service: RunningProgram;
  let url: string;

  const keep = (secret: string): string => {
    secrets.add(secret);
    return secret;
  };
  const api = async (method: string, path: string, headers: Record<string, string> = {}, fields?: object) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...(fields === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(fields === undefined ? {} : { body: JSON.stringify(fields) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  beforeAll(async () => {
    installation = new Installation({
      DATABASE_URL: await openTestDatabase(),
      SECRET_KEY: secretKey,
      ROOT_PASSWORD,
      LOG_LEVEL: 'debug',
    });
    service = installation.start(['serve']);
    url = await service.address();
  });

  afterAll(() => installation.remove());

  it('is written while tokens are made and presented in every way there is', async () => {
    const created = await installation.run(['token', 'create', '--user', 'root', '--scopes', 'api,sudo']);
    const token = keep(created.stdout.trim());
    const wrong = keep(`wrong-${randomBytes(16).toString('hex')}`);
    for (const [value, status] of [[token, 200] as const, [wrong, 401] as const]) {
      const parameters = ['private_token', 'access_token', 'bearer_token'].map((name) =>
        api('GET', `/api/v4/user?${name}=${value}`),
      );
      const headers = [{ 'PRIVATE-TOKEN': value }, { Authorization: `Bearer ${value}` }].map((header) =>
        api('GET', '/api/v4/user', header),
      );
      for (const answer of await Promise.all([...parameters, ...headers])) expect(answer.status).toBe(status);
    }
    const asRoot = { 'PRIVATE-TOKEN': token };
    await api('GET', `/api/v4/projects/${wrong}?private_token=${token}`);
    for (const path of [`/${token}`, `/groups/${token}`, `/a/${wrong}`, `/-/${token}`]) await fetch(`${url}${path}`);
    await api('POST', '/api/v4/projects', asRoot, { name: { [wrong]: token } });
    const user = await api('POST', '/api/v4/users', asRoot, {
      username: 'ada',
      name: 'Ada',
      email: 'ada@example.com',
      password: keep('the password of ada'),
      skip_confirmation: true,
    });
    expect(user.status).toBe(201);
    const application = await api('POST', '/api/v4/applications', asRoot, {
      name: 'one',
      redirect_uri: 'http://localhost/callback',
      scopes: 'api',
    });
    expect(application.status).toBe(201);
    keep(String(application.body['secret']));
    const personal = await api('POST', `/api/v4/users/${String(user.body['id'])}/personal_access_tokens`, asRoot, {
      name: 'one',
      scopes: ['api'],
    });
    expect(personal.status).toBe(201);
    keep(String(personal.body['token']));
    const { body: project } = await api('POST', '/api/v4/projects', asRoot, { name: 'engine' });
    const tracker = keep('the-token-of-a-tracker');
    const tracking = `/api/v4/projects/${String(project['id'])}/error_tracking/settings`;
    const tracked = await api('PUT', `${tracking}?token=${tracker}`, asRoot, { api_url: 'https://errors.example/' });
    expect(tracked.status).toBe(200);
    expect((await api('PUT', tracking, asRoot, { token: `${tracker} ${tracker}` })).status).toBe(400);
    const broken = `{"password": "${keep('a password in broken JSON')}`;
    await fetch(`${url}/api/v4/users`, {
      method: 'POST',
      body: broken,
      headers: { 'Content-Type': 'application/json' },
    });
  });

  it('is written while somebody signs in with a second factor', async () => {
    const browser = new SecretKeepingBrowser(url);
    await browser.open('/users/sign_in');
    await browser.submit('/users/sign_in', { login: 'ada', password: keep('not the password of ada') });
    await browser.submit('/users/sign_in', { login: 'ada', password: 'the password of ada' });
    const enrolment = await browser.open('/profile/account/two_factor');
    const secret = keep(/name="secret" value="([^"]+)"/.exec(enrolment)?.[1] ?? '');
    const code = generateSync({ secret });
    const shown = await browser.submit('/profile/account/two_factor', { secret, code });
    const recoveryCodes = shown.match(/(?:[0-9a-z]{4}-){4}[0-9a-z]{4}/g) ?? [];
    expect(recoveryCodes).toHaveLength(10);
    recoveryCodes.forEach(keep);
    await browser.submit('/users/sign_out', {});
    await browser.open('/users/sign_in');
    await browser.submit('/users/sign_in', { login: 'ada', password: 'the password of ada' });
    await browser.submit('/users/sign_in/verify', { code });
    await browser.submit('/users/sign_in/verify', { code: recoveryCodes[0] ?? '' });
    expect(await browser.open('/profile/account')).toContain('@ada');
    await browser.submit('/users/password/new', { email: 'ada@example.com' });
    await browser.open(`/users/password/edit?reset_password_token=${keep('a-made-up-link-of-a-mail')}`);
    browser.secrets.forEach(keep);
  });

  it('is written while the operator helps, and the service stops', async () => {
    keep((await installation.run(['user', 'reset-password', '--username', 'ada'])).stdout.trim());
    await installation.run(['user', 'disable-two-factor', '--username', 'ada']);
    await installation.run(['keys', 'rotate']);
    await installation.run(
      ['user', 'create', '--username', 'ada', '--email', 'x', '--password-stdin'],
      {},
      ROOT_PASSWORD,
    );
    service.signal('SIGTERM');
    expect((await service.outcome()).code).toBe(0);
  });

  it('holds every request and none of the secrets', () => {
    const log = service.stdout + service.stderr + installation.outcomes.map(({ stderr }) => stderr).join('');
    expect(log.match(/"message":"request"/g)?.length).toBeGreaterThan(25);
    expect(log).toMatch(/"route":"\/api\/v4\/user","status":401/);
    expect(secrets.size).toBeGreaterThan(20);
    expect([...secrets].filter((secret) => secret === '' || log.includes(secret))).toEqual([]);
    // In the form in which an address would carry it, too.
    expect([...secrets].filter((secret) => log.includes(encodeURIComponent(secret)))).toEqual([]);
  });
});
