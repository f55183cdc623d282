import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { TestService, type TestUser } from '../support/test-service.js';

const DAY_MS = 86_400_000;

describeEachDatabase('a membership that has ended, and is not cleaned up yet,', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let sam: TestUser;
  let group: string;
  let project: string;

  const call = (method: string, path: string, json?: object, user: TestUser = ada) =>
    service.call<{ id: number }>(method, path, { token: user.token, ...(json === undefined ? {} : { json }) });

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    [ada, sam] = [await service.addUser('ada'), await service.addUser('sam')];
    const fields = { name: 'Mill', path: 'mill', visibility: 'public' };
    group = `/groups/${(await call('POST', '/groups', fields)).body.id}`;
    project = `/projects/${(await call('POST', '/projects', { name: 'loom', visibility: 'public' })).body.id}`;
  });

  afterAll(() => service.close());

  const endOf = async (place: string): Promise<void> => {
    const expires_at = new Date(service.clock.now().getTime() + DAY_MS).toISOString().slice(0, 10);
    const added = await call('POST', `${place}/members`, { user_id: sam.id, access_level: 40, expires_at });
    expect(added.status).toBe(201);
    service.clock.advance(DAY_MS);
    expect((await call('GET', `${place}/members/${sam.id}`)).status).toBe(404);
  };

  describe.each([
    ['group', () => group],
    ['project', () => project],
  ])('of a %s', (_, place) => {
    it('is not in the way of another, which is changed and ended as any', async () => {
      await endOf(place());
      const again = await call('POST', `${place()}/members`, { user_id: sam.id, access_level: 30 });
      expect(again).toMatchObject({ status: 201, body: { access_level: 30, expires_at: null } });
      expect(await call('POST', `${place()}/members`, { user_id: sam.id, access_level: 30 })).toMatchObject({
        status: 409,
        body: { message: 'Member already exists' },
      });
      const changed = await call('PUT', `${place()}/members/${sam.id}`, { access_level: 20 });
      expect(changed).toMatchObject({ status: 200, body: { access_level: 20 } });
      expect((await call('DELETE', `${place()}/members/${sam.id}`)).status).toBe(204);
    });

    it('is not in the way of a request for access', async () => {
      await endOf(place());
      expect((await call('POST', `${place()}/access_requests`, {}, sam)).status).toBe(201);
      expect((await call('PUT', `${place()}/access_requests/${sam.id}/approve`)).status).toBe(201);
      expect(await call('GET', `${place()}/members/${sam.id}`)).toMatchObject({ body: { access_level: 30 } });
      expect((await call('DELETE', `${place()}/members/${sam.id}`)).status).toBe(204);
    });
  });

  it('is told to have ended before the next begins', async () => {
    await endOf(project);
    await call('POST', `${project}/members`, { user_id: sam.id, access_level: 30 });
    const { body } = await service.call<readonly { action_name: string }[]>('GET', `${project}/events?sort=asc`, {
      token: ada.token,
    });
    const acts = body.map(({ action_name }) => action_name.replace(' due to membership expiration from', ''));
    expect(acts.slice(-3)).toEqual(['joined', 'removed', 'joined']);
  });
});
