import { expect, it } from '@jest/globals';
import { runnerOf } from '../support/ci-project.js';
import type { TestUser } from '../support/test-service.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

interface Trigger {
  readonly id: number;
  readonly token: string;
  readonly last_used: string | null;
  readonly [field: string]: unknown;
}

interface Pipeline {
  readonly id: number;
  readonly source: string;
  readonly message?: unknown;
  readonly error?: unknown;
  readonly [field: string]: unknown;
}

const CI = `
told:
  script: cat $TRIGGER_PAYLOAD
  only: [triggers]
pushed:
  script: make
  except: [triggers]
`;

describeWriting('triggers of pipelines', (writing) => {
  const project = async (text = CI, fields: object = {}) => {
    const loom = await writing.newProject(fields);
    await loom.write('main', { '.gitlab-ci.yml': text });
    return loom;
  };

  const make = async (loom: WrittenProject, user?: TestUser): Promise<Trigger> => {
    const made = await loom.call<Trigger>('POST', '/triggers', { description: 'Nightly' }, user);
    expect(made.status).toBe(201);
    return made.body;
  };

  const start = (id: number | string, sent: object, path = '/trigger/pipeline', headers = {}) =>
    writing.service.call<Pipeline>('POST', `/projects/${encodeURIComponent(id)}${path}`, { json: sent, headers });

  const member = async (loom: WrittenProject, name: string, level: number): Promise<TestUser> => {
    const user = await writing.service.addUser(`${name}-${loom.id}`);
    await loom.call('POST', '/members', { user_id: user.id, access_level: level });
    return user;
  };

  it('start a pipeline for whoever has the token, as if its owner had', async () => {
    const loom = await project();
    const { token, id } = await make(loom);
    const { status, body } = await start(loom.id, {
      token,
      ref: 'main',
      variables: { COLOR: 'red', SIZE: '7' },
      job_token: 'no business of jobs',
    });
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ source: 'trigger', ref: 'main', user: expect.objectContaining({ id: loom.owner.id }) }),
    ]);
    const jobs = await loom.call<{ name: string }[]>('GET', `/pipelines/${body.id}/jobs`);
    expect(jobs.body.map(({ name }) => name)).toEqual(['told']);
    const runner = await runnerOf(writing, loom);
    // The push that brought the file has its own.
    const taken = [await runner.take(), await runner.take()];
    const job = taken.find((each) => each?.job_info.name === 'told');
    const given = new Map(job!.variables.map((variable) => [variable.key, variable]));
    expect(given.get('COLOR')).toMatchObject({ value: 'red', public: false });
    expect(given.get('CI_PIPELINE_TRIGGERED')).toMatchObject({ value: 'true' });
    expect(given.get('TRIGGER_PAYLOAD')).toMatchObject({ file: true, raw: true, public: false });
    expect(JSON.parse(given.get('TRIGGER_PAYLOAD')!.value)).toEqual({
      ref: 'main',
      variables: { COLOR: 'red', SIZE: '7' },
    });
    const used = await loom.call<Trigger>('GET', `/triggers/${id}`);
    expect(used.body.last_used).toEqual(expect.any(String));
  });

  it('take forms, the address of a branch with a slash, and the path of the project', async () => {
    const loom = await project();
    await loom.write('fix/loom', { 'README.md': '# Loom' }, { start_branch: 'main' });
    const { token } = await make(loom);
    const answer = await fetch(`${writing.service.url}/api/v4/projects/${loom.id}/ref/fix%2Floom/trigger/pipeline`, {
      method: 'POST',
      body: new URLSearchParams({ token, 'variables[COLOR]': 'blue' }),
    });
    const body = (await answer.json()) as Pipeline;
    expect([answer.status, body]).toEqual([201, expect.objectContaining({ ref: 'fix/loom', source: 'trigger' })]);
    const variables = await loom.call<object[]>('GET', `/pipelines/${body.id}/variables`);
    expect(variables.body).toContainEqual({ variable_type: 'env_var', key: 'COLOR', value: 'blue' });
    const { body: named } = await loom.call<{ path_with_namespace: string }>('GET', '');
    expect((await start(named.path_with_namespace, { token, ref: 'main' })).status).toBe(201);
  });

  it('are unknown by any other token, in any other project, and where their owner sees nothing any more', async () => {
    const loom = await project();
    const other = await project();
    const keeper = await member(loom, 'keeper', 40);
    const { token } = await make(loom, keeper);
    const unknown = { status: 404, body: { message: '404 Not Found' } };
    expect(await start(loom.id, { token: `${token}x`, ref: 'main' })).toMatchObject(unknown);
    expect(await start(other.id, { token, ref: 'main' })).toMatchObject(unknown);
    expect(await start(999_999, { token, ref: 'main' })).toMatchObject(unknown);
    await loom.call('PUT', `/members/${keeper.id}`, { access_level: 20 });
    expect(await start(loom.id, { token, ref: 'main' })).toMatchObject({
      status: 400,
      body: { message: { base: ['Insufficient permissions to create a new pipeline'] } },
    });
    await loom.call('DELETE', `/members/${keeper.id}`);
    expect(await start(loom.id, { token, ref: 'main' })).toMatchObject(unknown);
  });

  it('start nothing for an owner who is blocked', async () => {
    const loom = await project();
    const keeper = await member(loom, 'blocked', 40);
    const { token } = await make(loom, keeper);
    const admin = await writing.service.addUser(`root-${loom.id}`, { admin: true });
    await writing.service.call('POST', `/users/${keeper.id}/block`, { token: admin.token });
    expect(await start(loom.id, { token, ref: 'main' })).toMatchObject({ status: 404 });
  });

  it('start nothing on a protected branch that their owner may not push to', async () => {
    const loom = await project();
    const keeper = await member(loom, 'guarded', 40);
    const { token } = await make(loom, keeper);
    await loom.call('DELETE', '/protected_branches/main');
    await loom.call('POST', '/protected_branches', { name: 'main', push_access_level: 0, merge_access_level: 0 });
    expect(await start(loom.id, { token, ref: 'main' })).toMatchObject({
      status: 400,
      body: { message: { base: ["You do not have sufficient permission to run a pipeline on 'main'."] } },
    });
  });

  it('say what is missing or wrong of what is sent', async () => {
    const loom = await project();
    const { token } = await make(loom);
    expect(await start(loom.id, {})).toMatchObject({
      status: 400,
      body: { error: 'ref is missing, token is missing' },
    });
    expect(await start(loom.id, { token, ref: '' })).toMatchObject({ status: 400, body: { error: 'ref is empty' } });
    expect(await start(loom.id, { token, ref: 'gone' })).toMatchObject({
      status: 400,
      body: { message: { base: ['Reference not found'] } },
    });
    for (const variables of [{ COLOR: 7 }, { COLOR: { a: 'b' } }])
      expect(await start(loom.id, { token, ref: 'main', variables })).toMatchObject({
        status: 400,
        body: { error: 'variables needs to be a map of key-valued strings' },
      });
    for (const variables of [{ 'not a key': 'x' }, { COLOR: 'x'.repeat(10_001) }])
      expect(await start(loom.id, { token, ref: 'main', variables })).toMatchObject({
        status: 400,
        body: { message: { base: ['Variables are invalid'] } },
      });
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`KEY_${index}`, 'x']));
    expect((await start(loom.id, { token, ref: 'main', variables: many })).status).toBe(400);
    const payload = { token, ref: 'main', padding: 'x'.repeat(70_000) };
    expect((await start(loom.id, payload)).status).toBe(413);
    const pipelines = await loom.call<Pipeline[]>('GET', '/pipelines?source=trigger');
    expect(pipelines.body).toEqual([]);
  });

  it('start nothing when a webhook of pipelines calls, in an archived project, without CI, or once they are removed', async () => {
    const loom = await project();
    const { token, id } = await make(loom);
    const hook = { 'X-Gitlab-Event': 'Pipeline Hook' };
    expect((await start(loom.id, { token, ref: 'main' }, undefined, hook)).status).toBe(403);
    await loom.call('POST', '/archive', {});
    expect((await start(loom.id, { token, ref: 'main' })).status).toBe(403);
    await loom.call('POST', '/unarchive', {});
    await loom.call('PUT', '', { jobs_enabled: false });
    expect((await start(loom.id, { token, ref: 'main' })).status).toBe(403);
    await loom.call('PUT', '', { jobs_enabled: true });
    expect((await loom.call('DELETE', `/triggers/${id}`)).status).toBe(204);
    expect((await start(loom.id, { token, ref: 'main' })).status).toBe(404);
    expect((await loom.call('DELETE', `/triggers/${id}`)).status).toBe(404);
  });

  it('show the whole token to their owner alone, and are kept from those who do not look after the project', async () => {
    const loom = await project();
    const keeper = await member(loom, 'second', 40);
    const developer = await member(loom, 'developer', 30);
    const stranger = await writing.service.addUser(`stranger-${loom.id}`);
    const { token, id } = await make(loom);
    expect(token).toMatch(/^glptt-/);
    const own = await loom.call<Trigger[]>('GET', '/triggers');
    expect(own.body).toEqual([expect.objectContaining({ id, token, description: 'Nightly', last_used: null })]);
    const others = await loom.call<Trigger[]>('GET', '/triggers', undefined, keeper);
    expect(others.body).toEqual([expect.objectContaining({ id, token: token.slice(0, 4) })]);
    for (const [user, status] of [
      [developer, 403],
      [stranger, 404],
    ] as const) {
      expect((await loom.call('GET', '/triggers', undefined, user)).status).toBe(status);
      expect((await loom.call('GET', `/triggers/${id}`, undefined, user)).status).toBe(status);
      expect((await loom.call('POST', '/triggers', { description: 'x' }, user)).status).toBe(status);
      expect((await loom.call('PUT', `/triggers/${id}`, { description: 'x' }, user)).status).toBe(status);
      expect((await loom.call('DELETE', `/triggers/${id}`, undefined, user)).status).toBe(status);
    }
    const changed = await loom.call<Trigger>('PUT', `/triggers/${id}`, { description: 'Weekly' }, keeper);
    expect(changed).toMatchObject({ status: 200, body: { id, description: 'Weekly', token: token.slice(0, 4) } });
    const other = await project();
    for (const method of ['GET', 'PUT', 'DELETE'] as const)
      expect(
        (await other.call(method, `/triggers/${id}`, method === 'PUT' ? { description: 'x' } : undefined)).status,
      ).toBe(404);
  });

  it('need to say what they are for, and are at most a hundred', async () => {
    const loom = await project();
    expect(await loom.call('POST', '/triggers', {})).toMatchObject({
      status: 400,
      body: { error: 'description is missing' },
    });
    for (const description of ['  ', 'x'.repeat(256)])
      expect((await loom.call('POST', '/triggers', { description })).status).toBe(400);
    for (let made = 0; made < 97; made += 1) await make(loom);
    const at = await Promise.all(
      Array.from({ length: 8 }, () => loom.call('POST', '/triggers', { description: 'One' })),
    );
    expect(at.map(({ status }) => status).sort()).toEqual([201, 201, 201, 400, 400, 400, 400, 400]);
  });

  it('go by rules that ask for variables which people keep', async () => {
    const loom = await project(`
open:
  script: make
  rules: [{ if: $DEPLOYS == "yes" }]
kept:
  script: make
  rules: [{ if: $SECRET }]
always:
  script: make
`);
    await loom.write('open', { 'README.md': '# Loom' }, { start_branch: 'main' });
    await loom.call('POST', '/variables', { key: 'DEPLOYS', value: 'yes' });
    await loom.call('POST', '/variables', { key: 'SECRET', value: 'x', protected: true });
    const { token } = await make(loom);
    const jobs = async (ref: string) => {
      const { body } = await start(loom.id, { token, ref });
      const { body: made } = await loom.call<{ name: string }[]>('GET', `/pipelines/${body.id}/jobs`);
      return made.map(({ name }) => name).sort();
    };
    expect(await jobs('main')).toEqual(['always', 'kept', 'open']);
    expect(await jobs('open')).toEqual(['always', 'open']);
  });
});
