import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, noticeIn, PASSWORD } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { TestService, type TestUser } from '../support/test-service.js';

const OF_PROJECT = '/works/mill/-/settings/access_tokens';
const OF_GROUP = '/groups/works/-/settings/access_tokens';
const OWN = '/profile/personal_access_tokens';
const SAID = { name: 'Robot', scopes: ['api', 'read_repository'], access_level: '30', expires_at: '' };

interface Token {
  readonly id: number;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly access_level: number;
  readonly expires_at: string | null;
}

describeEachDatabase('the pages of access tokens', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let root: TestUser;
  let places: Readonly<Record<string, string>>;
  const browsers: Record<string, FormBrowser> = {};

  const call = <Body = { id: number }>(method: string, path: string, json?: object, who = ada) =>
    service.call<Body>(method, path, { token: who.token, ...(json === undefined ? {} : { json }) });

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    root = await service.addUser('root', { admin: true, password: PASSWORD });
    const people: TestUser[] = [];
    for (const name of ['ada', 'maintainer', 'developer', 'eve'])
      people.push(await service.addUser(name, { password: PASSWORD }));
    ada = people[0]!;
    const group = (await call('POST', '/groups', { name: 'Works', path: 'works' })).body.id;
    const project = (await call('POST', '/projects', { name: 'mill', namespace_id: group })).body.id;
    for (const [index, access_level] of [40, 30].entries())
      await call('POST', `/groups/${group}/members`, { user_id: people[index + 1]!.id, access_level });
    places = { [OF_PROJECT]: `/projects/${project}`, [OF_GROUP]: `/groups/${group}` };
    for (const name of ['root', 'ada', 'maintainer', 'developer', 'eve'])
      browsers[name] = await signedIn(service, name);
    browsers['visitor'] = new FormBrowser(service.url);
  });
  afterAll(() => service.close());

  const browserOf = (who: string): FormBrowser => browsers[who]!;
  const read = async (path: string, who = 'ada') => (await browserOf(who).get(path)).text();
  const send = async (page: string, values: Readonly<Record<string, string | readonly string[]>>, who = 'ada') => {
    const read = await browserOf(who).submitAndRead(page, page, values);
    const secret = /id="new-token"[^>]* value="([^"]+)"/.exec(read.html)?.[1];
    if (secret !== undefined) service.secrets.push(secret);
    return { ...read, secret };
  };
  const tokensOf = async (page: string) =>
    (await call<Token[]>('GET', `${places[page]}/access_tokens?state=active&sort=created_desc`)).body;
  const works = async (token = '') => (await service.call('GET', '/user', { token })).status === 200;

  describe.each([OF_PROJECT, OF_GROUP])('%s', (page) => {
    it('make a token, show it once, and rotate and revoke it after a question', async () => {
      expect(await read(page)).toContain('None that works.');
      const made = await send(page, { ...SAID, description: 'For <b>' });
      expect([made.status, made.to, noticeIn(made.html)]).toEqual([303, page, 'Access token “Robot” made.']);
      expect(made.html).toMatch(/<bdi>Robot<\/bdi><\/strong> <span class="badge">Developer[^]*For &lt;b&gt;/);
      expect(await works(made.secret)).toBe(true);
      expect(await read(page)).not.toContain(made.secret!);
      const [token] = await tokensOf(page);
      expect(token).toMatchObject({ scopes: SAID.scopes, access_level: 30, expires_at: null });

      const rotation = `${page}/${token!.id}/rotate`;
      expect(await read(rotation)).toContain('Rotate the access token Robot?');
      expect(await works(made.secret)).toBe(true);
      const rotated = await send(rotation, {});
      expect([rotated.to, noticeIn(rotated.html)]).toEqual([page, 'Access token “Robot” rotated.']);
      expect([await works(made.secret), await works(rotated.secret)]).toEqual([false, true]);
      // Sent twice, it ends nothing more.
      expect((await browserOf('ada').submit(page, rotation, {})).status).toBe(404);
      expect(await works(rotated.secret)).toBe(true);

      const [left] = await tokensOf(page);
      const revocation = `${page}/${left!.id}/revoke`;
      expect(await read(revocation)).toContain('Revoke the access token Robot?');
      const revoked = await send(revocation, {});
      expect([revoked.to, noticeIn(revoked.html)]).toEqual([page, 'Access token “Robot” revoked.']);
      expect([await works(rotated.secret), await tokensOf(page)]).toEqual([false, []]);
    });

    it('say beside the fields what is wrong, and keep what was typed', async () => {
      const problemAt = (html: string, field: string) =>
        new RegExp(`id="${field}-problem"[^>]*>([^<]*)<`).exec(html)?.[1]?.replaceAll('&#39;', "'");
      for (const [fields, field, problem] of [
        [{ name: ' ' }, 'name', "The name can't be blank"],
        [{ scopes: [] }, 'scopes', "The scopes can't be blank"],
        [{ access_level: '35' }, 'access_level', 'The level is not included in the list'],
        [{ expires_at: '2001-01-01' }, 'expires_at', 'The expiry must be a date in the future'],
        [{ expires_at: 'soon' }, 'expires_at', 'The expiry is not a date (expected YYYY-MM-DD)'],
      ] as const) {
        const { status, html } = await send(page, { ...SAID, description: 'Kept', ...fields });
        expect([status, problemAt(html, field), html.includes('value="Kept"')]).toEqual([400, problem, true]);
      }
      expect(await tokensOf(page)).toEqual([]);
    });
  });

  it('offer no level above one’s own, and take none', async () => {
    expect(await read(OF_PROJECT, 'maintainer')).not.toContain('>Owner</option>');
    expect(await read(OF_PROJECT)).toContain('>Owner</option>');
    const refused = await send(OF_PROJECT, { ...SAID, access_level: '50' }, 'maintainer');
    expect(refused.status).toBe(403);
    expect(refused.html).toContain('An access token has at most the level of whoever makes it');
  });

  it('are for maintainers of a project and owners of a group', async () => {
    const statuses = async (path: string) =>
      Promise.all(
        ['maintainer', 'developer', 'eve', 'visitor'].map(async (who) => (await browserOf(who).get(path)).status),
      );
    await send(OF_PROJECT, SAID);
    await send(OF_GROUP, SAID);
    const [ofProject, ofGroup] = [(await tokensOf(OF_PROJECT))[0]!, (await tokensOf(OF_GROUP))[0]!];
    expect(await statuses(OF_PROJECT)).toEqual([200, 403, 404, 303]);
    expect(await statuses(`${OF_PROJECT}/${ofProject.id}/rotate`)).toEqual([200, 403, 404, 303]);
    expect(await statuses(`${OF_PROJECT}/${ofGroup.id}/revoke`)).toEqual([404, 403, 404, 303]);
    expect(await statuses(OF_GROUP)).toEqual([403, 403, 404, 303]);
    expect(await read('/works/mill/-/settings', 'maintainer')).toContain(`href="${OF_PROJECT}"`);
    expect(await read('/groups/works/-/settings')).toContain(`href="${OF_GROUP}"`);
  });

  it('are said on the page of members, where a bot is removed and not changed', async () => {
    const { body } = await call<{ user_id: number }>('POST', `${places[OF_PROJECT]}/access_tokens`, {
      name: 'Member',
      scopes: ['api'],
    });
    const members = '/works/mill/-/members';
    const page = await read(members);
    expect(page).toContain('<span class="badge">access token</span>');
    expect(page).not.toContain(`href="${members}/${body.user_id}"`);
    expect(page).toContain(`href="${members}/${body.user_id}/remove"`);
    expect((await send(`${members}/${body.user_id}`, { access_level: '10', expires_at: '' })).status).toBe(403);
  });

  it('of administrators say whose account a bot is, and offer nothing', async () => {
    const { body } = await call<{ user_id: number }>('POST', `${places[OF_PROJECT]}/access_tokens`, {
      name: 'Told',
      scopes: ['api'],
    });
    expect(await read('/admin/users', 'root')).toContain('of an access token');
    const page = await read(`/admin/users/${body.user_id}`, 'root');
    expect(page).toContain('This account belongs to an access token');
    expect(page).not.toContain(`action="/admin/users/${body.user_id}/block"`);
  });

  it('rotate one’s own personal access token after a question, and somebody else’s not', async () => {
    const fields = { name: 'Laptop', scopes: ['read_api'] };
    const own = (
      await call<{ id: number; token: string }>('POST', `/users/${ada.id}/personal_access_tokens`, fields, root)
    ).body;
    service.secrets.push(own.token);
    expect(await read(OWN)).toContain(`href="${OWN}/${own.id}/rotate"`);
    const page = `${OWN}/${own.id}/rotate`;
    expect((await browserOf('eve').get(page)).status).toBe(404);
    expect((await browserOf('eve').submit(OWN, page, {})).status).toBe(404);
    expect(await read(page)).toContain('Rotate the token Laptop?');
    const rotated = await send(page, {});
    expect([rotated.to, noticeIn(rotated.html)]).toEqual([OWN, 'Token “Laptop” rotated.']);
    expect([await works(own.token), await works(rotated.secret)]).toEqual([false, true]);
    expect((await browserOf('ada').submit(OWN, page, {})).status).toBe(404);
    expect(await works(rotated.secret)).toBe(true);
    // The password is asked for again when the last proof is too old.
    const [, newest] = /personal_access_tokens\/(\d+)\/rotate/.exec(await read(OWN))!;
    service.clock.advance(11 * 60_000);
    const later = await browserOf('ada').submit(OWN, `${OWN}/${newest}/rotate`, {});
    expect([later.status, (await later.text()).includes('rotate a personal access token')]).toEqual([200, true]);
    expect(await works(rotated.secret)).toBe(true);
  });
});
