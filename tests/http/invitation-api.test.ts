import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { queuedMails } from '../support/queued-mails.js';
import { TestService, type TestUser } from '../support/test-service.js';

const WEEK_MS = 7 * 86_400_000;

interface Invited {
  readonly id: number;
  readonly invite_email: string;
}

describeEachDatabase('invitations by the API', (openTestDatabase) => {
  let service: TestService;
  let owner: TestUser;
  let maintainer: TestUser;
  let developer: TestUser;
  let stranger: TestUser;
  let project: string;
  let group: string;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    [owner, maintainer, developer, stranger] = [
      await service.addUser('ada', { password: PASSWORD }),
      await service.addUser('mary'),
      await service.addUser('dan'),
      await service.addUser('sam'),
    ];
    const made = await call<{ id: number }>(owner, 'POST', '/groups', {
      name: 'Mill',
      path: 'mill',
      visibility: 'public',
    });
    group = `/groups/${made.body.id}`;
    const of = { name: 'Loom', namespace_id: made.body.id, visibility: 'public' };
    project = `/projects/${(await call<{ id: number }>(owner, 'POST', '/projects', of)).body.id}`;
    for (const [{ id }, level] of [
      [maintainer, 40],
      [developer, 30],
    ] as const)
      await call(owner, 'POST', `${project}/members`, { user_id: id, access_level: level });
  });

  afterAll(() => service.close());

  const call = <Body>(who: TestUser | undefined, method: string, path: string, json?: object) =>
    service.call<Body>(method, path, { ...(who && { token: who.token }), ...(json && { json }) });
  const invite = (place: string, email: string, fields: object = {}, who = owner) =>
    call<{ status: string; message?: Record<string, string> }>(who, 'POST', `${place}/invitations`, {
      ...{ email, access_level: 30, ...fields },
    });
  const listed = async (place: string, query = '') =>
    (await call<Invited[]>(owner, 'GET', `${place}/invitations${query}`)).body.map((each) => each.invite_email);
  const linkTo = async (recipient: string): Promise<string> =>
    /invitation_token=(.+)$/.exec((await queuedMails(service, recipient)).at(-1)?.content['link'] ?? '')?.[1] ?? '';
  const accept = async (token: string, username: string): Promise<number> => {
    const values = { invitation_token: token, username, name: 'New Person', password: PASSWORD };
    return (await new FormBrowser(service.url).submit('/users/sign_in', '/users/invitation', values)).status;
  };

  it('are sent to one address or several, and listed with what they lead to until they are accepted', async () => {
    expect(await invite(project, 'one@example.com', { expires_at: '2099-01-31' })).toMatchObject({
      status: 201,
      body: { status: 'success' },
    });
    expect((await invite(project, 'two@example.com, three@example.com')).body).toEqual({ status: 'success' });
    const { body } = await call<object[]>(owner, 'GET', `${project}/invitations?query=ONE`);
    expect(body).toEqual([
      {
        id: expect.any(Number),
        invite_email: 'one@example.com',
        created_at: expect.any(String),
        access_level: 30,
        expires_at: '2099-01-31',
        user_name: null,
        created_by_name: 'ada',
      },
    ]);
    expect(await listed(project)).toEqual(['three@example.com', 'two@example.com', 'one@example.com']);
    expect(await accept(await linkTo('two@example.com'), 'two')).toBe(303);
    expect(await listed(project)).toEqual(['three@example.com', 'one@example.com']);
    expect(await listed(group)).toEqual([]);
  });

  it('say of each address why it was refused, and the others are invited', async () => {
    const { status, body } = await invite(project, 'no one,four@example.com');
    expect([status, body]).toEqual([201, { status: 'error', message: { 'no one': 'Email is invalid' } }]);
    expect(await listed(project, '?query=four')).toEqual(['four@example.com']);
    for (let time = 0; time < 2; time += 1) await invite(project, 'four@example.com');
    expect((await invite(project, 'FOUR@example.com')).body).toEqual({
      status: 'error',
      message: { 'FOUR@example.com': expect.stringContaining('several times within an hour') },
    });
    const many = Array.from({ length: 21 }, (_, number) => `many${number}@example.com`).join(',');
    expect((await invite(project, many)).status).toBe(400);
    expect((await invite(project, 'five@example.com', { access_level: 35 })).status).toBe(400);
    expect(await listed(project, '?query=many')).toEqual([]);
  });

  it('lead to another membership once they are changed, by whoever changed them', async () => {
    await invite(group, 'six@example.com');
    expect(
      (await call(owner, 'PUT', `${group}/invitations/SIX@example.com`, { access_level: 20, expires_at: '2099-02-28' }))
        .body,
    ).toEqual({ access_level: 20, expires_at: '2099-02-28' });
    expect((await call(owner, 'PUT', `${group}/invitations/six@example.com`, { access_level: 10 })).body).toEqual({
      access_level: 10,
      expires_at: '2099-02-28',
    });
    expect(await accept(await linkTo('six@example.com'), 'six')).toBe(303);
    const members = await call<object[]>(owner, 'GET', `${group}/members?query=six`);
    expect(members.body).toMatchObject([{ username: 'six', access_level: 10, expires_at: '2099-02-28' }]);
    expect((await call(owner, 'PUT', `${group}/invitations/six@example.com`, { access_level: 30 })).status).toBe(404);
  });

  it('are not above the role of whoever sends or changes them, and none that is above it is changed', async () => {
    expect((await invite(project, 'seven@example.com', { access_level: 50 }, maintainer)).status).toBe(400);
    await invite(project, 'seven@example.com', {}, maintainer);
    const change = (who: TestUser, level: number) =>
      call(who, 'PUT', `${project}/invitations/seven@example.com`, { access_level: level });
    expect((await change(maintainer, 40)).status).toBe(200);
    await call(owner, 'PUT', `${project}/members/${maintainer.id}`, { access_level: 30 });
    expect((await change(maintainer, 30)).status).toBe(403);
    expect(await accept(await linkTo('seven@example.com'), 'seven')).toBe(404);
    expect((await change(owner, 40)).status).toBe(200);
    expect(await accept(await linkTo('seven@example.com'), 'seven')).toBe(303);
    await call(owner, 'PUT', `${project}/members/${maintainer.id}`, { access_level: 40 });
  });

  it('count among those of whoever changes them, so that nobody sends others in their place', async () => {
    const [vera, walt] = [await service.addUser('vera'), await service.addUser('walt')];
    for (const { id } of [vera, walt])
      await call(owner, 'POST', `${project}/members`, { user_id: id, access_level: 40 });
    const addresses = (name: string, count: number) =>
      Array.from({ length: count }, (_, number) => `${name}${number}@example.com`);
    await invite(project, addresses('walt', 19).join(','), {}, walt);
    await invite(project, addresses('vera', 2).join(','), {}, vera);
    const take = async (address: string) =>
      (await call(walt, 'PUT', `${project}/invitations/${address}`, { access_level: 20 })).status;
    expect([await take('vera0@example.com'), await take('vera1@example.com')]).toEqual([200, 429]);
    expect(await take('walt0@example.com')).toBe(200);
  });

  it('are refused once they are withdrawn, and found no more once they have expired', async () => {
    await invite(project, 'eight@example.com');
    const token = await linkTo('eight@example.com');
    expect((await call(owner, 'DELETE', `${project}/invitations/Eight@Example.com`)).status).toBe(204);
    expect(await accept(token, 'eight')).toBe(404);
    expect(await call(owner, 'DELETE', `${project}/invitations/eight@example.com`)).toMatchObject({
      status: 404,
      body: { message: '404 Invitation Not Found' },
    });
    await invite(project, 'nine@example.com');
    service.clock.advance(WEEK_MS);
    expect(await listed(project)).toEqual([]);
    expect((await call(owner, 'PUT', `${project}/invitations/nine@example.com`, { access_level: 20 })).status).toBe(
      404,
    );
    expect((await call(owner, 'DELETE', `${project}/invitations/nine@example.com`)).status).toBe(404);
  });

  it('are nobody’s to see or change who does not manage the members', async () => {
    await invite(project, 'ten@example.com');
    const asked = async (who: TestUser | undefined, place: string) => [
      (await call(who, 'GET', `${place}/invitations`)).status,
      (await call(who, 'POST', `${place}/invitations`, { email: 'eleven@example.com', access_level: 10 })).status,
      (await call(who, 'PUT', `${place}/invitations/ten@example.com`, { access_level: 10 })).status,
      (await call(who, 'DELETE', `${place}/invitations/ten@example.com`)).status,
    ];
    for (const place of [project, group]) {
      expect(await asked(developer, place)).toEqual([403, 403, 403, 403]);
      expect(await asked(stranger, place)).toEqual([403, 403, 403, 403]);
      expect(await asked(undefined, place)).toEqual([401, 401, 401, 401]);
    }
    expect(await listed(project)).toEqual(['ten@example.com']);
  });
});
