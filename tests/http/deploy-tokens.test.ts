import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KEY_TOKENS } from '../../src/infrastructure/composition/keys.tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { TestService, type TestUser } from '../support/test-service.js';

interface TokenBody {
  readonly id: number;
  readonly username: string;
  readonly token: string;
}

describeEachDatabase('deploy tokens', (openTestDatabase) => {
  let service: TestService;
  let root: TestUser;
  let ada: TestUser;
  let maintainer: TestUser;
  let eve: TestUser;
  let serial = 0;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    root = await service.addUser('root', { admin: true });
    [ada, maintainer, eve] = [
      await service.addUser('ada'),
      await service.addUser('maintainer'),
      await service.addUser('eve'),
    ];
  });
  afterAll(() => service.close());

  const call = <Body = TokenBody>(method: string, path: string, json?: object, who = ada) =>
    service.call<Body>(method, path, { token: who.token, ...(json === undefined ? {} : { json }) });
  const addGroup = async (parent?: number) => {
    const path = `works-${(serial += 1)}`;
    const fields = { name: path, path, ...(parent === undefined ? {} : { parent_id: parent }) };
    return (await call<{ id: number; full_path: string }>('POST', '/groups', fields)).body;
  };
  const addProject = async (fields: object = {}) => {
    const json = { name: `mill-${(serial += 1)}`, ...fields };
    return (await call<{ id: number; path_with_namespace: string }>('POST', '/projects', json)).body;
  };
  const make = async (place: string, fields: object = {}) => {
    const answer = await call('POST', `${place}/deploy_tokens`, { name: 'ci', scopes: ['read_repository'], ...fields });
    return answer.body;
  };
  /** The status that git would see. */
  const gitAsks = async (path: string, username: string, secret: string, serviceName = 'git-upload-pack') => {
    const basic = Buffer.from(`${username}:${secret}`).toString('base64');
    const response = await fetch(`${service.nodeUrl}/${path}.git/info/refs?service=${serviceName}`, {
      headers: { Authorization: `Basic ${basic}` },
    });
    return [response.status, response.status === 200 ? '' : (await response.text()).trim()];
  };

  it('of a project are made, listed, read and revoked', async () => {
    const { id } = await addProject();
    const place = `/projects/${id}`;
    const fields = { name: 'ci', scopes: ['read_repository', 'read_registry'], expires_at: '2099-01-01' };
    const made = await call('POST', `${place}/deploy_tokens`, fields);
    const { token, ...shown } = made.body;
    expect([made.status, token, shown]).toEqual([
      201,
      expect.stringMatching(/^[\w-]{43}$/),
      {
        id: expect.any(Number),
        name: 'ci',
        username: `gitlab+deploy-token-${shown.id}`,
        expires_at: '2099-01-01T00:00:00.000Z',
        scopes: ['read_repository', 'read_registry'],
        revoked: false,
        expired: false,
      },
    ]);
    const one = `${place}/deploy_tokens/${shown.id}`;
    expect((await call('GET', one)).body).toEqual(shown);
    expect((await call('GET', `${place}/deploy_tokens`)).body).toEqual([shown]);
    expect((await call('GET', `${place}/deploy_tokens?active=false`)).body).toEqual([]);
    expect(
      (await call<TokenBody[]>('GET', '/deploy_tokens?active=true&per_page=100', undefined, root)).body,
    ).toContainEqual(shown);
    expect((await call('GET', '/deploy_tokens')).status).toBe(403);
    expect((await call('DELETE', one)).status).toBe(204);
    expect((await call('GET', one)).body).toEqual({ message: '404 Deploy Token Not Found' });
  });

  it('are for maintainers of projects and owners of groups', async () => {
    const group = await addGroup();
    await call('POST', `/groups/${group.id}/members`, { user_id: maintainer.id, access_level: 40 });
    const project = await addProject({ namespace_id: group.id });
    const fields = { name: 'ci', scopes: ['read_repository'] };
    expect((await call('POST', `/projects/${project.id}/deploy_tokens`, fields, maintainer)).status).toBe(201);
    expect((await call('POST', `/groups/${group.id}/deploy_tokens`, fields, maintainer)).status).toBe(403);
    expect((await call('POST', `/groups/${group.id}/deploy_tokens`, fields)).status).toBe(201);
    for (const place of [`/projects/${project.id}`, `/groups/${group.id}`]) {
      expect((await call('GET', `${place}/deploy_tokens`, undefined, eve)).status).toBe(404);
      expect((await call('POST', `${place}/deploy_tokens`, fields, eve)).status).toBe(404);
    }
  });

  it('are not found in another place than their own', async () => {
    const [one, other] = [await addProject(), await addProject()];
    const { id } = await make(`/projects/${one.id}`);
    expect((await call('GET', `/projects/${other.id}/deploy_tokens/${id}`)).status).toBe(404);
    expect((await call('DELETE', `/projects/${other.id}/deploy_tokens/${id}`)).status).toBe(404);
  });

  it('are refused with what is wrong with them', async () => {
    const { id } = await addProject();
    const refusal = async (fields: object) => {
      const json = { name: 'ci', scopes: ['read_repository'], ...fields };
      const { status, body } = await call<{ message?: unknown }>('POST', `/projects/${id}/deploy_tokens`, json);
      return [status, body.message];
    };
    expect(await refusal({ name: ' ' })).toEqual([400, { name: ["can't be blank"] }]);
    expect(await refusal({ scopes: [] })).toEqual([400, { scopes: ["can't be blank"] }]);
    expect(await refusal({ username: 'a b' })).toEqual([400, { username: [expect.any(String)] }]);
    expect(await refusal({ username: 'gitlab+deploy-token-1' })).toEqual([400, { username: [expect.any(String)] }]);
    expect(await refusal({ expires_at: '2099-02-30' })).toEqual([400, { expires_at: [expect.any(String)] }]);
    expect((await refusal({ scopes: ['api'] }))[0]).toBe(400);
  });

  describe('let git', () => {
    it('fetch from their project, with their own name, and nothing else', async () => {
      const [project, other, open] = [
        await addProject(),
        await addProject(),
        await addProject({ visibility: 'public' }),
      ];
      const { username, token } = await make(`/projects/${project.id}`);
      expect(await gitAsks(project.path_with_namespace, username, token)).toEqual([200, '']);
      expect(await gitAsks(project.path_with_namespace, 'oauth2', token)).toEqual([401, 'HTTP Basic: Access denied']);
      expect(await gitAsks(open.path_with_namespace, username, token)).toEqual([200, '']);
      expect((await gitAsks(other.path_with_namespace, username, token))[0]).toBe(404);
      expect(await gitAsks(project.path_with_namespace, username, token, 'git-receive-pack')).toEqual([
        403,
        'You are not allowed to push code to this project.',
      ]);
      expect((await gitAsks('ada/not-there-yet', username, token, 'git-receive-pack'))[0]).toBe(404);
    });

    it('fetch by a name that was chosen', async () => {
      const project = await addProject();
      const { username, token } = await make(`/projects/${project.id}`, { username: 'builder' });
      expect(username).toBe('builder');
      expect(await gitAsks(project.path_with_namespace, 'builder', token)).toEqual([200, '']);
    });

    it('follow their project, and no other, from the path that it had', async () => {
      const [project, other] = [await addProject(), await addProject()];
      const { username, token } = await make(`/projects/${project.id}`);
      for (const { id } of [project, other]) await call('PUT', `/projects/${id}`, { path: `since-${(serial += 1)}` });
      expect(await gitAsks(project.path_with_namespace, username, token)).toEqual([200, '']);
      expect((await gitAsks(other.path_with_namespace, username, token))[0]).toBe(404);
      expect(await gitAsks(project.path_with_namespace, username, token, 'git-receive-pack')).toEqual([
        403,
        'You are not allowed to push code to this project.',
      ]);
    });

    it('fetch from every project below their group, however deep', async () => {
      const group = await addGroup();
      const inner = await addGroup(group.id);
      const [project, outside] = [await addProject({ namespace_id: inner.id }), await addProject()];
      const { username, token } = await make(`/groups/${group.id}`);
      expect(await gitAsks(project.path_with_namespace, username, token)).toEqual([200, '']);
      expect((await gitAsks(outside.path_with_namespace, username, token))[0]).toBe(404);
      const inside = await make(`/groups/${inner.id}`);
      const above = await addProject({ namespace_id: group.id });
      expect((await gitAsks(above.path_with_namespace, inside.username, inside.token))[0]).toBe(404);
    });

    it('fetch with the scope read_repository alone', async () => {
      const project = await addProject();
      const { username, token } = await make(`/projects/${project.id}`, { scopes: ['read_registry'] });
      expect((await gitAsks(project.path_with_namespace, username, token))[0]).toBe(404);
    });

    it('fetch no more once they are revoked, or have expired', async () => {
      const project = await addProject();
      const place = `/projects/${project.id}`;
      const [revoked, expired] = [await make(place), await make(place, { expires_at: '2026-01-01' })];
      await call('DELETE', `${place}/deploy_tokens/${revoked.id}`);
      for (const { username, token } of [revoked, expired])
        expect((await gitAsks(project.path_with_namespace, username, token))[0]).toBe(401);
    });

    it('fetch, and note when', async () => {
      const project = await addProject();
      const { id, username, token } = await make(`/projects/${project.id}`);
      await gitAsks(project.path_with_namespace, username, token);
      const { deployTokenUses, deployTokenReader } = service.service.container.get(KEY_TOKENS.keys);
      await deployTokenUses.flush();
      const { items } = await deployTokenReader.list({ now: service.clock.now(), page: { page: 1, perPage: 100 } });
      expect(items.find((each) => each.id === id)?.lastUsedAt).toEqual(service.clock.now());
    });
  });

  it('open nothing of the API', async () => {
    const project = await addProject();
    const { token } = await make(`/projects/${project.id}`);
    expect((await service.call('GET', `/projects/${project.id}`, { token })).status).toBe(401);
  });
});
