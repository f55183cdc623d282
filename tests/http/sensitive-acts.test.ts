import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Router } from 'express';
import { Pages } from '../../src/adapters/inbound/http/pages/page.js';
import { SENSITIVE_FORMS } from '../../src/adapters/inbound/http/pages/declared-forms.js';
import { SENSITIVE_ACTS } from '../../src/domain/identity/sensitive-act.js';
import { IDENTITY_TOKENS } from '../../src/infrastructure/composition/identity.tokens.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { mailedSecret, queuedMails, toldAt } from '../support/queued-mails.js';
import { OAuthClient } from '../support/oauth-client.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { codeNow, turnOnTwoFactor } from '../support/two-factor.js';

const MINUTE = 60_000;
const ASKED = 'Confirm that it is you';

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
  readonly handle?: Partial<Router>;
}

/** Every path of a router that a form may be sent to. */
const forms = (layers: readonly Layer[]): string[] =>
  layers.flatMap(({ route, handle }) => [
    ...(route?.methods['post'] === true ? [route.path] : []),
    ...(handle?.stack === undefined ? [] : forms(handle.stack as unknown as Layer[])),
  ]);

describeEachDatabase('sensitive acts', (openTestDatabase) => {
  let service: TestService;
  let count = 0;
  let name: string;
  let user: TestUser;
  let browser: FormBrowser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
  });

  afterAll(() => service.close());

  beforeEach(async () => {
    name = `actor${(count += 1)}`;
    user = await service.addUser(name, { password: PASSWORD });
    browser = new FormBrowser(service.url);
    await browser.signIn(name);
  });

  const own = () => `${name}@example.com`;
  const send = async (path: string, values: Record<string, string>, who = browser) => {
    const response = await who.submit('/profile/account', path, values);
    return { status: response.status, location: response.headers.get('location'), html: await response.text() };
  };
  const addConfirmed = async (address: string): Promise<number> => {
    const { id } = await service.service.container.get(TOKENS.unitOfWork).execute(({ emails }) => {
      const at = service.clock.now();
      const email = { userId: user.id, address, primary: false, confirmedAt: at, recoverySince: null, createdAt: at };
      return emails.add(email);
    });
    return id;
  };
  const signInAgain = async (secret?: string) => {
    browser = new FormBrowser(service.url);
    await browser.signIn(name);
    if (secret === undefined) return;
    service.clock.advance(MINUTE);
    const code = codeNow(service, secret);
    expect((await browser.submit('/users/sign_in/verify', '/users/sign_in/verify', { code })).status).toBe(303);
  };
  /** What comes of a code at the second step of signing in. */
  const enter = async (code: string) => {
    const other = new FormBrowser(service.url);
    await other.signIn(name);
    return (await other.submit('/users/sign_in/verify', '/users/sign_in/verify', { code })).status;
  };
  const newSecret = () => service.service.container.get(IDENTITY_TOKENS.identity).twoFactor.newSecret();
  const hidden = (html: string, field: string) =>
    [...html.matchAll(new RegExp(`<input type="hidden" name="${field}" value="([^"]*)">`, 'g'))].map(
      ([, value]) => value,
    );
  const isOn = async () =>
    (await service.call<{ two_factor_enabled: boolean }>('GET', '/user', { token: user.token })).body
      .two_factor_enabled;

  describe('are declared', () => {
    it('in one table, which has every form of a profile and of administrators, and no other', () => {
      const router = service.service.container.get(TOKENS.pagesRouter);
      const there = forms(router.stack as unknown as Layer[]).filter(
        (path) => typeof path === 'string' && /^\/(?:profile|admin)/.test(path),
      );
      expect(there.sort()).toEqual(Object.keys(SENSITIVE_FORMS).sort());
    });

    it('or the service does not start', () => {
      const pages = new Pages(undefined as never, undefined as never, {} as never, undefined as never);
      const planted = () => pages.post('/profile/planted', 'signed_in', () => undefined);
      expect(planted).toThrow('/profile/planted is not declared ordinary');
      const disguised = () => pages.post('/profile/account/password', 'signed_in', () => undefined);
      expect(disguised).toThrow('/profile/account/password is not declared ordinary');
    });

    it('with words for the page that asks and for the mail', () => {
      for (const { asks, told } of Object.values(SENSITIVE_ACTS)) expect([asks, told]).not.toContain('');
    });

    it('and no use case of them runs without somebody who has proved who they are', () => {
      const folder = fileURLToPath(new URL('../../src', import.meta.url));
      const making = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter(
          (file) => file.endsWith('.ts') && readFileSync(`${folder}/${file}`, 'utf8').includes('new ProvedPerson('),
        )
        .map((file) => file.replaceAll('\\', '/'));
      expect(making).toEqual(['application/identity/prove-identity.ts']);
    });
  });

  it('are joined by consent for the first time to an application that changes things', async () => {
    const client = await OAuthClient.register(service);
    const step = async (scope: string) => {
      const { status, headers } = await browser.get(client.authorizePath({ scope }));
      return [status, headers.get('location')?.split('?')[0] ?? null];
    };
    const page = await (await browser.get(client.authorizePath({ scope: 'api' }))).text();
    const form = Object.fromEntries(
      [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(([, key = '', value = '']) => [
        key,
        value.replaceAll('&amp;', '&'),
      ]),
    );
    service.clock.advance(11 * 60_000);
    expect(await step('api')).toEqual([303, '/users/sign_in']);
    expect(await step('read_user')).toEqual([200, null]);
    const consent = await browser.post('/oauth/authorize', { ...form, decision: 'authorize' });
    expect(consent.headers.get('location')).toMatch(/^\/users\/sign_in\?reauthenticate=true/);
    const again = { login: name, password: PASSWORD, return_to: '/' };
    await browser.submit('/users/sign_in?reauthenticate=true', '/users/sign_in', again);
    await client.tokens(browser, 'api');
    service.clock.advance(11 * 60_000);
    expect(await step('api')).toEqual([200, null]);
  });

  describe('ask for the password again after ten minutes', () => {
    const acts = (): readonly [string, Record<string, string>][] => [
      ['/profile/emails', { email: `second@${name}.example` }],
      ['/profile/emails/1/primary', {}],
      ['/profile/emails/1/recovery', {}],
      ['/profile/emails/1/remove', {}],
      ['/profile/personal_access_tokens', { name: 'made', scopes: 'api' }],
      ['/profile/account/two_factor', { secret: newSecret(), code: '000000' }],
      ['/profile/account/recovery_codes', {}],
    ];

    it('and not before', async () => {
      service.clock.advance(10 * MINUTE);
      for (const [path, values] of acts()) expect([path, (await send(path, values)).html]).not.toContain(ASKED);
    });

    it('each of them, and those that matter most always', async () => {
      expect((await send('/profile/account/two_factor/disable', {})).html).toContain(ASKED);
      service.clock.advance(10 * MINUTE + 1);
      for (const [path, values] of acts()) {
        const { status, html } = await send(path, values);
        expect([path, status, html.includes(ASKED)]).toEqual([path, 200, true]);
      }
      expect(await toldAt(service, own())).toEqual([]);
    });

    it('and go on with what was typed', async () => {
      service.clock.advance(11 * MINUTE);
      const asked = await browser.submit('/profile/account', '/profile/personal_access_tokens', {
        name: 'nightly "build" <1>',
        expires_at: '2999-12-31',
        scopes: 'read_api',
        current_code: '1',
        token_password: 'not to be repeated',
      });
      const html = await asked.text();
      expect(hidden(html, 'name')).toEqual(['nightly &quot;build&quot; &lt;1&gt;']);
      expect([hidden(html, 'expires_at'), hidden(html, 'scopes')]).toEqual([['2999-12-31'], ['read_api']]);
      expect([hidden(html, 'current_code'), hidden(html, 'token_password')]).toEqual([[], []]);
      const again = { name: 'nightly', expires_at: '2999-12-31', scopes: 'read_api' };
      const wrong = await send('/profile/personal_access_tokens', { ...again, current_password: 'wrong' });
      expect([wrong.status, hidden(wrong.html, 'name')]).toEqual([401, ['nightly']]);
      expect(wrong.html).toContain('aria-describedby="current_password-problem"');
      const right = await send('/profile/personal_access_tokens', { ...again, current_password: PASSWORD });
      expect([right.status, right.location]).toEqual([303, '/profile/personal_access_tokens']);
      expect(await (await browser.get('/profile/personal_access_tokens')).text()).toContain('nightly');
      // The proof lasts for the next one.
      expect((await send('/profile/emails', { email: `second@${name}.example` })).status).toBe(303);
    });

    it('and for a code where the second factor is on, each of which works once', async () => {
      const secret = await turnOnTwoFactor(service, user.id);
      await signInAgain(secret);
      service.clock.advance(11 * MINUTE);
      const email = `second@${name}.example`;
      const code = codeNow(service, secret);
      const prove = (current_code: string, current_password = PASSWORD) =>
        send('/profile/emails', { email, current_password, current_code });
      expect((await send('/profile/emails', { email })).html).toContain('name="current_code"');
      expect((await prove('')).html).toContain('The code is wrong or was used already');
      expect((await prove(code, 'wrong')).html).toContain('The password is not right');
      expect((await prove(code)).status).toBe(303);
      service.clock.advance(10 * MINUTE + 1);
      const later = await send('/profile/emails', {
        email: `third@${name}.example`,
        current_password: PASSWORD,
        current_code: code,
      });
      expect(later.html).toContain('The code is wrong or was used already');
    });
  });

  it('lock the account after ten wrong answers, wherever they are given', async () => {
    service.clock.advance(11 * MINUTE);
    const email = `second@${name}.example`;
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect((await send('/profile/emails', { email, current_password: 'wrong' })).status).toBe(401);
      const change = { current_password: 'wrong', password: 'another-engine' };
      expect((await send('/profile/account/password', change)).html).toContain('The current password is not right');
    }
    const locked = await send('/profile/emails', { email, current_password: PASSWORD });
    expect([locked.status, locked.html.includes('locked for 10 minutes')]).toEqual([401, true]);
    expect((await new FormBrowser(service.url).signIn(name)).status).toBe(401);
    service.clock.advance(11 * MINUTE);
    expect((await send('/profile/emails', { email, current_password: PASSWORD })).status).toBe(303);
  });

  it('count wrong codes towards the lock', async () => {
    const secret = await turnOnTwoFactor(service, user.id);
    await signInAgain(secret);
    const replacement = { secret: newSecret(), code: '' };
    for (let attempt = 0; attempt < 10; attempt += 1) {
      replacement.code = codeNow(service, replacement.secret);
      const refused = await send('/profile/account/two_factor', { ...replacement, current_code: '000000' });
      expect([refused.status, refused.html.includes('id="current_code-problem"')]).toEqual([400, true]);
    }
    expect((await new FormBrowser(service.url).signIn(name)).status).toBe(401);
  });

  describe('of the second factor', () => {
    it('replace one that is on only with a code of it', async () => {
      const old = await turnOnTwoFactor(service, user.id);
      await signInAgain(old);
      const secret = newSecret();
      const stolen = await send('/profile/account/two_factor', { secret, code: codeNow(service, secret) });
      expect(stolen.status).toBe(400);
      service.clock.advance(MINUTE);
      const owned = await send('/profile/account/two_factor', {
        secret,
        code: codeNow(service, secret),
        current_code: codeNow(service, old),
      });
      expect([owned.status, owned.location]).toEqual([303, '/profile/account/recovery_codes']);
      service.clock.advance(MINUTE);
      expect((await new FormBrowser(service.url).signIn(name)).headers.get('location')).toBe('/users/sign_in/verify');
      await signInAgain(secret);
    });

    it('take the code of the page that asks for that of the form', async () => {
      const old = await turnOnTwoFactor(service, user.id);
      await signInAgain(old);
      service.clock.advance(11 * MINUTE);
      const secret = newSecret();
      const asked = await send('/profile/account/two_factor', { secret, code: codeNow(service, secret) });
      expect([asked.html.includes(ASKED), hidden(asked.html, 'secret')]).toEqual([true, [secret]]);
      const proof = { current_password: PASSWORD, current_code: codeNow(service, old) };
      const done = await send('/profile/account/two_factor', { secret, code: codeNow(service, secret), ...proof });
      expect(done.location).toBe('/profile/account/recovery_codes');
    });

    it('turn it off with the password and a code, however recent the proof', async () => {
      const secret = await turnOnTwoFactor(service, user.id);
      await signInAgain(secret);
      const off = (values: Record<string, string>) => send('/profile/account/two_factor/disable', values);
      expect((await off({ current_password: PASSWORD })).status).toBe(401);
      service.clock.advance(MINUTE);
      expect(await isOn()).toBe(true);
      const current_code = codeNow(service, secret);
      expect((await off({ current_password: PASSWORD, current_code })).location).toBe(
        '/profile/account?done=two-factor-off',
      );
      expect(await isOn()).toBe(false);
    });

    it('make new recovery codes, and the old ones end', async () => {
      const secret = await turnOnTwoFactor(service, user.id);
      await signInAgain(secret);
      const codesShown = async () => {
        expect((await send('/profile/account/recovery_codes', {})).status).toBe(303);
        const html = await (await browser.get('/profile/account/recovery_codes')).text();
        return [...html.matchAll(/<li><code>((?:[0-9a-hjkmnp-tv-z]{4}-){4}[0-9a-hjkmnp-tv-z]{4})<\/code>/g)].map(
          ([, code]) => code,
        );
      };
      const [first, second] = [await codesShown(), await codesShown()];
      expect([first.length, second.length]).toEqual([10, 10]);
      expect([await enter(first[0]!), await enter(second[0]!), await enter(second[0]!)]).toEqual([401, 303, 401]);
      const typed = second[1]!.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l');
      expect([await enter(typed), await enter(second[1]!)]).toEqual([303, 401]);
    });

    it('leave codes of an earlier release good until they are used or replaced', async () => {
      const secret = await turnOnTwoFactor(service, user.id);
      await signInAgain(secret);
      const digester = service.service.container.get(TOKENS.secretDigester);
      const older = ['0f1e2d3c4b5a', 'aaaabbbbcccc', '012345678901'];
      await service.service.container.get(TOKENS.unitOfWork).execute(async ({ users }) => {
        const { twoFactor } = (await users.take(user.id))!;
        const recoveryCodeDigests = older.map((code) => digester.digest(code));
        await users.update(user.id, { twoFactor: { ...twoFactor!, recoveryCodeDigests } });
      });
      expect([await enter('0f1e-2d3c-4b5a'), await enter('0f1e-2d3c-4b5a'), await enter('AAAABBBBCCCC')]).toEqual([
        303, 401, 303,
      ]);
      expect((await send('/profile/account/recovery_codes', {})).status).toBe(303);
      expect(await enter('0123-4567-8901')).toBe(401);
    });

    it.each(['', 'A', 'AAAA', 'a'.repeat(32), 'A'.repeat(31), '1'.repeat(32), 'A'.repeat(20_000)])(
      'refuse a key that no page made, and show another (%.8s)',
      async (secret) => {
        const { status, html } = await send('/profile/account/two_factor', { secret, code: '000000' });
        expect([status, html.includes('id="secret-problem"')]).toEqual([400, true]);
        expect(hidden(html, 'secret')[0]).toMatch(/^[A-Z2-7]{32}$/);
      },
    );
  });

  describe('are told', () => {
    it('to the primary address and on the page, with where and by what, and without a secret', async () => {
      const address = `second@${name}.example`;
      const id = await addConfirmed(address);
      await send('/profile/personal_access_tokens', { name: 'CI\r\nBcc: evil', scopes: 'api' });
      await send('/profile/personal_access_tokens', { name: 'CI', scopes: 'api' });
      await send(`/profile/emails/${id}/recovery`, {});
      const secret = newSecret();
      await send('/profile/account/two_factor', { secret, code: codeNow(service, secret) });
      await send(`/profile/emails/${id}/primary`, {});
      const first = (await toldAt(service, own())).filter((told) => !told.includes('Bcc'));
      expect(first).toEqual([
        'A personal access token was made: CI | in a browser, from 127.0.0.1',
        `An e-mail address was allowed for password resets: ${address} | in a browser, from 127.0.0.1`,
        'Two-factor authentication was turned on | in a browser, from 127.0.0.1',
        // The one that was the primary address until then.
        `The primary e-mail address was changed: ${address} | in a browser, from 127.0.0.1`,
      ]);
      service.clock.advance(MINUTE);
      const proof = { current_password: PASSWORD, current_code: codeNow(service, secret) };
      await send('/profile/account/two_factor/disable', proof);
      await send(`/profile/emails/${await idOf(own())}/remove`, {});
      expect(await toldAt(service, address)).toEqual([
        'Two-factor authentication was turned off | in a browser, from 127.0.0.1',
        `An e-mail address was removed: ${own()} | in a browser, from 127.0.0.1`,
      ]);
      const page = await (await browser.get('/profile/account')).text();
      const shown = [...page.matchAll(/<strong>([^<]*)<\/strong>\s*<small><time/g)].map(([, what]) => what);
      expect(shown.slice(0, 2)).toEqual([
        `An e-mail address was removed: ${own()}`,
        'Two-factor authentication was turned off',
      ]);
      const mails = JSON.stringify(await queuedMails(service));
      for (const word of [PASSWORD, secret, proof.current_code]) expect(mails).not.toContain(`"${word}"`);
    });

    it('of administrators and tokens, too', async () => {
      const chief = await service.addUser(`${name}-chief`, { admin: true, scopes: ['api', 'sudo'] });
      const token = { token: chief.token };
      await service.call('PUT', `/users/${user.id}`, { ...token, json: { password: 'another-engine' } });
      const made = { name: 'deploy', scopes: ['api'] };
      await service.call('POST', `/users/${user.id}/personal_access_tokens`, { ...token, json: made });
      await service.call('POST', '/user/emails', {
        ...token,
        headers: { Sudo: name },
        json: { email: `x@${name}.example` },
      });
      await service.call('PUT', `/users/${user.id}`, { ...token, json: { email: `new@${name}.example` } });
      const by = `by the administrator “${name}-chief”`;
      expect(await toldAt(service, own())).toEqual([
        `The password was changed | ${by}`,
        `A personal access token was made: deploy | ${by}`,
        `An e-mail address was added: x@${name}.example | ${by}`,
        `The primary e-mail address was changed: new@${name}.example | ${by}`,
      ]);
    });

    it('of mailed links, and of applications by their name', async () => {
      const access = await service.addOAuthToken(name, PASSWORD, 'api');
      const bearer = { headers: { Authorization: `Bearer ${access}` }, json: { email: `x@${name}.example` } };
      expect((await service.call('POST', '/user/emails', bearer)).status).toBe(201);
      await browser.submit('/users/password/new', '/users/password/new', { email: own() });
      const link = (await mailedSecret(service, own(), 'reset_password')) ?? '';
      const set = { reset_password_token: link, password: 'another-engine' };
      expect((await browser.submit('/users/password/new', '/users/password/edit', set)).status).toBe(303);
      expect(await toldAt(service, own())).toEqual([
        `An e-mail address was added: x@${name}.example | by the application “CLI”, from 127.0.0.1`,
        'The password was changed | by a mailed link, from 127.0.0.1',
      ]);
    });

    it('for a year', async () => {
      await send('/profile/personal_access_tokens', { name: 'old', scopes: 'api' });
      const rows = () => service.service.database.reader.query('security_events').where({ user_id: user.id });
      expect(await rows()).toHaveLength(1);
      service.clock.advance(366 * 24 * 60 * MINUTE);
      await service.service.container.get(TOKENS.cleanUp)();
      expect(await rows()).toHaveLength(0);
    });
  });

  const idOf = async (address: string): Promise<number> => {
    const row = (await service.service.database.reader.query('emails').where({ address }).first('id')) as {
      id: number;
    };
    return row.id;
  };

  describe('that make a token', () => {
    it.each(['31.12.2026', '2026-02-30', '2026-1-1', 'tomorrow', '9999999999', '2999-12-31T00:00'])(
      'refuse %s as a day, beside the field and at the command line',
      async (expires_at) => {
        const made = await send('/profile/personal_access_tokens', { name: 'endless', scopes: 'api', expires_at });
        expect([made.status, made.html.includes('id="expires_at-problem"')]).toEqual([400, true]);
        const { personalAccessTokens } = service.service.container.get(IDENTITY_TOKENS.identity);
        const command = { userId: user.id, name: 'x', scopes: ['api'], expiresAt: expires_at } as const;
        await expect(personalAccessTokens.create({ kind: 'operator' }, command)).rejects.toThrow('is not a date');
        const chief = await service.addUser(`${name}-chief`, { admin: true });
        const json = { name: 'x', scopes: ['api'], expires_at };
        const path = `/users/${user.id}/personal_access_tokens`;
        expect((await service.call('POST', path, { token: chief.token, json })).status).toBe(400);
      },
    );
  });
});
