import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { TestService, type TestUser } from '../support/test-service.js';

const BROKEN = { name: 'Cogs', path: 'cogs', visibility: 'glass' };

describeEachDatabase('permission is decided before parameters', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let grace: TestUser;
  let hidden: number;
  let open: number;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    [ada, grace] = [await service.addUser('ada'), await service.addUser('grace')];
    hidden = await create('/groups', { name: 'Hidden', path: 'hidden', visibility: 'private' });
    open = await create('/groups', { name: 'Open', path: 'open', visibility: 'public' });
  });

  afterAll(() => service.close());

  const send = (path: string, json: object, who = grace) =>
    service.call<{ message?: string; error?: string; id: number }>('POST', path, { token: who.token, json });
  const create = async (path: string, json: object) => (await send(path, json, ada)).body.id;

  it('finds nothing at 0', async () => {
    const root = await service.addUser('root-of-zero', { admin: true });
    for (const path of ['/users/0', '/projects/0', '/groups/0', '/projects/0/milestones/0', '/groups/0/members/0'])
      expect((await service.call('GET', path, { token: root.token })).status).toBe(404);
    expect((await send('/projects/user/0', { name: 'Cogs' }, root)).status).toBe(404);
  });

  const read = async (path: string, token?: string) => {
    const { status, body } = await service.call<{ message?: string; error?: string }>(
      'GET',
      path,
      token ? { token } : {},
    );
    return [status, body.message ?? body.error];
  };

  it('asks strangers to sign in for issues of their own', async () => {
    for (const scope of ['', 'scope=created_by_me&', 'scope=assigned_to_me&'])
      expect(await read(`/issues?${scope}sort=sideways`)).toEqual([401, '401 Unauthorized']);
    expect(await read('/issues?scope=all&sort=sideways')).toEqual([400, 'sort does not have a valid value']);
    expect(await read('/issues?scope=mine')).toEqual([400, 'scope does not have a valid value']);
    expect(await read('/issues?sort=sideways', grace.token)).toEqual([400, 'sort does not have a valid value']);
  });

  it('hides the tokens of others', async () => {
    const tokensOf = (id: number | string) => read(`/personal_access_tokens?user_id=${id}&page=none`, grace.token);
    expect(await tokensOf(ada.id)).toEqual([404, '404 User Not Found']);
    expect(await tokensOf(999_999)).toEqual([404, '404 User Not Found']);
    expect(await tokensOf(grace.id)).toEqual([400, 'page is invalid']);
    expect(await tokensOf('ada')).toEqual([400, 'user_id is invalid, page is invalid']);
  });

  describe.each([
    ['/projects', 'namespace_id', '404 Namespace Not Found'],
    ['/groups', 'parent_id', '404 Group Not Found'],
  ] as const)('where POST %s names a group with %s', (path, parameter, notFound) => {
    it('hides a group that the caller may not see', async () => {
      expect(await send(path, { ...BROKEN, [parameter]: hidden })).toMatchObject({
        status: 404,
        body: { message: notFound },
      });
    });

    it('refuses a group that the caller may only see', async () => {
      expect((await send(path, { ...BROKEN, [parameter]: String(open) })).status).toBe(403);
    });

    it('refuses parameters to those who may create there', async () => {
      const answer = await send(path, { ...BROKEN, [parameter]: open }, ada);
      expect([answer.status, answer.body.error]).toEqual([400, 'visibility does not have a valid value']);
    });

    it.each(['none', '', 0, -1, 1.5, [1], true])('refuses %j as a parameter', async (value) => {
      const { status, body } = await send(path, { ...BROKEN, visibility: 'private', [parameter]: value });
      expect([status, body.error]).toEqual([400, `${parameter} is ${value === '' ? 'empty' : 'invalid'}`]);
    });

    it.each([999_999, 2 ** 53 - 1, '999999999999999'])('finds nothing at %j', async (value) => {
      const answer = await send(path, { ...BROKEN, visibility: 'private', [parameter]: value });
      expect([answer.status, answer.body.message]).toEqual([404, notFound]);
    });
  });
});
