import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OPERATOR, operatorsPassword } from '../../src/application/identity/requester.js';
import { IDENTITY_TOKENS } from '../../src/infrastructure/composition/identity.tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { mailedSecret } from '../support/queued-mails.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { turnOnTwoFactor } from '../support/two-factor.js';

const NEW = 'another-engine';

describeEachDatabase('a new password', (openTestDatabase) => {
  let service: TestService;
  let root: TestUser;
  let count = 0;
  let name: string;
  let user: TestUser;
  let here: FormBrowser;
  let elsewhere: FormBrowser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    root = await service.addUser('root', { admin: true });
  });

  afterAll(() => service.close());

  beforeEach(async () => {
    name = `person${(count += 1)}`;
    user = await service.addUser(name, { password: PASSWORD });
    [here, elsewhere] = [new FormBrowser(service.url), new FormBrowser(service.url)];
    await here.signIn(name);
    await elsewhere.signIn(name);
  });

  const askForLink = async (): Promise<string> => {
    const email = `${name}@example.com`;
    await new FormBrowser(service.url).submit('/users/password/new', '/users/password/new', { email });
    return (await mailedSecret(service, email, 'reset_password')) ?? '';
  };
  const follow = async (reset_password_token: string, password = 'a-third-engine'): Promise<number> => {
    const set = { reset_password_token, password };
    return (await new FormBrowser(service.url).submit('/users/sign_in', '/users/password/edit', set)).status;
  };
  const isSignedIn = async (browser: FormBrowser) => (await browser.get('/profile/account')).status === 200;
  const change = (extra: Record<string, string> = {}) =>
    here.submit('/profile/account', '/profile/account/password', {
      current_password: PASSWORD,
      password: NEW,
      ...extra,
    });

  it('is set by a link that says when it ends; a dead one is told at once', async () => {
    const link = await askForLink();
    const open = async (token: string) => {
      const response = await new FormBrowser(service.url).get(`/users/password/edit?reset_password_token=${token}`);
      return { status: response.status, html: await response.text() };
    };
    const alive = await open(link);
    expect(alive.status).toBe(200);
    expect(alive.html).toMatch(/ends <time datetime="[^"]+"[^>]*>in (?:6|5) hours<\/time>/);
    expect(await follow(link, 'short')).toBe(400);
    expect(await follow(link)).toBe(303);
    for (const token of [link, 'made-up', '']) {
      const { status, html } = await open(token);
      expect([status, html.includes('name="password"')]).toEqual([400, false]);
      expect(html).toContain('That link has expired or was used already. Ask for a new one.');
    }
  });

  describe('ends every link for a new password, set', () => {
    const ways: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['by its owner', () => change()],
      [
        'by an administrator',
        () => service.call('PUT', `/users/${user.id}`, { token: root.token, json: { password: NEW } }),
      ],
      [
        'by the operator',
        () => {
          const { administerUsers } = service.service.container.get(IDENTITY_TOKENS.identity);
          return administerUsers.resetPassword(OPERATOR, user.id, operatorsPassword(NEW));
        },
      ],
    ];

    it.each(ways)('%s', async (_way, set) => {
      const link = await askForLink();
      await set();
      expect(await follow(link)).toBe(400);
      expect((await new FormBrowser(service.url).signIn(name, NEW)).status).toBe(303);
    });

    it('by another link, and by the same one twice', async () => {
      const link = await askForLink();
      const used = await Promise.all([follow(link), follow(link), follow(link)]);
      expect(used.sort()).toEqual([303, 400, 400]);
      expect(await follow(link)).toBe(400);
    });
  });

  it('ends every other session of its owner, unless they untick it', async () => {
    expect((await change({ other_sessions: 'end' })).headers.get('location')).toBe('/profile/account?done=password');
    expect([await isSignedIn(here), await isSignedIn(elsewhere)]).toEqual([true, false]);
  });

  it('leaves them where the box is not ticked, but whoever waits for the second factor', async () => {
    const answer = await change({ other_sessions: 'keep' });
    expect(answer.headers.get('location')).toBe('/profile/account?done=password-only');
    expect([await isSignedIn(here), await isSignedIn(elsewhere)]).toEqual([true, true]);
    await turnOnTwoFactor(service, user.id);
    const halfway = new FormBrowser(service.url);
    expect((await halfway.signIn(name, NEW)).headers.get('location')).toBe('/users/sign_in/verify');
    const { administerUsers } = service.service.container.get(IDENTITY_TOKENS.identity);
    await administerUsers.resetPassword(OPERATOR, user.id, operatorsPassword(PASSWORD));
    expect((await halfway.get('/users/sign_in/verify')).headers.get('location')).toBe('/users/sign_in');
  });

  it('makes those that stay prove who they are again', async () => {
    const there = new FormBrowser(service.url);
    await there.signIn(name);
    expect((await change({ other_sessions: 'keep' })).status).toBe(303);
    const page = '/profile/personal_access_tokens';
    const made = await there.submit(page, page, { name: 'late', scopes: 'api' });
    expect([made.status, (await made.text()).includes('current_password')]).toEqual([200, true]);
  });

  it('ends them where the form says nothing, as the box is ticked at first', async () => {
    expect(await (await here.get('/profile/account')).text()).toMatch(/name="other_sessions" value="end" checked/);
    await change();
    expect(await isSignedIn(elsewhere)).toBe(false);
  });

  it('of an administrator or a link ends all sessions and tokens', async () => {
    expect(await follow(await askForLink(), NEW)).toBe(303);
    expect([await isSignedIn(here), await isSignedIn(elsewhere)]).toEqual([false, false]);
    expect((await service.call('GET', '/user', { token: user.token })).status).toBe(401);
  });

  it('needs the current one, whenever it was proved', async () => {
    for (const [current_password, status] of [
      ['', 400],
      ['wrong', 401],
    ] as const) {
      const refused = await change({ current_password });
      expect([refused.status, (await refused.text()).includes('id="current_password-problem"')]).toEqual([
        status,
        true,
      ]);
    }
    expect((await change({ password: 'short' })).status).toBe(400);
    expect((await new FormBrowser(service.url).signIn(name)).status).toBe(303);
  });
});
