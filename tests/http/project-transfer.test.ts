import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { TestService, type TestUser } from '../support/test-service.js';

describeEachDatabase('moving a project to another namespace', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let grace: TestUser;
  let group: number;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    [ada, grace] = [await service.addUser('ada'), await service.addUser('grace')];
    group = await create('/groups', { name: 'Engines', path: 'Engines', visibility: 'internal' });
  });

  afterAll(() => service.close());

  const create = async (path: string, json: object, who = ada) =>
    (await service.call<{ id: number }>('POST', path, { token: who.token, json })).body.id;
  const transfer = (project: number | string, namespace: unknown, who = ada) =>
    service.call('PUT', `/projects/${project}/transfer`, { token: who.token, json: { namespace } });

  it('takes its address along, by id and by path, and back again', async () => {
    const project = await create('/projects', { name: 'Cogs' });
    expect(await transfer(project, group)).toMatchObject({
      status: 200,
      body: { id: project, path_with_namespace: 'Engines/cogs', namespace: { full_path: 'Engines' } },
    });
    expect((await service.call('GET', '/projects/ada%2Fcogs', { token: ada.token })).body).toMatchObject({
      path_with_namespace: 'Engines/cogs',
    });
    expect((await service.call('GET', '/projects/engines%2Fcogs', { token: ada.token })).status).toBe(200);
    expect(await transfer('engines%2Fcogs', 'ADA')).toMatchObject({ body: { path_with_namespace: 'ada/cogs' } });
  });

  it('is for those who own it and may create projects there', async () => {
    const project = await create('/projects', { name: 'Guarded', visibility: 'internal' });
    expect((await transfer(project, group, grace)).status).toBe(403);
    const hidden = await create('/projects', { name: 'Hidden' });
    expect(await transfer(hidden, group, grace)).toMatchObject({
      status: 404,
      body: { message: '404 Project Not Found' },
    });
    const own = await create('/projects', { name: 'Hers' }, grace);
    expect((await transfer(own, group, grace)).status).toBe(403);
    for (const namespace of ['ada', 'nobody', 999_999]) {
      expect([403, 404]).toContain((await transfer(own, namespace, grace)).status);
    }
    expect(await transfer(own, 'nobody', grace)).toMatchObject({ body: { message: '404 Namespace Not Found' } });
    expect((await service.call('PUT', `/projects/${own}/transfer`, { json: { namespace: 'ada' } })).status).toBe(401);
    expect(await transfer(own, '', grace)).toMatchObject({ status: 400, body: { error: 'namespace is empty' } });
  });

  it('is refused where it is already, where its name is taken, and where it would be too visible', async () => {
    const project = await create('/projects', { name: 'Twin', visibility: 'internal' });
    expect(await transfer(project, 'ada')).toMatchObject({
      status: 400,
      body: { message: { namespace: ['holds the project already'] } },
    });
    await create('/projects', { name: 'Twin', namespace_id: group, visibility: 'internal' });
    expect(await transfer(project, group)).toMatchObject({ status: 400 });
    const open = await create('/projects', { name: 'Open', visibility: 'public' });
    expect(await transfer(open, group)).toMatchObject({
      status: 400,
      body: { message: { visibility: ['public is not allowed in a internal group'] } },
    });
  });
});
