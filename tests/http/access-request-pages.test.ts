import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AskedPlaces } from '../support/asked-places.js';
import { describeAnyDatabase } from '../support/databases.js';
import { PASSWORD, type FormBrowser } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { TestService, type TestUser } from '../support/test-service.js';

describeAnyDatabase('pages of requests for access', (openTestDatabase) => {
  let service: TestService;
  let places: AskedPlaces;
  let sam: TestUser;
  let guest: TestUser;
  const browsers = new Map<string, FormBrowser>();

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    const owner = await service.addUser('ada', { password: PASSWORD });
    sam = await service.addUser('sam', { password: PASSWORD });
    guest = await service.addUser('guest', { password: PASSWORD });
    places = new AskedPlaces(service, owner);
    const group = await places.group({ path: 'works', name: 'Works' });
    await places.project(group, { path: 'mill', name: 'Mill' });
    await places.join(group, guest, 10);
    for (const { username } of [owner, sam, guest]) browsers.set(username, await signedIn(service, username));
  });

  afterAll(() => service.close());

  const read = async (who: string, page: string): Promise<string> => {
    const browser = browsers.get(who);
    return (await (browser === undefined ? fetch(`${service.url}${page}`) : browser.get(page))).text();
  };
  /** Sends a form of a page, and reads what the page that it leads to says of it. */
  const send = (who: string, page: string, action: string, values: Record<string, string>) =>
    browsers.get(who)!.submitAndRead(page, action, values);

  describe.each([
    ['a project', '/works/mill', '/works/mill', '/projects/works%2Fmill', 'Mill'],
    ['a group', '/groups/works', '/groups/works', '/groups/works', 'Works'],
  ])('of %s', (_kind, page, home, place, name) => {
    const asking = `${home}/-/access_requests`;
    const members = `${home}/-/members`;

    it('offer to ask, and then to take it back, to who is signed in and no member', async () => {
      for (const who of ['ada', 'guest', 'nobody']) {
        const html = await read(who, page);
        expect([who, html.includes(asking)]).toEqual([who, false]);
      }
      expect(await read('sam', page)).toContain('Request access');
      const asked = await send('sam', page, asking, { wanted: 'true' });
      expect([asked.to, asked.notice]).toEqual([home, `You asked for access to ${name}.`]);
      expect(asked.html).toContain('Withdraw request');
      expect(asked.html).not.toContain('Request access');
      expect((await send('sam', page, asking, { wanted: 'true' })).notice).toBe('You have asked for access already');
      const withdrawn = await send('sam', page, asking, { wanted: 'false' });
      expect([withdrawn.notice, await places.asking(place)]).toEqual([
        `You withdrew your request for access to ${name}.`,
        [],
      ]);
      expect((await send('sam', page, asking, { wanted: 'false' })).notice).toBe('There is no such request any more.');
    });

    it('list who asks for who manages the members, who says yes with a role, or no', async () => {
      await places.ask(sam, place);
      expect(await read('ada', members)).toContain('Requests for access');
      expect(await read('guest', members)).not.toContain('Requests for access');
      const action = `${members}/requests/${sam.id}`;
      const denied = await send('ada', members, action, { decision: 'deny', access_level: '30' });
      expect([denied.to, denied.notice]).toEqual([members, 'The request of sam Example was denied.']);
      expect(denied.html).not.toContain('Requests for access');
      const twice = await send('ada', members, action, { decision: 'approve', access_level: '30' });
      expect(twice.notice).toBe('There is no such request any more.');
      await places.ask(sam, place);
      const approved = await send('ada', members, action, { decision: 'approve', access_level: '20' });
      expect([approved.notice, await places.levelOf(place, sam)]).toEqual(['sam Example is now a Reporter.', 20]);
      await places.call(places.owner, 'DELETE', `${place}/members/${sam.id}`);
    });

    it('decide nothing for who does not manage the members', async () => {
      await places.ask(sam, place);
      for (const who of ['guest', 'sam']) {
        const action = `${members}/requests/${sam.id}`;
        const sent = await send(who, page, action, { decision: 'approve', access_level: '10' });
        expect([who, sent.status]).toEqual([who, 403]);
      }
      expect(await places.asking(place)).toEqual(['sam']);
      await places.end(sam, place, sam);
    });

    it('let who manages it switch requests off, after which nobody is offered to ask', async () => {
      const settings = `${home}/-/settings`;
      const kept = { name, path: home.split('/').at(-1)!, description: '', visibility: 'public' };
      const off = await send('ada', settings, settings, { ...kept, request_access_enabled: 'false' });
      expect([off.status, off.html.includes('<option value="false" selected>')]).toEqual([303, true]);
      expect(await read('sam', page)).not.toContain('Request access');
      expect((await send('sam', page, asking, { wanted: 'true' })).notice).toBe(
        'Requests for access are switched off here',
      );
      expect((await send('ada', settings, settings, { ...kept, request_access_enabled: 'maybe' })).status).toBe(400);
      await send('ada', settings, settings, { ...kept, request_access_enabled: 'true' });
      expect(await read('sam', page)).toContain('Request access');
    });

    it('lead who comes back to the address of the form to the page that it is on', async () => {
      const answer = await browsers.get('sam')!.get(asking);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, home]);
    });
  });

  it('offer nothing of an archived project but to take a request back', async () => {
    const project = await places.project(undefined, { path: 'old', name: 'Old' });
    await places.call(places.owner, 'POST', `${project}/archive`);
    expect(await read('sam', '/ada/old')).not.toContain('Request access');
    await places.call(places.owner, 'POST', `${project}/unarchive`);
    await places.ask(sam, project);
    await places.call(places.owner, 'POST', `${project}/archive`);
    expect(await read('sam', '/ada/old')).toContain('Withdraw request');
  });

  it('let a member leave, also from a page of the list that they are not on', async () => {
    const members = '/groups/works/-/members';
    expect(await read('guest', members)).toContain(`${members}/${guest.id}/remove`);
    const elsewhere = await read('guest', `${members}?search=ada`);
    expect(elsewhere).toMatch(new RegExp(`href="${members}/${guest.id}/remove">Leave group</a>`));
    expect(await read('sam', `${members}?search=ada`)).not.toContain('Leave group');
    const alone = await send('ada', `${members}/${places.owner.id}/remove`, `${members}/${places.owner.id}/remove`, {});
    expect([alone.status, await places.levelOf('/groups/works', places.owner)]).toEqual([400, 50]);
  });
});
