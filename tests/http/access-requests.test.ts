import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  MOST_REQUESTS_AN_HOUR,
  MOST_REQUESTS_OF_A_PERSON,
  MOST_REQUESTS_TO_A_PLACE,
} from '../../src/domain/workspace/access-request.js';
import type { ProjectId } from '../../src/domain/shared/identifiers.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { AskedPlaces } from '../support/asked-places.js';
import { describeAnyDatabase } from '../support/databases.js';
import { TestService, type TestUser } from '../support/test-service.js';

describeAnyDatabase('requests for access by the API', (openTestDatabase) => {
  let service: TestService;
  let places: AskedPlaces;
  let root: TestUser;
  let owner: TestUser;
  let maintainer: TestUser;
  let sam: TestUser;
  let serial = 0;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase(), {
      rateLimits: { api: 'off', alerts: 'off', signIn: 'off' },
    });
    [root, owner, maintainer, sam] = [
      await service.addUser('boss', { admin: true }),
      await service.addUser('ada'),
      await service.addUser('mary'),
      await service.addUser('sam'),
    ];
    places = new AskedPlaces(service, owner);
  });

  afterAll(() => service.close());

  const newcomer = () => service.addUser(`newcomer-${(serial += 1)}`);
  const bothKinds = async () => {
    const group = await places.group();
    return [group, await places.project(group)];
  };

  it('are made by who sees a place and is no member, listed for who manages its members, and made memberships', async () => {
    for (const place of await bothKinds()) {
      const asked = await places.ask(sam, place);
      const shown = {
        id: sam.id,
        username: 'sam',
        name: 'sam Example',
        state: 'active',
        avatar_url: null,
        web_url: `${service.url}/sam`,
        created_at: expect.any(String),
        requested_at: expect.any(String),
      };
      expect([asked.status, asked.body]).toEqual([201, shown]);
      expect((await places.call<object[]>(owner, 'GET', `${place}/access_requests`)).body).toEqual([shown]);
      const approved = await places.approve(owner, place, sam, { access_level: 20 });
      expect([approved.status, approved.body]).toEqual([
        201,
        expect.objectContaining({ id: sam.id, username: 'sam', access_level: 20, expires_at: null }),
      ]);
      expect([await places.asking(place), await places.levelOf(place, sam)]).toEqual([[], 20]);
      await places.call(owner, 'DELETE', `${place}/members/${sam.id}`);
    }
  });

  it('make a Developer where no level is said', async () => {
    for (const place of await bothKinds()) {
      await places.ask(sam, place);
      expect((await places.approve(owner, place, sam)).body.access_level).toBe(30);
      await places.call(owner, 'DELETE', `${place}/members/${sam.id}`);
    }
  });

  it('are refused a second time, and to members, also by a group above', async () => {
    const [group, project] = await bothKinds();
    for (const place of [group!, project!]) {
      expect((await places.ask(sam, place)).status).toBe(201);
      expect(await places.ask(sam, place)).toMatchObject({
        status: 409,
        body: { message: 'You have asked for access already' },
      });
    }
    await places.join(group!, maintainer, 10);
    for (const place of [group!, project!])
      for (const who of [maintainer, owner])
        expect(await places.ask(who, place)).toMatchObject({
          status: 409,
          body: { message: 'You have access already' },
        });
    expect(await places.asking(project!)).toEqual(['sam']);
  });

  it('are denied, or taken back by who asked, and can be made again', async () => {
    for (const place of await bothKinds()) {
      for (const who of [owner, sam]) {
        await places.ask(sam, place);
        expect((await places.end(who, place, sam)).status).toBe(204);
        expect(await places.asking(place)).toEqual([]);
        expect((await places.end(who, place, sam)).status).toBe(404);
      }
      expect((await places.approve(owner, place, sam)).status).toBe(404);
      expect(await places.levelOf(place, sam)).toBeUndefined();
    }
  });

  it('lead to no level above that of who approves, and to none that there is not', async () => {
    const [group, project] = await bothKinds();
    await places.join(project!, maintainer, 40);
    await places.ask(sam, project!);
    expect((await places.approve(maintainer, project!, sam, { access_level: 50 })).status).toBe(400);
    expect((await places.approve(maintainer, project!, sam, { access_level: 35 })).status).toBe(400);
    await places.ask(sam, group!);
    expect((await places.approve(maintainer, group!, sam, { access_level: 10 })).status).toBe(403);
    expect(await places.asking(group!)).toEqual(['sam']);
    expect((await places.approve(maintainer, project!, sam, { access_level: 40 })).body.access_level).toBe(40);
  });

  it('take no higher level away that somebody has by a group that the project is shared with', async () => {
    const [, project] = await bothKinds();
    await places.ask(sam, project!);
    // A group that the project is shared with is none above it: the request stays.
    const other = await places.group();
    await places.join(other, sam, 40);
    const share = { group_id: Number(other.split('/').at(-1)), group_access: 40 };
    await places.call(owner, 'POST', `${project}/share`, share);
    expect((await places.approve(owner, project!, sam, { access_level: 10 })).status).toBe(201);
    const { body } = await places.call<{ access_level: number }>(owner, 'GET', `${project}/members/all/${sam.id}`);
    expect(body.access_level).toBe(40);
  });

  describe('are refused', () => {
    it('where they are switched off, which they are not at first', async () => {
      for (const place of await bothKinds()) {
        const setting = async () =>
          (await places.call<{ request_access_enabled: boolean }>(owner, 'GET', place)).body.request_access_enabled;
        expect(await setting()).toBe(true);
        await places.call(owner, 'PUT', place, { request_access_enabled: false });
        expect(await setting()).toBe(false);
        expect(await places.ask(sam, place)).toMatchObject({
          status: 403,
          body: { message: expect.stringContaining('Requests for access are switched off here') },
        });
        await places.call(owner, 'PUT', place, { description: 'Something else' });
        expect(await setting()).toBe(false);
      }
      const off = { request_access_enabled: false };
      for (const place of [await places.group(off), await places.project(undefined, off)])
        expect([place, (await places.ask(sam, place)).status]).toEqual([place, 403]);
    });

    it('in archived projects, where those that are open are decided', async () => {
      const project = await places.project();
      await places.ask(sam, project);
      await places.call(owner, 'POST', `${project}/archive`);
      expect(await places.ask(await newcomer(), project)).toMatchObject({
        status: 403,
        body: { message: expect.stringContaining('archived') },
      });
      expect((await places.approve(owner, project, sam)).status).toBe(201);
    });

    it('to bots, and to administrators, who have access already', async () => {
      const place = await places.project();
      const elsewhere = await places.project();
      const made = await places.call<{ token: string }>(owner, 'POST', `${elsewhere}/access_tokens`, {
        name: 'robot',
        scopes: ['api'],
        expires_at: new Date(service.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10),
      });
      const bot = { ...sam, token: made.body.token };
      expect(await places.ask(bot, place)).toMatchObject({
        status: 403,
        body: { message: expect.stringContaining("can't ask for access") },
      });
      expect((await places.ask(root, place)).status).toBe(409);
      expect(await places.asking(place)).toEqual([]);
    });

    it('to who has too many open, until one is decided', async () => {
      const asker = await newcomer();
      const all: string[] = [];
      for (let place = 0; place <= MOST_REQUESTS_OF_A_PERSON; place += 1) all.push(await places.project());
      const [last, ...others] = all;
      for (const place of others) expect((await places.ask(asker, place)).status).toBe(201);
      expect(await places.ask(asker, last!)).toMatchObject({
        status: 422,
        body: { message: expect.stringContaining('open requests for access') },
      });
      await places.end(owner, others[0]!, asker);
      expect((await places.ask(asker, last!)).status).toBe(201);
    });

    it('to who asked in many places within an hour, also where they took it back', async () => {
      const asker = await newcomer();
      for (let place = 0; place < MOST_REQUESTS_AN_HOUR; place += 1) {
        const project = await places.project();
        expect((await places.ask(asker, project)).status).toBe(201);
        await places.end(asker, project, asker);
      }
      const project = await places.project();
      const refused = await places.ask(asker, project);
      expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
      service.clock.advance(3_600_000);
      expect((await places.ask(asker, project)).status).toBe(201);
    });

    it('where too many wait already', async () => {
      const place = await places.project();
      const id = Number(place.split('/').at(-1)) as ProjectId;
      const createdAt = service.clock.now();
      await service.service.container.get(TOKENS.unitOfWork).execute(async ({ users, accessRequests }) => {
        for (let number = 0; number < MOST_REQUESTS_TO_A_PLACE; number += 1) {
          const [username, state] = [`crowd-${number}`, 'active'] as const;
          const person = { username, name: username, state, admin: false, passwordHash: null, createdAt };
          const { id: userId } = await users.add(person);
          await accessRequests.add({ place: { kind: 'project', id }, userId, requestedAt: createdAt });
        }
      });
      expect((await places.ask(sam, place)).status).toBe(422);
    });
  });

  describe('go', () => {
    it('when the person becomes a member by other means, of what they asked for or of a group above', async () => {
      const group = await places.group();
      const inner = await places.group({ parent_id: Number(group.split('/').at(-1)) });
      const [project, elsewhere] = [await places.project(inner), await places.project()];
      const asker = await newcomer();
      for (const place of [group, inner, project, elsewhere]) await places.ask(asker, place);
      await places.join(inner, asker, 20);
      expect(await Promise.all([group, inner, project, elsewhere].map((place) => places.asking(place)))).toEqual([
        [asker.username],
        [],
        [],
        [asker.username],
      ]);
      await places.join(elsewhere, asker, 20);
      expect(await places.asking(elsewhere)).toEqual([]);
    });

    it('when the person is blocked or removed', async () => {
      const place = await places.project();
      const [blocked, removed] = [await newcomer(), await newcomer()];
      for (const who of [blocked, removed]) await places.ask(who, place);
      await places.call(root, 'POST', `/users/${blocked.id}/block`);
      expect(await places.asking(place)).toEqual([removed.username]);
      await places.call(root, 'DELETE', `/users/${removed.id}`);
      expect(await places.asking(place)).toEqual([]);
      await places.call(root, 'POST', `/users/${blocked.id}/unblock`);
      expect((await places.approve(owner, place, blocked)).status).toBe(404);
    });
  });

  it('are nobody’s to see or decide who does not manage the members, and nothing is told of what is hidden', async () => {
    const group = await places.group();
    const project = await places.project(group);
    const hidden = await places.project(await places.group({ visibility: 'private' }), { visibility: 'private' });
    const [guest, developer, stranger, asker] = [
      await newcomer(),
      await newcomer(),
      await newcomer(),
      await newcomer(),
    ];
    for (const place of [group, hidden]) await places.join(place, guest, 10);
    await places.join(project, developer, 30);
    for (const place of [group, project]) await places.ask(asker, place);
    const tries = async (who: TestUser | undefined, place: string) => [
      (await places.call(who, 'GET', `${place}/access_requests`)).status,
      (await places.approve(who, place, asker, { access_level: 10 })).status,
      (await places.end(who, place, asker)).status,
    ];
    for (const [name, who, place, expected] of [
      ['guest', guest, group, [403, 403, 403]],
      ['guest', guest, project, [403, 403, 403]],
      ['guest', guest, hidden, [403, 403, 403]],
      ['developer', developer, project, [403, 403, 403]],
      ['stranger', stranger, group, [403, 403, 403]],
      ['stranger', stranger, project, [403, 403, 403]],
      ['stranger', stranger, hidden, [404, 404, 404]],
      ['visitor', undefined, group, [401, 401, 401]],
      ['visitor', undefined, project, [401, 401, 401]],
      ['visitor', undefined, hidden, [401, 401, 401]],
    ] as const)
      expect([name, place, await tries(who, place)]).toEqual([name, place, expected]);
    expect((await places.ask(stranger, hidden)).status).toBe(404);
    expect((await places.ask(undefined, project)).status).toBe(401);
    // Who only asked sees no more than before.
    expect(await tries(asker, project)).toEqual([403, 403, 204]);
    expect(await places.asking(group)).toEqual([asker.username]);
  });
});
