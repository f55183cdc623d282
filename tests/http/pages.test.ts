import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeAnyDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { turnOnTwoFactor } from '../support/two-factor.js';

const MINUTE = 60_000;

describeAnyDatabase('the pages', (openTestDatabase) => {
  let service: TestService;
  let root: TestUser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    root = await service.addUser('root', { admin: true });
    await service.addUser('ada', { password: PASSWORD });
  });

  afterAll(() => service.close());

  const browser = () => new FormBrowser(service.url);
  const isSignedIn = async (one: FormBrowser) => (await one.get('/profile/account')).status === 200;

  it('answer a form with 303, to the local page asked for and nowhere else', async () => {
    const targets: [string, string][] = [
      ['/explore/groups', '/explore/groups'],
      ['//evil.example', '/'],
      ['/\\evil.example', '/'],
      ['https://evil.example/', '/'],
      ['javascript:alert(1)', '/'],
      ['/\tevil', '/'],
    ];
    for (const [asked, given] of targets) {
      const response = await browser().signIn('ada', PASSWORD, asked);
      expect([asked, response.status, response.headers.get('location')]).toEqual([asked, 303, given]);
    }
  });

  it('lead a stranger who signs in back to the page that they were on, from its header and from one that is not there', async () => {
    const signIn = async (page: string) => [
      ...new Set(
        [...(await (await browser().get(page)).text()).matchAll(/href="(\/users\/sign_in[^"]*)"/g)].map(([, to]) => to),
      ),
    ];
    for (const page of ['/explore/groups?page=2&search=a%26b', '/ada/none/-/issues?x=%2F%2Fevil'])
      expect(await signIn(page)).toEqual([`/users/sign_in?${new URLSearchParams({ return_to: page }).toString()}`]);
    // Nothing of a token, and no page about signing in.
    expect(await signIn('/explore/groups?private_token=abc')).toEqual(['/users/sign_in?return_to=%2Fexplore%2Fgroups']);
    for (const page of ['/', '/users/sign_in?return_to=%2Fada', '/users/password/new'])
      expect(await signIn(page)).toEqual(['/users/sign_in']);
  });

  it('let no name that turns its letters around turn the words after it', async () => {
    const name = 'Eve \u202egnp.exe';
    const eve = await service.addUser('turning');
    await service.call('PUT', `/users/${eve.id}`, { token: root.token, json: { name } });
    const call = (path: string, json: object) => service.call<{ id: number }>('POST', path, { token: eve.token, json });
    const { id } = (await call('/projects', { name: 'Turned', visibility: 'public' })).body;
    await call(`/projects/${id}/issues`, { title: `Open \u202e it` });
    const changes = { title: 'Opened', assignee_ids: [eve.id] };
    await service.call('PUT', `/projects/${id}/issues/1`, { token: eve.token, json: changes });
    const list = await (await browser().get('/turning/turned/-/issues')).text();
    for (const words of ['by', 'assigned to']) expect(list).toContain(`${words} <bdi>${name}</bdi>`);
    expect(await (await browser().get('/turning')).text()).toContain('<title>Eve gnp.exe · Gatehouse</title>');
    expect(await (await browser().get('/turning/turned/-/issues/1')).text()).toContain(
      'changed the title from “Open  it”',
    );
    const style = /href="(\/assets\/[^"]+gatehouse.css)"/.exec(list)?.[1] ?? '';
    expect(await (await browser().get(style)).text()).toMatch(/\na,\nbdi,[^}]*unicode-bidi: isolate/);
  });

  it('refuse a form that was not made for this browser', async () => {
    const victim = browser();
    const stranger = browser();
    await victim.signIn('ada');
    for (const token of ['', 'made-up', await stranger.formToken('/users/sign_in')]) {
      const response = await victim.post('/profile/emails', { email: 'evil@example.com', authenticity_token: token });
      expect(response.status).toBe(403);
    }
    expect((await browser().post('/users/sign_in', { login: 'ada', password: PASSWORD })).status).toBe(403);
  });

  it('give no cookie to a form of another site, which would take the place of the one that it came without', async () => {
    for (const path of ['/users/sign_in', '/users/sign_out', '/nobody', '/oauth/authorize']) {
      const { headers } = await browser().post(path, { login: 'ada' });
      expect(headers.getSetCookie()).toEqual([]);
    }
  });

  it('change the secret of the session at sign-in, so that nobody who planted one is let in', async () => {
    const victim = browser();
    await victim.get('/users/sign_in');
    const planted = victim.cookies.get('gatehouse_session');
    await victim.signIn('ada');
    expect(victim.cookies.get('gatehouse_session')).not.toBe(planted);
    const attacker = browser();
    attacker.cookies.set('gatehouse_session', planted ?? '');
    expect(await isSignedIn(attacker)).toBe(false);
    expect(await isSignedIn(victim)).toBe(true);
  });

  it('carry strict headers, and one cookie that scripts and other sites do not get', async () => {
    for (const path of ['/', '/users/sign_in', '/nobody', '/nobody/nothing']) {
      const { headers } = await browser().get(path);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.getSetCookie()).toEqual([expect.stringMatching(/; HttpOnly; SameSite=Lax$/)]);
    }
  });

  it('set Secure cookies where the public address is https', async () => {
    const secure = await TestService.start(await openTestDatabase(), { baseUrl: 'https://gatehouse.example' });
    const response = await fetch(`http://127.0.0.1:${secure.service.port}/users/sign_in`);
    expect(response.headers.getSetCookie()[0]).toMatch(/^__Host-gatehouse_session=.*; HttpOnly; Secure; SameSite=Lax$/);
    await secure.close();
  });

  describe('the lock', () => {
    it('closes after ten wrong passwords for ten minutes, whatever is tried, and opens again', async () => {
      await service.addUser('locked', { password: PASSWORD });
      for (let attempt = 0; attempt < 10; attempt += 1) {
        expect((await browser().signIn('locked', 'wrong-password')).status).toBe(401);
      }
      expect((await browser().signIn('locked')).status).toBe(401);
      service.clock.advance(9 * MINUTE);
      expect((await browser().signIn('locked')).status).toBe(401);
      service.clock.advance(2 * MINUTE);
      expect((await browser().signIn('locked')).status).toBe(303);
    });

    it('is not closed by nine', async () => {
      await service.addUser('nearly', { password: PASSWORD });
      for (let attempt = 0; attempt < 9; attempt += 1) await browser().signIn('nearly', 'wrong-password');
      expect((await browser().signIn('nearly')).status).toBe(303);
    });
  });

  it('end the sessions of somebody who is blocked or given a new password', async () => {
    const eve = await service.addUser('eve', { password: PASSWORD });
    const hers = browser();
    await hers.signIn('eve');
    expect(await isSignedIn(hers)).toBe(true);
    await service.call('POST', `/users/${eve.id}/block`, { token: root.token });
    expect(await isSignedIn(hers)).toBe(false);
    expect((await browser().signIn('eve')).status).toBe(403);
    const unblock = () => service.call('POST', `/users/${eve.id}/unblock`, { token: root.token });
    expect([(await unblock()).body, (await unblock()).body]).toEqual([true, false]);
    await hers.signIn('eve');
    await service.call('PUT', `/users/${eve.id}`, { token: root.token, json: { password: 'another-engine' } });
    expect(await isSignedIn(hers)).toBe(false);
  });

  it('end a session that is not used for a fortnight', async () => {
    const one = browser();
    await one.signIn('ada');
    service.clock.advance(13 * 24 * 60 * MINUTE);
    expect(await isSignedIn(one)).toBe(true);
    service.clock.advance(13 * 24 * 60 * MINUTE);
    expect(await isSignedIn(one)).toBe(true);
    service.clock.advance(15 * 24 * 60 * MINUTE);
    expect(await isSignedIn(one)).toBe(false);
  });

  it('limit the attempts of one address where that is asked for', async () => {
    const limited = await TestService.start(await openTestDatabase(), {
      rateLimits: { api: 'off', alerts: 'off', signIn: 3 },
    });
    const one = new FormBrowser(limited.url);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) statuses.push((await one.signIn('nobody')).status);
    const last = await one.signIn('nobody');
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    await limited.close();
  });

  it('of a project link to nothing that its viewer may not open, and lead its Maintainers everywhere', async () => {
    const owner = await service.addUser('owner', { password: PASSWORD });
    const fields = { name: 'mill', visibility: 'public' };
    const { body } = await service.call<{ id: number }>('POST', '/projects', { token: owner.token, json: fields });
    const linksFor = async (viewer: FormBrowser): Promise<readonly string[]> => {
      const html = await (await viewer.get('/owner/mill')).text();
      const links = [...html.matchAll(/href="\/owner\/mill\/-\/([^"]+)"/g)].map(([, link]) => link ?? '');
      for (const link of links) {
        const { status } = await viewer.get(`/owner/mill/-/${link}`);
        // An empty repository has no files: that tab leads back here.
        expect([link, status]).toEqual([link, link === 'tree' ? 303 : 200]);
      }
      return links.filter((link) => !link.startsWith('new/'));
    };
    const viewers: Record<string, FormBrowser> = { owner: browser() };
    await viewers['owner']?.signIn('owner');
    for (const [name, level] of Object.entries({ outsider: 0, visitor: 10, builder: 30, keeper: 40 })) {
      const { id } = await service.addUser(name, { password: PASSWORD });
      const json = { user_id: id, access_level: level };
      if (level > 0) await service.call('POST', `/projects/${body.id}/members`, { token: owner.token, json });
      await (viewers[name] = browser()).signIn(name);
    }
    const seen = async () =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(viewers).map(async ([name, viewer]) => [name, await linksFor(viewer)] as const),
        ),
      );
    const tabsOf = (links: readonly string[]) =>
      ['tree', 'issues', 'alert_management', 'members', 'settings', 'settings/operations/test'].filter((tab) =>
        links.includes(tab),
      );
    const tabs = async () =>
      Object.fromEntries(Object.entries(await seen()).map(([name, links]) => [name, tabsOf(links)] as const));
    const open = ['tree', 'issues'];
    const [some, all] = [
      [...open, 'members'],
      [...open, 'alert_management', 'members', 'settings'],
    ];
    const builder = [...open, 'alert_management', 'members', 'settings/operations/test'];
    expect(tabsOf(await linksFor(browser()))).toEqual(open);
    expect(await tabs()).toEqual({ owner: all, keeper: all, builder, visitor: some, outsider: some });
    await service.call('POST', `/projects/${body.id}/archive`, { token: owner.token });
    const kept = [...some, 'settings'];
    expect(await tabs()).toEqual({ owner: kept, keeper: kept, builder: some, visitor: some, outsider: some });
  });

  describe('the session as a credential of the API', () => {
    const api = async (one: FormBrowser, method: string, path: string, headers: Record<string, string> = {}) => {
      const response = await one.send(`/api/v4${path}`, { method, headers });
      return { status: response.status, text: await response.text() };
    };

    it('reads whatever its user may, until it ends', async () => {
      const one = browser();
      await one.signIn('ada');
      expect(JSON.parse((await api(one, 'GET', '/user')).text)).toMatchObject({ username: 'ada' });
      expect((await api(one, 'HEAD', '/user')).status).toBe(200);
      const copy = browser();
      one.cookies.forEach((value, name) => copy.cookies.set(name, value));
      await one.submit('/profile/account', '/users/sign_out', {});
      expect((await api(copy, 'GET', '/user')).status).toBe(401);
    });

    it('changes nothing without the token of its forms', async () => {
      const [one, stranger] = [browser(), browser()];
      await one.signIn('ada');
      for (const token of ['', 'made-up', await stranger.formToken('/users/sign_in')]) {
        const refused = await api(one, 'POST', '/projects?name=by+session', { 'X-CSRF-Token': token });
        expect(refused.status).toBe(401);
      }
      const token = await one.formToken('/profile/account');
      expect((await api(one, 'POST', '/projects?name=by+session', { 'X-CSRF-Token': token })).status).toBe(201);
    });

    it('is nothing before the second factor', async () => {
      const grace = await service.addUser('careful', { password: PASSWORD });
      await turnOnTwoFactor(service, grace.id);
      const one = browser();
      expect((await one.signIn('careful')).headers.get('location')).toBe('/users/sign_in/verify');
      expect((await api(one, 'GET', '/user')).status).toBe(401);
    });

    it('is never enough for sudo', async () => {
      const administrator = browser();
      await service.addUser('chief', { admin: true, password: PASSWORD });
      await administrator.signIn('chief');
      const { status, text } = await api(administrator, 'GET', '/user?sudo=ada');
      expect([status, JSON.parse(text)]).toEqual([
        403,
        { message: '403 Forbidden - Must be authenticated using an OAuth or Personal Access Token to use sudo' },
      ]);
    });
  });
});
