import { expect, it } from '@jest/globals';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

interface Environment {
  readonly id: number;
  readonly name: string;
  readonly state: string;
  readonly message?: unknown;
  readonly [field: string]: unknown;
}

interface Deployment {
  readonly id: number;
  readonly iid: number;
  readonly status: string;
  readonly message?: unknown;
  readonly [field: string]: unknown;
}

const GUEST = 10;
const REPORTER = 20;
const DEVELOPER = 30;

describeWriting('environments', (writing) => {
  const project = async (fields: object = {}) => {
    const loom = await writing.newProject(fields);
    const { id: sha } = await loom.write('main', { 'README.md': '# Loom\n' });
    return { loom, sha };
  };

  const make = async (loom: WrittenProject, name: string, fields: object = {}) => {
    const made = await loom.call<Environment>('POST', '/environments', { name, ...fields });
    expect(made).toMatchObject({ status: 201, body: { name, state: 'available' } });
    return made.body;
  };

  const stateOf = async (loom: WrittenProject, id: number) =>
    (await loom.call<Environment>('GET', `/environments/${id}`)).body.state;

  const namesIn = async (loom: WrittenProject, query = '') =>
    (await loom.call<Environment[]>('GET', `/environments?${query}`)).body.map(({ name }) => name);

  const tell = (loom: WrittenProject, sha: string, fields: object = {}) =>
    loom.call<Deployment>('POST', '/deployments', {
      ...{ environment: 'production', sha, ref: 'main', tag: false, status: 'success' },
      ...fields,
    });

  it('are made with a slug and a tier, shown with a simple form of their project, changed, stopped, and removed', async () => {
    const { loom } = await project();
    const made = await make(loom, 'review/Topic', { external_url: 'https://topic.example' });
    expect(made).toEqual({
      ...{ id: expect.any(Number), name: 'review/Topic', slug: expect.stringMatching(/^review-topic-[0-9a-z]{6}$/) },
      ...{ external_url: 'https://topic.example', tier: 'development', state: 'available', auto_stop_at: null },
      ...{ created_at: expect.any(String), updated_at: expect.any(String) },
      project: expect.objectContaining({ id: loom.id, path_with_namespace: loom.project.path, star_count: 0 }),
    });
    expect(made['project']).not.toHaveProperty('visibility');
    const { id } = made;
    const listed = await loom.call<Environment[]>('GET', '/environments');
    expect(listed.body).toEqual([made]);
    const changed = await loom.call<Environment>('PUT', `/environments/${id}`, { tier: 'other', external_url: '' });
    expect(changed).toMatchObject({ status: 200, body: { slug: made['slug'], tier: 'other', external_url: null } });
    expect((await loom.call('DELETE', `/environments/${id}`)).status).toBe(403);
    const stopped = await loom.call<Environment>('POST', `/environments/${id}/stop`, {});
    expect(stopped).toMatchObject({ status: 200, body: { id, state: 'stopped', last_deployment: null } });
    expect((await loom.call('POST', `/environments/${id}/stop`, {})).status).toBe(200);
    expect((await loom.call('DELETE', `/environments/${id}`)).status).toBe(204);
    expect((await loom.call('GET', `/environments/${id}`)).status).toBe(404);
  });

  it('are listed by their names, in pages, by name, by part of it, and by how they stand', async () => {
    const { loom } = await project();
    for (const name of ['staging', 'production', 'Review/b', 'review/a_b']) await make(loom, name);
    const { id } = await make(loom, 'old');
    await loom.call('POST', `/environments/${id}/stop`, {});
    expect(await namesIn(loom)).toEqual(['Review/b', 'old', 'production', 'review/a_b', 'staging']);
    expect(await namesIn(loom, 'name=review/a_b')).toEqual(['review/a_b']);
    expect(await namesIn(loom, 'name=review')).toEqual([]);
    expect(await namesIn(loom, 'search=REVIEW')).toEqual(['Review/b', 'review/a_b']);
    expect(await namesIn(loom, 'search=a_b')).toEqual(['review/a_b']);
    expect(await namesIn(loom, 'search=a%25b')).toEqual([]);
    expect(await namesIn(loom, 'states=stopped')).toEqual(['old']);
    expect(await namesIn(loom, 'states=available&per_page=2&page=2')).toEqual(['review/a_b', 'staging']);
    for (const query of ['search=ab', 'name=a&search=abc', 'states=gone'])
      expect((await loom.call('GET', `/environments?${query}`)).status).toBe(400);
  });

  it('are refused by name: one that is taken or none, another address than one of the web, and a slug', async () => {
    const { loom } = await project();
    const { id } = await make(loom, 'production');
    const refusals = [
      [{ name: 'production' }, { name: ['has already been taken'] }],
      [{ name: 'a#b' }, { name: [expect.stringContaining('can contain only letters')] }],
      [{ name: 'a', external_url: 'javascript:alert(1)' }, { external_url: [expect.stringContaining('is blocked')] }],
      [{ name: 'a', slug: 'b' }, 'slug is automatically generated and cannot be changed'],
    ] as const;
    for (const [fields, message] of refusals) {
      const { status, body } = await loom.call('POST', '/environments', fields);
      expect([status, body]).toEqual([400, { message }]);
    }
    const { id: other } = await make(loom, 'other');
    const renamed = await loom.call('PUT', `/environments/${other}`, { name: 'production' });
    expect(renamed).toMatchObject({ status: 400, body: { message: { name: ['has already been taken'] } } });
    // Its slug stays with it, and the next of its name has another.
    await loom.call('PUT', `/environments/${id}`, { name: 'former' });
    expect((await make(loom, 'production'))['slug']).toMatch(/^production-[0-9a-z]{6}$/);
    const slugged = await loom.call('PUT', `/environments/${id}`, { slug: 'x' });
    expect(slugged.status).toBe(400);
    expect((await loom.call('POST', '/environments', { name: 'a', tier: 'best' })).status).toBe(400);
  });

  it('are made once of a name, and stopped once, however many ask at once', async () => {
    const { loom, sha } = await project();
    const six = Array.from({ length: 6 });
    const made = await Promise.all(six.map(() => loom.call('POST', '/environments', { name: 'once' })));
    expect(made.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400, 400]);
    const told = await Promise.all(six.map(() => tell(loom, sha, { environment: 'told' })));
    expect(told.map(({ status }) => status)).toEqual(six.map(() => 201));
    expect(told.map(({ body }) => body.iid).sort((one, other) => one - other)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await namesIn(loom)).toEqual(['once', 'told']);
    const { id } = told[0]!.body['environment'] as Environment;
    const stops = six.map(() => loom.call<Environment>('POST', `/environments/${id}/stop`, {}));
    expect((await Promise.all(stops)).map(({ status, body }) => [status, body.state])).toEqual(
      six.map(() => [200, 'stopped']),
    );
  });

  it('are shown to whoever reads the code, and changed by Developers alone', async () => {
    const { loom, sha } = await project();
    const { id } = await make(loom, 'production');
    const { body: deployed } = await tell(loom, sha);
    const changes = [
      ['POST', '/environments', { name: 'mine' }],
      ['PUT', `/environments/${id}`, { tier: 'other' }],
      ['POST', `/environments/${id}/stop`, {}],
      ['DELETE', `/environments/${id}`, undefined],
      ['POST', '/deployments', { environment: 'a', sha, ref: 'main', tag: false, status: 'success' }],
      ['PUT', `/deployments/${deployed.id}`, { status: 'failed' }],
      ['DELETE', `/deployments/${deployed.id}`, undefined],
    ] as const;
    const reads = ['/environments', `/environments/${id}`, '/deployments', `/deployments/${deployed.id}`];
    const seen = async () => {
      const answers: number[] = [];
      for (const path of reads) answers.push((await loom.call('GET', path, undefined, writing.grace)).status);
      for (const [method, path, json] of changes)
        answers.push((await loom.call(method, path, json, writing.grace)).status);
      answers.push(await globally(id));
      return [...new Set(answers.slice(0, 4)), ...new Set(answers.slice(4))];
    };
    const globally = async (wanted: number) => {
      const { token } = writing.grace;
      return (await writing.service.call('POST', `/environments/${wanted}/stop`, { token, json: {} })).status;
    };
    expect(await seen()).toEqual([404, 404]);
    await loom.addMember(writing.grace, GUEST);
    expect(await seen()).toEqual([403, 403, 404]);
    await loom.call('PUT', `/members/${writing.grace.id}`, { access_level: REPORTER });
    expect(await seen()).toEqual([200, 403]);
    expect(await stateOf(loom, id)).toBe('available');
    await loom.call('PUT', `/members/${writing.grace.id}`, { access_level: DEVELOPER });
    expect(await globally(id)).toBe(200);
    expect(await stateOf(loom, id)).toBe('stopped');
  });

  it('are named by their own project alone, and no further id of another opens one', async () => {
    const { loom, sha } = await project();
    const { loom: other, sha: otherSha } = await project();
    const { id } = await make(other, 'production');
    const { body: deployed } = await tell(other, otherSha);
    await make(loom, 'production');
    await tell(loom, sha);
    for (const [method, path, json] of [
      ['GET', `/environments/${id}`, undefined],
      ['PUT', `/environments/${id}`, { tier: 'other' }],
      ['POST', `/environments/${id}/stop`, {}],
      ['DELETE', `/environments/${id}`, undefined],
      ['GET', `/deployments/${deployed.id}`, undefined],
      ['PUT', `/deployments/${deployed.id}`, { status: 'failed' }],
      ['DELETE', `/deployments/${deployed.id}`, undefined],
    ] as const)
      expect([path, (await loom.call(method, path, json)).status]).toEqual([path, 404]);
    // By the id that is its own among all of them, too.
    const { token } = writing.grace;
    for (const wanted of [String(id), '99999', 'production']) {
      const answer = await writing.service.call('POST', `/environments/${wanted}/stop`, { token, json: {} });
      expect([wanted, answer.status]).toEqual([wanted, 404]);
    }
    expect(await stateOf(other, id)).toBe('available');
    expect((await tell(loom, otherSha)).status).toBe(otherSha === sha ? 201 : 400);
  });

  it('stay as they are while their project is archived, and go with it', async () => {
    const { loom, sha } = await project();
    const { id } = await make(loom, 'production');
    await tell(loom, sha);
    await loom.call('POST', '/archive');
    expect((await loom.call('POST', `/environments/${id}/stop`, {})).status).toBe(403);
    expect((await loom.call('POST', '/environments', { name: 'a' })).status).toBe(403);
    expect((await tell(loom, sha)).status).toBe(403);
    expect(await stateOf(loom, id)).toBe('available');
    await loom.call('POST', '/unarchive');
    expect((await loom.call('POST', `/environments/${id}/stop`, {})).status).toBe(200);
  });

  it('keep what programs elsewhere tell of deployments: each by its number, filtered and ordered, the last that succeeded with them', async () => {
    const { loom, sha } = await project();
    const { status, body: first } = await tell(loom, sha);
    expect([status, first]).toEqual([
      201,
      {
        ...{ id: expect.any(Number), iid: 1, ref: 'main', sha, status: 'success', deployable: null },
        ...{ created_at: expect.any(String), updated_at: expect.any(String) },
        user: expect.objectContaining({ id: writing.ada.id }),
        environment: expect.objectContaining({ name: 'production', slug: 'production' }),
      },
    ]);
    const { body: second } = await tell(loom, sha, { status: 'running' });
    await tell(loom, sha, { environment: 'staging', status: 'failed' });
    const { id } = first['environment'] as Environment;
    const shown = await loom.call<Environment>('GET', `/environments/${id}`);
    expect(shown.body['last_deployment']).toEqual(first);
    const iids = async (query: string) =>
      (await loom.call<Deployment[]>('GET', `/deployments?${query}`)).body.map(({ iid }) => iid);
    expect(await iids('')).toEqual([1, 2, 3]);
    expect(await iids('order_by=iid&sort=desc')).toEqual([3, 2, 1]);
    expect(await iids('environment=production')).toEqual([1, 2]);
    expect(await iids('status=running')).toEqual([2]);
    expect(await iids('status=blocked')).toEqual([]);
    expect(await iids('updated_after=2100-01-01')).toEqual([]);
    expect(await iids('finished_after=2020-01-01T00:00:00Z&order_by=finished_at')).toEqual([1, 3]);
    expect((await loom.call('GET', '/deployments?status=best')).status).toBe(400);
    const ended = await loom.call<Deployment>('PUT', `/deployments/${second.id}`, { status: 'success' });
    expect(ended).toMatchObject({ status: 200, body: { status: 'success' } });
    expect((await loom.call('PUT', `/deployments/${second.id}`, { status: 'failed' })).status).toBe(400);
    const now = await loom.call<Environment>('GET', `/environments/${id}`);
    expect(now.body['last_deployment']).toMatchObject({ iid: 2 });
    expect((await loom.call('DELETE', `/deployments/${second.id}`)).status).toBe(400);
    expect((await loom.call('DELETE', `/deployments/${first.id}`)).status).toBe(204);
    expect(await iids('')).toEqual([2, 3]);
  });

  it('take no deployment of a commit or a branch that is not there, and begin again with one that succeeds', async () => {
    const { loom, sha } = await project();
    const refusals = [
      [{ sha: 'a'.repeat(40) }, { sha: ['The commit does not exist'] }],
      [{ sha: 'main' }, { sha: ['The commit does not exist'] }],
      [{ ref: 'gone' }, { ref: ['The branch or tag does not exist'] }],
      [{ tag: true }, { ref: ['The branch or tag does not exist'] }],
      [{ environment: 'a#b' }, { name: [expect.any(String)] }],
    ] as const;
    for (const [fields, message] of refusals) {
      const { status, body } = await tell(loom, sha, fields);
      expect([status, body]).toEqual([400, { message }]);
    }
    expect(await namesIn(loom)).toEqual([]);
    const { id } = await make(loom, 'production');
    await loom.call('POST', `/environments/${id}/stop`, {});
    const { body: running } = await tell(loom, sha, { status: 'running' });
    expect(await stateOf(loom, id)).toBe('stopped');
    await loom.call('PUT', `/deployments/${running.id}`, { status: 'success' });
    expect(await stateOf(loom, id)).toBe('available');
  });
});
