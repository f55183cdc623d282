import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { mailedSecret, toldAt } from '../support/queued-mails.js';
import { TestService, type TestUser } from '../support/test-service.js';

interface EmailBody {
  readonly id: number;
  readonly confirmed_at: string | null;
}

describeEachDatabase('recovery addresses', (openTestDatabase) => {
  let service: TestService;
  let root: TestUser;
  let count = 0;
  let name: string;
  let user: TestUser;
  let browser: FormBrowser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    root = await service.addUser('root', { admin: true, scopes: ['api', 'sudo'], password: PASSWORD });
  });

  afterAll(() => service.close());

  beforeEach(async () => {
    name = `person${(count += 1)}`;
    user = await service.addUser(name, { password: PASSWORD });
    browser = new FormBrowser(service.url);
    await browser.signIn(name);
  });

  const own = () => `${name}@example.com`;
  const other = (word = 'second') => `${word}@${name}.example`;
  const addByToken = (email: string, token = user.token) =>
    service.call<EmailBody>('POST', '/user/emails', { token, json: { email } });
  const addInBrowser = (email: string, proof: Record<string, string> = {}) =>
    browser.submit('/profile/emails', '/profile/emails', { email, ...proof });
  const confirm = async (email: string): Promise<void> => {
    const confirmation_token = (await mailedSecret(service, email, 'confirm_email')) ?? '';
    const stranger = new FormBrowser(service.url);
    const answer = await stranger.submit('/users/sign_in', '/users/confirmation', { confirmation_token });
    expect([email, answer.status]).toEqual([email, 200]);
  };
  const idOf = async (email: string): Promise<number> => {
    const row = (await service.service.database.reader.query('emails').where({ address: email }).first('id')) as {
      id: number;
    };
    return row.id;
  };
  /** Whether a forgotten password sends a link to an address. */
  const resets = async (email: string): Promise<boolean> => {
    const stranger = new FormBrowser(service.url);
    // An account gets one link in five minutes.
    service.clock.advance(300_001);
    const answer = await stranger.submit('/users/password/new', '/users/password/new', { email });
    expect(answer.status).toBe(200);
    return (await mailedSecret(service, email, 'reset_password')) !== undefined;
  };

  it('is the address of the account at creation', async () => {
    expect(await resets(own())).toBe(true);
    expect(await resets('nobody@example.com')).toBe(false);
  });

  it('is one that was added in a session with the password, once it is confirmed', async () => {
    expect((await addInBrowser(other())).status).toBe(303);
    expect(await resets(other())).toBe(false);
    await confirm(other());
    expect(await resets(other())).toBe(true);
  });

  it('is none that was added by a token, though confirmed, until its owner allows it with the password', async () => {
    expect((await addByToken(other())).status).toBe(201);
    await confirm(other());
    const { body } = await service.call<EmailBody[]>('GET', '/user/emails', { token: user.token });
    expect(body.map(({ confirmed_at }) => confirmed_at !== null)).toEqual([true]);
    expect(await resets(other())).toBe(false);
    const page = await (await browser.get('/profile/emails')).text();
    expect(page).toContain('It gets notifications, and no link to set a new password');
    const allowed = await browser.submit('/profile/emails', `/profile/emails/${await idOf(other())}/recovery`, {});
    expect(allowed.status).toBe(303);
    expect(await resets(other())).toBe(true);
  });

  it('is none that was added before the password changed and confirmed after it', async () => {
    expect((await addInBrowser(other())).status).toBe(303);
    const changed = { current_password: PASSWORD, password: `${PASSWORD}-2` };
    expect((await browser.submit('/profile/account', '/profile/account/password', changed)).status).toBe(303);
    await confirm(other());
    expect(await resets(other())).toBe(false);
    expect(await resets(own())).toBe(true);
  });

  it('is none that is not confirmed, not even by its owner', async () => {
    await addByToken(other());
    const id = await idOf(other());
    expect((await browser.submit('/profile/emails', `/profile/emails/${id}/recovery`, {})).status).toBe(400);
    expect(await resets(other())).toBe(false);
  });

  it('is none that a session added without the password: the API refuses it', async () => {
    const token = await browser.formToken('/profile/account');
    const path = `/api/v4/user/emails?email=${encodeURIComponent(other())}`;
    expect((await browser.send(path, { method: 'POST', headers: { 'X-CSRF-Token': token } })).status).toBe(403);
    const { body } = await service.call<EmailBody[]>('GET', '/user/emails', { token: user.token });
    expect(JSON.stringify(body)).not.toContain(other());
  });

  it('is none that a number beyond every id names', async () => {
    for (const id of ['99999999999999999999', '1e300', '9007199254740993', '-1', 'x'])
      for (const act of ['primary', 'recovery', 'remove'])
        expect([id, act, (await browser.submit('/profile/emails', `/profile/emails/${id}/${act}`, {})).status]).toEqual(
          [id, act, 404],
        );
    const revoke = '/profile/personal_access_tokens/99999999999999999999/revoke';
    expect((await browser.submit('/profile/personal_access_tokens', revoke, {})).status).toBe(404);
  });

  it('is no address of somebody else', async () => {
    const stranger = await service.addUser(`${name}-stranger`, { password: PASSWORD });
    await addByToken(other(), stranger.token);
    await confirm(other());
    const id = await idOf(other());
    for (const act of ['recovery', 'primary', 'remove'])
      expect((await browser.submit('/profile/emails', `/profile/emails/${id}/${act}`, {})).status).toBe(404);
  });

  it('is the one that an administrator sets, and the old one stays', async () => {
    const set = await service.call('PUT', `/users/${user.id}`, { token: root.token, json: { email: other() } });
    expect(set.status).toBe(200);
    expect([await resets(other()), await resets(own())]).toEqual([true, true]);
  });

  it('lets nobody sign in while it is not confirmed', async () => {
    await addByToken(other());
    expect((await new FormBrowser(service.url).signIn(other())).status).toBe(401);
    await confirm(other());
    expect((await new FormBrowser(service.url).signIn(other())).status).toBe(303);
  });

  it('tells the primary address which one was added, when and by what', async () => {
    await addByToken(other());
    await addInBrowser(other('third'));
    expect(await toldAt(service, own())).toEqual([
      `An e-mail address was added: ${other()} | by the personal access token “test”, from 127.0.0.1`,
      `An e-mail address was added: ${other('third')} | in a browser, from 127.0.0.1`,
    ]);
  });

  describe('no token changes how its own person signs in', () => {
    it.each(['password', 'email'] as const)('not its %s, though it is an administrator’s', async (field) => {
      const json = { [field]: field === 'email' ? other() : 'another-engine' };
      const chief = await service.addUser(`${name}-chief`, { admin: true, scopes: ['api', 'sudo'] });
      for (const [token, sudo, id] of [
        [chief.token, undefined, chief.id],
        // Nor by way of another administrator, in whose name it acts.
        [chief.token, 'root', chief.id],
      ] as const) {
        const headers = sudo === undefined ? {} : { Sudo: sudo };
        const { status, body } = await service.call('PUT', `/users/${id}`, { token, json, headers });
        expect(status).toBe(403);
        expect(JSON.stringify(body)).toContain('on the page of your');
      }
      expect((await service.call('PUT', `/users/${user.id}`, { token: chief.token, json })).status).toBe(200);
    });

    it('nor does a session at the API, which has proved nothing', async () => {
      const chief = new FormBrowser(service.url);
      await chief.signIn('root');
      const token = await chief.formToken('/profile/account');
      const send = async (method: string, path: string, json: object) => {
        const headers = { 'X-CSRF-Token': token, 'Content-Type': 'application/json' };
        return (await chief.send(`/api/v4${path}`, { method, headers, body: JSON.stringify(json) })).status;
      };
      expect(await send('PUT', `/users/${user.id}`, { password: 'another-engine' })).toBe(403);
      expect(await send('PUT', `/users/${user.id}`, { email: other() })).toBe(403);
      const made = { name: 'x', scopes: ['api'] };
      expect(await send('POST', `/users/${user.id}/personal_access_tokens`, made)).toBe(403);
      expect(await send('PUT', `/users/${user.id}`, { admin: true })).toBe(403);
      const person = { username: 'made', name: 'Made', email: 'made@example.com', force_random_password: true };
      expect(await send('POST', '/users', person)).toBe(403);
      expect(await send('PUT', `/users/${user.id}`, { name: 'Not that either' })).toBe(403);
    });
  });
});
