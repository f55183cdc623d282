import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { TestService, type TestUser } from '../support/test-service.js';

const TAKEN = { path: ['has already been taken'] };

describeEachDatabase('paths of groups and projects', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let serial = 0;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    ada = await service.addUser('ada');
  });

  afterAll(() => service.close());

  const call = (method: string, path: string, json?: object) =>
    service.call<{ id: number; full_path: string; message: unknown }>(method, path, {
      token: ada.token,
      ...(json && { json }),
    });

  const group = async (path = `group-${(serial += 1)}`, parent_id?: number) =>
    (await call('POST', '/groups', { name: path, path, ...(parent_id !== undefined && { parent_id }) })).body;

  const project = async (namespace_id: number, path: string) =>
    (await call('POST', '/projects', { name: `of ${path}`, path, namespace_id })).body;

  it('are of one place each: neither takes the path of one of the other kind', async () => {
    const [top, other] = [await group(), await group()];
    await project(top.id, 'mill');
    const below = await group('works', top.id);
    const elsewhere = await group('Mill', other.id);
    const moved = await project(other.id, 'Works');
    const subgroup = { name: 'x', path: 'MILL', parent_id: top.id };
    expect((await call('POST', '/groups', subgroup)).body.message).toEqual(TAKEN);
    expect((await call('PUT', `/groups/${below.id}`, { path: 'mill' })).body.message).toEqual(TAKEN);
    expect((await call('POST', `/groups/${elsewhere.id}/transfer`, { group_id: top.id })).body.message).toBe(
      'Transfer failed: The parent group already has a subgroup or a project with the same path.',
    );
    const named = { name: 'y', path: 'works', namespace_id: top.id };
    expect((await call('POST', '/projects', named)).body.message).toEqual(TAKEN);
    expect((await call('PUT', `/projects/${moved.id}/transfer`, { namespace: top.id })).status).toBe(400);
    const second = await project(top.id, 'second');
    expect((await call('PUT', `/projects/${second.id}`, { path: 'WORKS' })).body.message).toEqual(TAKEN);
    expect((await call('PUT', `/projects/${second.id}`, { path: 'third', name: 'Third' })).status).toBe(200);
  });

  it('are free again once whatever had them is to be removed', async () => {
    const top = await group();
    const first = await project(top.id, 'mill');
    await call('DELETE', `/projects/${first.id}`);
    const taken = await group('mill', top.id);
    expect(taken.full_path).toBe(`${top.full_path}/mill`);
    await call('DELETE', `/groups/${taken.id}`);
    expect((await call('POST', '/projects', { name: 'mill', path: 'mill', namespace_id: top.id })).status).toBe(201);
  });

  it('have one of several that come at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const top = await group();
      const made = await Promise.all([
        call('POST', '/groups', { name: 'mill', path: 'mill', parent_id: top.id }),
        call('POST', '/projects', { name: 'mill', path: 'mill', namespace_id: top.id }),
        call('POST', '/groups', { name: 'mill', path: 'Mill', parent_id: top.id }),
      ]);
      expect(made.filter(({ status }) => status === 201)).toHaveLength(1);
    }
  });
});
