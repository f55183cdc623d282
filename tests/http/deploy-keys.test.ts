import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { makeKey, rsaLine } from '../support/ssh-keys.js';
import { until } from '../support/until.js';
import { TestService, type TestUser } from '../support/test-service.js';

interface KeyBody {
  readonly id: number;
  readonly title: string;
  readonly can_push: boolean;
}

describeEachDatabase('deploy keys', (openTestDatabase) => {
  let service: TestService;
  let root: TestUser;
  let ada: TestUser;
  let developer: TestUser;
  let eve: TestUser;
  let serial = 0;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    root = await service.addUser('root', { admin: true });
    [ada, developer, eve] = [
      await service.addUser('ada'),
      await service.addUser('developer'),
      await service.addUser('eve'),
    ];
  });
  afterAll(() => service.close());

  const call = <Body = KeyBody>(method: string, path: string, json?: object, who = ada) =>
    service.call<Body>(method, path, { token: who.token, ...(json === undefined ? {} : { json }) });
  const addProject = async (who = ada): Promise<string> => {
    const { body } = await call<{ id: number }>('POST', '/projects', { name: `mill-${(serial += 1)}` }, who);
    const json = { user_id: developer.id, access_level: 30 };
    await call('POST', `/projects/${body.id}/members`, json, who);
    return `/projects/${body.id}`;
  };
  const give = (project: string, line: string, fields: object = {}, who = ada) =>
    call('POST', `${project}/deploy_keys`, { title: 'robot', key: line, ...fields }, who);
  const idsOf = async (project: string, who = ada) =>
    (await call<KeyBody[]>('GET', `${project}/deploy_keys`, undefined, who)).body.map(({ id }) => id);

  it('are given to a project, listed, read, changed and taken away', async () => {
    const project = await addProject();
    const key = makeKey();
    const given = await give(project, key.line);
    expect([given.status, given.body]).toEqual([
      201,
      {
        id: expect.any(Number),
        title: 'robot',
        created_at: expect.any(String),
        expires_at: null,
        last_used_at: null,
        key: `${key.bare} ada Example (localhost)`,
        usage_type: 'auth',
        fingerprint: expect.stringMatching(/^[0-9a-f:]{47}$/),
        fingerprint_sha256: expect.stringMatching(/^SHA256:.{43}$/),
        can_push: false,
      },
    ]);
    const path = `${project}/deploy_keys/${given.body.id}`;
    expect((await call('GET', path)).body).toEqual(given.body);
    expect((await call('PUT', path, { can_push: true })).body).toEqual({ ...given.body, can_push: true });
    expect((await call('PUT', path, { title: 'builder' })).body).toMatchObject({ title: 'builder', can_push: true });
    const neither = await call('PUT', path, {});
    expect([neither.status, neither.body]).toEqual([400, { message: { base: ['title or can_push must be given'] } }]);
    expect((await call('DELETE', path)).status).toBe(204);
    expect(await idsOf(project)).toEqual([]);
    expect((await call('DELETE', path)).body).toEqual({ message: '404 Deploy Key Not Found' });
  });

  it('are removed by DELETE …/deploy_keys/:key_id, where version 3 had …/disable', async () => {
    const project = await addProject();
    const { body } = await give(project, makeKey().line);
    expect((await call('DELETE', `${project}/deploy_keys/${body.id}/disable`)).status).toBe(404);
    expect((await call('DELETE', `${project}/deploy_keys/${body.id}`)).status).toBe(204);
  });

  it('are listed at GET /projects/:id/deploy_keys, where version 3 had GET /projects/:id/keys', async () => {
    const project = await addProject();
    const { body } = await give(project, makeKey().line);
    expect((await call('GET', `${project}/keys`)).status).toBe(404);
    expect(await idsOf(project)).toEqual([body.id]);
  });

  it('are for maintainers alone', async () => {
    const project = await addProject();
    const { body } = await give(project, makeKey().line);
    const one = `${project}/deploy_keys/${body.id}`;
    const asks: readonly (readonly [string, string, object?])[] = [
      ['GET', `${project}/deploy_keys`],
      ['GET', one],
      ['POST', `${project}/deploy_keys`, { title: 'x', key: makeKey().line }],
      ['PUT', one, { can_push: true }],
      ['POST', `${one}/enable`],
      ['DELETE', one],
    ];
    for (const [method, path, json] of asks) {
      expect((await call(method, path, json, developer)).status).toBe(403);
      expect((await call(method, path, json, eve)).status).toBe(404);
      expect((await service.call(method, path)).status).toBe(401);
    }
  });

  it('stay as they are where the project has the key', async () => {
    const project = await addProject();
    const { line } = makeKey();
    const first = await give(project, line);
    const again = await give(project, line, { title: 'other', can_push: true });
    expect([again.status, again.body]).toEqual([201, first.body]);
  });

  it('of another project are enabled by who manages that one, too', async () => {
    const [one, other] = [await addProject(), await addProject()];
    const { line } = makeKey();
    const first = await give(one, line, { can_push: true });
    const second = await give(other, line, { title: 'ignored' });
    expect(second.body).toEqual({ ...first.body, can_push: false });
    const third = await addProject();
    const enabled = await call('POST', `${third}/deploy_keys/${first.body.id}/enable`);
    const { can_push: _, ...withoutPush } = first.body;
    expect([enabled.status, enabled.body]).toEqual([201, withoutPush]);
    for (const project of [one, other, third]) expect(await idsOf(project)).toEqual([first.body.id]);
    for (const project of [one, other])
      expect((await call('DELETE', `${project}/deploy_keys/${first.body.id}`)).status).toBe(204);
    expect((await call('GET', `/keys/${first.body.id}`, undefined, root)).status).toBe(200);
    await call('DELETE', `${third}/deploy_keys/${first.body.id}`);
    expect((await call('GET', `/keys/${first.body.id}`, undefined, root)).status).toBe(404);
  });

  it('of strangers are neither enabled nor told apart from those of others', async () => {
    const [mine, theirs] = [await addProject(), await addProject(eve)];
    const { line } = makeKey();
    const { body } = await give(theirs, line, {}, eve);
    const enabled = await call('POST', `${mine}/deploy_keys/${body.id}/enable`);
    expect([enabled.status, enabled.body]).toEqual([404, { message: '404 Deploy Key Not Found' }]);
    expect((await give(mine, line)).body).toEqual({ message: { fingerprint: ['has already been taken'] } });
    const { line: personal } = makeKey();
    await call('POST', '/user/keys', { title: 'eve', key: personal }, eve);
    expect((await give(mine, personal)).body).toEqual({ message: { fingerprint: ['has already been taken'] } });
    expect((await call('POST', '/user/keys', { title: 'x', key: line })).status).toBe(400);
    expect((await give(mine, rsaLine(1024))).body).toEqual({ message: { key: ['must be at least 2048 bits'] } });
  });

  it('are one key however many projects get it at once', async () => {
    const projects = await Promise.all([addProject(), addProject(), addProject(), addProject()]);
    const { line } = makeKey();
    await Promise.all(projects.map((project) => give(project, line)));
    // Whoever was too early to see it was told so, and asks again.
    const answers = await Promise.all(projects.map((project) => give(project, line)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  });

  it('don’t outlive the last project, when it is removed', async () => {
    const [one, other] = [await addProject(), await addProject()];
    const alone = await give(one, makeKey().line);
    const shared = await give(one, makeKey().line);
    await call('POST', `${other}/deploy_keys/${shared.body.id}/enable`);
    await call('DELETE', one);
    // The service may have taken the job already, and be at it.
    await service.service.container.get(TOKENS.jobRunner).runDue();
    await until(async () => (await call('GET', `/keys/${alone.body.id}`, undefined, root)).status === 404);
    expect(await idsOf(other)).toEqual([shared.body.id]);
  });

  it('are found by administrators with who made them and their projects', async () => {
    const project = await addProject();
    const { body } = await give(project, makeKey().line, { can_push: true });
    const found = await call('GET', `/keys/${body.id}`, undefined, root);
    expect(found.body).toMatchObject({
      id: body.id,
      user: { username: 'ada' },
      deploy_keys_projects: [{ deploy_key_id: body.id, project_id: Number(project.split('/')[2]), can_push: true }],
    });
  });

  describe('of the installation', () => {
    it('are listed for administrators with the projects that have them', async () => {
      const project = await addProject();
      const { body } = await give(project, makeKey().line, { can_push: true });
      const list = await call<(KeyBody & { projects_with_write_access: { id: number }[] })[]>(
        'GET',
        '/deploy_keys?per_page=100',
        undefined,
        root,
      );
      const listed = list.body.find(({ id }) => id === body.id);
      expect(listed?.projects_with_write_access.map(({ id }) => `/projects/${id}`)).toEqual([project]);
      expect((await call('GET', '/deploy_keys')).status).toBe(403);
      expect((await call('POST', '/deploy_keys', { title: 'x', key: makeKey().line })).status).toBe(403);
    });

    it('may be public: every project enables them, administrators rename them, and they stay', async () => {
      const made = await call('POST', '/deploy_keys', { title: 'mirror', key: makeKey().line }, root);
      expect(made.status).toBe(201);
      const project = await addProject();
      const one = `${project}/deploy_keys/${made.body.id}`;
      expect((await call('POST', `${one}/enable`)).status).toBe(201);
      expect((await call('PUT', one, { title: 'mine' })).status).toBe(403);
      expect((await call('PUT', one, { can_push: true })).body).toMatchObject({ can_push: true });
      expect((await call('DELETE', one)).status).toBe(204);
      const listed = await call<KeyBody[]>('GET', '/deploy_keys?public=true', undefined, root);
      expect(listed.body.map(({ id }) => id)).toContain(made.body.id);
    });
  });
});
