import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { ENVIRONMENT_TOKENS } from '../../src/infrastructure/composition/environments.tokens.js';
import { REPOSITORY_TOKENS } from '../../src/infrastructure/composition/repositories.tokens.js';
import type { Repositories } from '../../src/infrastructure/composition/storages.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { TestRunner, type TakenJob } from '../support/ci-runner.js';
import { FormBrowser } from '../support/form-browser.js';
import type { TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
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

const PASSING = { state: 'success' };
const FAILING = { state: 'failed', failure_reason: 'script_failure', exit_code: 2 };

const CI = `
stages: [build, deploy]
build: { stage: build, script: make }
deploy:
  stage: deploy
  script: make deploy
  variables: { AREA: review }
  environment:
    name: $AREA/$CI_COMMIT_REF_NAME
    url: https://$CI_ENVIRONMENT_SLUG.example/$CI_COMMIT_BRANCH
    on_stop: stop
    auto_stop_in: 1 day
    deployment_tier: staging
stop:
  stage: deploy
  script: make stop
  when: manual
  environment: { name: review/$CI_COMMIT_REF_NAME, action: stop }
check:
  stage: deploy
  script: make check
  environment: { name: review/$CI_COMMIT_REF_NAME, action: verify }
`;

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
      ['GET', `/deployments/${deployed.id}/merge_requests`, undefined],
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
    expect((await writing.service.call('DELETE', `/projects/${loom.id}`, { token: loom.owner.token })).status).toBe(
      202,
    );
    await until(async () => {
      const { query } = writing.service.service.database.reader;
      const of = { project_id: loom.id };
      const left = [query('environments').where(of).first('id'), query('deployments').where(of).first('id')];
      return (await Promise.all(left)).every((row) => row === undefined);
    });
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
    expect(await iids('order_by=finished_at&sort=desc')).toEqual([3, 1]);
    expect(await iids('finished_after=2020-01-01T00:00:00Z&order_by=finished_at')).toEqual([1, 3]);
    expect((await loom.call('GET', '/deployments?status=best')).status).toBe(400);
    const ended = await loom.call<Deployment>('PUT', `/deployments/${second.id}`, { status: 'success' });
    expect(ended).toMatchObject({ status: 200, body: { status: 'success' } });
    expect((await loom.call('PUT', `/deployments/${second.id}`, { status: 'running' })).status).toBe(400);
    const now = await loom.call<Environment>('GET', `/environments/${id}`);
    expect(now.body['last_deployment']).toMatchObject({ iid: 2 });
    expect((await loom.call('DELETE', `/deployments/${second.id}`)).status).toBe(400);
    expect((await loom.call('DELETE', `/deployments/${first.id}`)).status).toBe(204);
    expect(await iids('')).toEqual([2, 3]);
  });

  it('tell which merge requests a deployment that succeeded was the first to bring, and no others', async () => {
    const { loom, sha } = await project();
    const merged = async (branch: string) => {
      await loom.call('POST', '/repository/branches', { branch, ref: 'main' });
      await loom.write(branch, { [`${branch}.c`]: 'int a;\n' });
      const fields = { source_branch: branch, target_branch: 'main', title: branch };
      const { iid } = (await loom.call<{ iid: number }>('POST', '/merge_requests', fields)).body;
      const answer = await loom.call<{ merge_commit_sha: string }>('PUT', `/merge_requests/${iid}/merge`, {});
      expect(answer.status).toBe(200);
      return answer.body.merge_commit_sha;
    };
    const brought = async (deployed: { readonly body: Deployment }) => {
      const path = `/deployments/${deployed.body.id}/merge_requests`;
      return (await loom.call<{ title: string }[]>('GET', path)).body.map(({ title }) => title).sort();
    };
    const [one, two] = [await merged('one'), await merged('two')];
    const three = await merged('three');
    const first = await tell(loom, sha);
    const second = await tell(loom, two);
    const failed = await tell(loom, three, { status: 'failed' });
    const elsewhere = await tell(loom, one, { environment: 'staging' });
    const third = await tell(loom, three);
    const told = [];
    for (const each of [first, second, failed, elsewhere, third]) told.push(await brought(each));
    expect(told).toEqual([[], ['one', 'two'], [], ['one'], ['three']]);
    const { id } = second.body;
    expect((await loom.call('GET', `/deployments/${id}/merge_requests`, undefined, writing.grace)).status).toBe(404);
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

  /** Resolves when what follows pushes is done, by whoever. */
  const followed = () =>
    until(async () => {
      const { container, database } = writing.service.service;
      await container.get(REPOSITORY_TOKENS.codeWorks).runDue();
      return (await database.reader.query('code_works').first('id')) === undefined;
    });

  /** A project with jobs, and a runner that takes nobody else's. */
  const withJobs = async (text = CI) => {
    const loom = await writing.newProject();
    const fields = { runner_type: 'project_type', project_id: loom.id, run_untagged: true };
    const runner = await TestRunner.make(writing.service, writing.ada, fields);
    const { id: sha } = await loom.write('main', { '.gitlab-ci.yml': text });
    await followed();
    return { loom, runner, sha };
  };

  const environmentsIn = async (loom: WrittenProject) => (await loom.call<Environment[]>('GET', '/environments')).body;

  const statusesIn = async (loom: WrittenProject) =>
    (await loom.call<Deployment[]>('GET', '/deployments')).body.map(({ status }) => status);

  const variablesOf = (job: TakenJob, begin: string) =>
    Object.fromEntries(job.variables.filter(({ key }) => key.startsWith(begin)).map(({ key, value }) => [key, value]));

  /** Takes and ends the jobs of these names, in whatever order they come. */
  const runThrough = async (runner: TestRunner, names: readonly string[]) =>
    expect([...(await runner.runAll())].sort()).toEqual([...names].sort());

  const jobNamed = async (loom: WrittenProject, name: string) => {
    const { body } = await loom.call<{ id: number; name: string; status: string }[]>('GET', '/jobs');
    return body.find((job) => job.name === name)!;
  };

  it('are made with the pipeline whose jobs name them, and stand as the deployment of their job does', async () => {
    const { loom, runner, sha } = await withJobs();
    const [made] = await environmentsIn(loom);
    expect(made).toMatchObject({ name: 'review/main', tier: 'staging', state: 'available', external_url: null });
    // A deployment begins with its job.
    expect(await statusesIn(loom)).toEqual([]);
    await runner.end(await runner.takeNamed('build'), PASSING);
    const job = await runner.takeNamed('deploy');
    expect(await statusesIn(loom)).toEqual(['running']);
    const address = `https://${made!['slug'] as string}.example/main`;
    expect(variablesOf(job, 'CI_ENVIRONMENT_')).toEqual({
      ...{ CI_ENVIRONMENT_NAME: 'review/main', CI_ENVIRONMENT_SLUG: made!['slug'], CI_ENVIRONMENT_URL: address },
      ...{ CI_ENVIRONMENT_ACTION: 'start', CI_ENVIRONMENT_TIER: 'staging' },
    });
    await runner.end(job, PASSING);
    const { body } = await loom.call<Environment>('GET', `/environments/${made!.id}`);
    expect(body).toMatchObject({ external_url: address, auto_stop_at: expect.any(String) });
    expect(body['last_deployment']).toMatchObject({
      ...{ iid: 1, status: 'success', ref: 'main', sha, user: { id: writing.ada.id } },
      deployable: { id: job.id, name: 'deploy', status: 'success', commit: { id: sha } },
    });
    // What only looks at it deploys nothing.
    await runThrough(runner, ['check']);
    expect(await statusesIn(loom)).toEqual(['success']);
    const { id } = body['last_deployment'] as Deployment;
    expect((await loom.call('PUT', `/deployments/${id}`, { status: 'failed' })).status).toBe(403);
    // Deployed anew by running the job again.
    expect((await loom.call('POST', `/jobs/${job.id}/retry`, {})).status).toBe(201);
    expect(await statusesIn(loom)).toEqual(['success']);
    await runner.end(await runner.takeNamed('deploy'), FAILING);
    expect(await statusesIn(loom)).toEqual(['success', 'failed']);
  });

  it('are stopped by the job that undoes what was deployed, which is run again where it was run before', async () => {
    const { loom, runner } = await withJobs();
    const [{ id }] = (await environmentsIn(loom)) as [Environment];
    await runThrough(runner, ['build', 'deploy', 'check']);
    const stop = (fields: object = {}) => loom.call<Environment>('POST', `/environments/${id}/stop`, fields);
    expect(await stop()).toMatchObject({ status: 200, body: { state: 'stopping', auto_stop_at: null } });
    expect((await loom.call('DELETE', `/environments/${id}`)).status).toBe(403);
    const stopping = await runner.takeNamed('stop');
    expect(variablesOf(stopping, 'CI_ENVIRONMENT_ACTION')).toEqual({ CI_ENVIRONMENT_ACTION: 'stop' });
    await runner.end(stopping, FAILING);
    expect(await stateOf(loom, id)).toBe('available');
    const both = await Promise.all([stop(), stop()]);
    expect(both.map(({ status, body }) => [status, body.state])).toEqual([
      [200, 'stopping'],
      [200, 'stopping'],
    ]);
    await runThrough(runner, ['stop']);
    expect(await stateOf(loom, id)).toBe('stopped');
    expect(await statusesIn(loom)).toEqual(['success']);
    await loom.call('POST', `/jobs/${(await jobNamed(loom, 'deploy')).id}/retry`, {});
    expect(await stateOf(loom, id)).toBe('stopped');
    await runThrough(runner, ['deploy']);
    expect(await stateOf(loom, id)).toBe('available');
    expect((await stop({ force: true })).body.state).toBe('stopped');
    expect(await runner.take()).toBeUndefined();
  });

  it('of a protected branch are stopped by who may run its jobs alone', async () => {
    const { loom, runner } = await withJobs();
    await runThrough(runner, ['build', 'deploy', 'check']);
    const [{ id }] = (await environmentsIn(loom)) as [Environment];
    await loom.addMember(writing.grace, DEVELOPER);
    await loom.call('DELETE', '/protected_branches/main');
    await loom.call('POST', '/protected_branches', { name: 'main', push_access_level: 40, merge_access_level: 40 });
    const stop = (user = loom.owner, fields: object = {}) =>
      loom.call<Environment>('POST', `/environments/${id}/stop`, fields, user);
    expect((await stop(writing.grace)).status).toBe(403);
    expect((await stop(writing.grace, { force: true })).status).toBe(403);
    const { sha } = (await loom.call<{ sha: string }>('GET', '/pipelines/latest')).body;
    const told = { environment: 'production', sha, ref: 'main', tag: false, status: 'success' };
    const [{ name: environment }] = (await environmentsIn(loom)) as [Environment];
    expect((await loom.call('POST', '/deployments', { ...told, environment }, writing.grace)).status).toBe(201);
    // What a client tells takes nothing of that away.
    expect((await stop(writing.grace)).status).toBe(403);
    expect(await stateOf(loom, id)).toBe('available');
    expect((await stop()).body.state).toBe('stopping');
  });

  it('wait for a job that stops them already, are not undone by one that says nothing of it, and wait for none that is gone', async () => {
    const { loom, runner } = await withJobs();
    await runThrough(runner, ['build', 'deploy', 'check']);
    const [{ id }] = (await environmentsIn(loom)) as [Environment];
    const stop = () => loom.call<Environment>('POST', `/environments/${id}/stop`, {});
    await loom.call('POST', `/jobs/${(await jobNamed(loom, 'stop')).id}/play`, {});
    const stopping = await runner.takeNamed('stop');
    expect((await stop()).body.state).toBe('stopping');
    expect(await runner.take()).toBeUndefined();
    const [{ id: pipeline }] = (await loom.call<{ id: number }[]>('GET', '/pipelines')).body as [{ id: number }];
    expect((await loom.call('DELETE', `/pipelines/${pipeline}`)).status).toBe(204);
    expect(await stateOf(loom, id)).toBe('available');
    expect((await runner.say(stopping, PASSING)).status).toBe(403);
    const text =
      'deploy: { script: make, environment: { name: x, on_stop: test } }\ntest: { script: make, when: manual }\n';
    const { loom: other, runner: another } = await withJobs(text);
    await runThrough(another, ['deploy']);
    const [made] = (await environmentsIn(other)) as [Environment];
    const stopped = await other.call<Environment>('POST', `/environments/${made.id}/stop`, {});
    expect([stopped.body.state, await another.take()]).toEqual(['stopped', undefined]);
  });

  it('hold what was brought last, also where that is an older commit whose job waited for somebody', async () => {
    const text =
      'deploy: { script: make, when: manual, environment: { name: production, url: "https://$CI_COMMIT_SHORT_SHA.example" } }\n';
    const { loom, runner, sha } = await withJobs(text);
    const { id: newer } = await loom.write('main', { a: 'a' });
    await followed();
    const { body: jobs } = await loom.call<{ id: number; commit: { id: string } }[]>('GET', '/jobs');
    expect(await statusesIn(loom)).toEqual([]);
    const deploy = async (commit: string) => {
      await loom.call('POST', `/jobs/${jobs.find((job) => job.commit.id === commit)!.id}/play`, {});
      return runner.takeNamed('deploy');
    };
    const there = async () => {
      const [{ id }] = (await environmentsIn(loom)) as [Environment];
      const { body } = await loom.call<Environment>('GET', `/environments/${id}`);
      return [(body['last_deployment'] as { sha: string }).sha, body['external_url']];
    };
    await runner.end(await deploy(newer), PASSING);
    expect(await there()).toEqual([newer, `https://${newer.slice(0, 8)}.example`]);
    await runner.end(await deploy(sha), PASSING);
    expect(await there()).toEqual([sha, `https://${sha.slice(0, 8)}.example`]);
  });

  it('end with the branch that they were deployed from, and when their time is over', async () => {
    const { loom, runner } = await withJobs();
    await loom.call('POST', '/repository/branches', { branch: 'topic', ref: 'main' });
    await followed();
    await runThrough(runner, ['build', 'deploy', 'check', 'build', 'deploy', 'check']);
    const [main, topic] = (await environmentsIn(loom)) as [Environment, Environment];
    expect([main.name, topic.name]).toEqual(['review/main', 'review/topic']);
    await loom.call('DELETE', '/repository/branches/topic');
    await followed();
    expect([await stateOf(loom, main.id), await stateOf(loom, topic.id)]).toEqual(['available', 'stopping']);
    await runThrough(runner, ['stop']);
    expect(await stateOf(loom, topic.id)).toBe('stopped');
    const { container } = writing.service.service;
    const { endEnvironments } = container.get(ENVIRONMENT_TOKENS.environments);
    await endEnvironments.whoseTimeIsOver();
    expect(await stateOf(loom, main.id)).toBe('available');
    const past = new Date('2020-01-01');
    const over = ({ environments }: Repositories) => environments.change(main.id, { autoStopAt: past }, past);
    await container.get(TOKENS.unitOfWork).execute(over);
    await endEnvironments.whoseTimeIsOver();
    expect(await stateOf(loom, main.id)).toBe('stopping');
    await runThrough(runner, ['stop']);
    expect(await stateOf(loom, main.id)).toBe('stopped');
  });

  it('decide which variables their jobs are given: of several with one key the one that says most', async () => {
    const { loom, runner } = await withJobs(
      'deploy: { script: make, environment: review/topic }\nother: { script: make }\n',
    );
    for (const [environment_scope, value] of [
      ...[['*', 'all'] as const, ['review/*', 'reviews'] as const],
      ...[['review/topic', 'this'] as const, ['production', 'others'] as const],
    ])
      await loom.call('POST', '/variables', { key: 'WHERE', value, environment_scope });
    await loom.call('POST', '/variables', { key: 'ONLY', value: 'production', environment_scope: 'production' });
    const jobs = [(await runner.take())!, (await runner.take())!];
    const given = (name: string) => {
      const job = jobs.find(({ job_info }) => job_info.name === name)!;
      const values = job.variables.filter(({ key }) => key === 'WHERE').map(({ value }) => value);
      return [values.at(-1), job.variables.some(({ key }) => key === 'ONLY')];
    };
    expect([given('deploy'), given('other')]).toEqual([
      ['this', false],
      ['all', false],
    ]);
  });

  it('are where reports of their job, and of those before it, say', async () => {
    const { loom, runner } = await withJobs(`
stages: [build, deploy]
build: { stage: build, script: make, artifacts: { reports: { dotenv: a.env } } }
deploy:
  stage: deploy
  script: make
  environment: { name: topic, url: "https://$HOST.example/$AREA/$CI_ENVIRONMENT_SLUG" }
  artifacts: { reports: { dotenv: a.env } }
`);
    const tell = async (job: TakenJob, text: string) =>
      expect(await runner.leave(job, gzipSync(text), { query: 'artifact_type=dotenv' })).toMatchObject({ status: 201 });
    const build = await runner.takeNamed('build');
    await tell(build, 'HOST=before\nAREA=b\nCI_ENVIRONMENT_SLUG=other\n');
    await runner.end(build, PASSING);
    const urlOf = async () =>
      (await loom.call<Environment[]>('GET', '/environments?name=topic')).body.map((each) => each['external_url']);
    const deploy = await runner.takeNamed('deploy');
    expect(await urlOf()).toEqual([null]);
    await tell(deploy, 'HOST=mill\n');
    await runner.end(deploy, PASSING);
    expect(await urlOf()).toEqual(['https://mill.example/b/topic']);
    // Nobody is led elsewhere than to the web.
    await loom.call('POST', `/jobs/${deploy.id}/retry`);
    const again = await runner.takeNamed('deploy');
    await tell(again, 'HOST=x y\n');
    await runner.end(again, PASSING);
    expect(await urlOf()).toEqual(['https://mill.example/b/topic']);
  });

  it('whose job would be one too many of their project are stopped without it, or later', async () => {
    const { loom, runner } = await withJobs(
      'deploy: { script: make, environment: { name: topic, on_stop: stop } }\nstop: { script: make, when: manual, environment: { name: topic, action: stop } }\n',
    );
    await runner.end(await runner.takeNamed('deploy'), PASSING);
    const [{ id }] = (await environmentsIn(loom)) as [Environment];
    const many = ['one', 'two'].map((name) => `${name}: { script: make, parallel: 200 }`).join('\n');
    await loom.commit('main', 'More', [
      { action: 'update', file_path: '.gitlab-ci.yml', content: `${many}\nlast: { script: make, parallel: 100 }\n` },
    ]);
    await followed();
    for (let made = 1; made < 4; made += 1)
      expect((await loom.call('POST', '/pipeline', { ref: 'main' })).status).toBe(201);
    expect(await loom.call('POST', `/environments/${id}/stop`)).toMatchObject({
      status: 400,
      body: {
        message: '400 Bad request - Pipelines of a project that have not ended have at most 2000 jobs together.',
      },
    });
    expect(await stateOf(loom, id)).toBe('available');
    await loom.call('POST', `/environments/${id}/stop`, { force: true });
    expect(await stateOf(loom, id)).toBe('stopped');
  });

  it('that were removed while their job waited are made anew when its turn comes', async () => {
    const { loom, runner } = await withJobs(
      'first: { stage: build, script: make }\ndeploy: { script: make, environment: { name: topic, url: "https://topic.example", deployment_tier: staging } }\n',
    );
    const [{ id }] = (await loom.call<Environment[]>('GET', '/environments?name=topic')).body as [Environment];
    await loom.call('POST', `/environments/${id}/stop`);
    expect((await loom.call('DELETE', `/environments/${id}`)).status).toBe(204);
    await runner.end(await runner.takeNamed('first'), PASSING);
    const deploy = await runner.takeNamed('deploy');
    expect(deploy.variables).toContainEqual(expect.objectContaining({ key: 'CI_ENVIRONMENT_NAME', value: 'topic' }));
    await runner.end(deploy, PASSING);
    const [made] = (await loom.call<Environment[]>('GET', '/environments?name=topic')).body as [Environment];
    expect(made.id).not.toBe(id);
    const shown = await loom.call<Environment>('GET', `/environments/${made.id}`);
    expect(shown.body).toMatchObject({
      ...{ state: 'available', tier: 'staging', external_url: 'https://topic.example' },
      last_deployment: { status: 'success', deployable: { id: deploy.id } },
    });
  });

  it('that were removed while the job waited that stops them stay removed, and it fails', async () => {
    const { loom, runner } = await withJobs(
      'first: { stage: build, script: make }\nstop: { script: make, environment: { name: topic, action: stop } }\n',
    );
    const [{ id }] = (await loom.call<Environment[]>('GET', '/environments?name=topic')).body as [Environment];
    await loom.call('POST', `/environments/${id}/stop`, { force: true });
    expect((await loom.call('DELETE', `/environments/${id}`)).status).toBe(204);
    await runner.end(await runner.takeNamed('first'), PASSING);
    expect(await runner.take()).toBeUndefined();
    const stop = await loom.call('GET', `/jobs/${(await jobNamed(loom, 'stop')).id}`);
    expect(stop.body).toMatchObject({ status: 'failed', failure_reason: 'environment_creation_failure' });
    expect((await loom.call<Environment[]>('GET', '/environments?name=topic')).body).toEqual([]);
  });

  it('that can not be made fail their job alone, and a pipeline that is removed cancels what it was deploying', async () => {
    const text =
      'good: { script: make, environment: good }\nbad: { script: make, environment: "bad#$CI_COMMIT_REF_NAME" }\n';
    const { loom, runner } = await withJobs(text);
    expect(await namesIn(loom)).toEqual(['good']);
    await runner.takeNamed('good');
    expect(await runner.take()).toBeUndefined();
    const bad = await loom.call('GET', `/jobs/${(await jobNamed(loom, 'bad')).id}`);
    expect(bad.body).toMatchObject({ status: 'failed', failure_reason: 'environment_creation_failure' });
    const [{ id }] = (await loom.call<{ id: number }[]>('GET', '/pipelines')).body as [{ id: number }];
    expect((await loom.call('DELETE', `/pipelines/${id}`)).status).toBe(204);
    expect(await statusesIn(loom)).toEqual(['canceled']);
    const [{ id: environment }] = (await environmentsIn(loom)) as [Environment];
    expect((await loom.call<Environment>('POST', `/environments/${environment}/stop`, {})).body.state).toBe('stopped');
  });

  it('are deployed to by several jobs at once, each a deployment of its own', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const { loom, runner } = await withJobs(
      names.map((name) => `${name}: { script: make, environment: production }\n`).join(''),
    );
    const jobs = [];
    for (const name of names) jobs.push(await runner.takeNamed(name));
    await Promise.all(jobs.map((job) => runner.end(job, PASSING)));
    const { body } = await loom.call<Deployment[]>('GET', '/deployments');
    expect(body.map(({ iid, status }) => [iid, status])).toEqual(names.map((_, index) => [index + 1, 'success']));
    expect(await namesIn(loom)).toEqual(['production']);
  });

  const signIn = async ({ username }: TestUser) => {
    const browser = new FormBrowser(writing.service.url);
    await browser.signIn(username);
    return {
      get: (path: string) => browser.get(path),
      read: async (path: string) => (await browser.get(path)).text(),
      submit: (path: string, values: Record<string, string>) => browser.submit('/', path, values),
    };
  };

  it('have pages, for whoever reads the code: those that are there, those that are stopped, and what was deployed to each', async () => {
    const { loom, runner, sha } = await withJobs();
    await runThrough(runner, ['build', 'deploy', 'check']);
    const [{ id }] = (await environmentsIn(loom)) as [Environment];
    const [ada, grace] = [await signIn(loom.owner), await signIn(writing.grace)];
    const at = `/${loom.project.path}/-/environments`;
    const all = await ada.read(at);
    for (const shown of ['review/main', sha.slice(0, 8), 'job', 'by', 'Deploy again', `href="${at}/${id}/stop"`])
      expect(all).toContain(shown);
    expect(all).toMatch(/<a class="name" href="https:\/\/[^"]+\.example\/main" rel="nofollow noopener noreferrer">/);
    expect((await grace.get(at)).status).toBe(404);
    await loom.addMember(writing.grace, REPORTER);
    const read = await grace.read(at);
    expect(read).toContain('review/main');
    for (const hidden of ['New environment', '/stop"', 'Deploy again']) expect(read).not.toContain(hidden);
    for (const path of [`${at}/new`, `${at}/${id}/edit`, `${at}/${id}/stop`, `${at}/${id}/remove`])
      expect([path, (await grace.get(path)).status]).toEqual([path, 403]);
    expect((await grace.submit(`${at}/${id}/stop`, {})).status).toBe(403);
    const question = await ada.read(`${at}/${id}/stop`);
    for (const words of ['Stop the environment review/main?', 'Stop environment</button>', `href="${at}/${id}"`])
      expect(question).toContain(words);
    expect(await stateOf(loom, id)).toBe('available');
    const stopped = await ada.submit(`${at}/${id}/stop`, {});
    expect([stopped.status, stopped.headers.get('location')]).toEqual([303, `${at}/${id}`]);
    expect(await ada.read(`${at}/${id}`)).toContain(`href="${at}/${id}/stop?force=true">Stop without its job`);
    expect(await ada.read(`${at}/${id}/stop?force=true`)).toContain('name="force" value="true"');
    await runThrough(runner, ['stop']);
    expect(await ada.read(at)).toContain('None is available.');
    expect(await ada.read(`${at}?state=stopped`)).toContain('review/main');
    expect(await ada.read(`${at}?name=review%2Fmain`)).toContain('review/main');
    const one = await ada.read(`${at}/${id}`);
    expect(one).toContain('#1');
    expect(one).toContain(`${at}/${id}/remove`);
    await loom.call('POST', `/jobs/${(await jobNamed(loom, 'deploy')).id}/retry`, {});
    await runThrough(runner, ['deploy']);
    await ada.submit(`${at}/${id}/stop`, {});
    expect(await stateOf(loom, id)).toBe('stopping');
    await ada.submit(`${at}/${id}/stop`, { force: 'true' });
    expect(await stateOf(loom, id)).toBe('stopped');
    const removed = await ada.submit(`${at}/${id}/remove`, {});
    expect([removed.status, await environmentsIn(loom)]).toEqual([303, []]);
  });

  it('are made and changed by a form, which says beside its fields what is wrong', async () => {
    const { loom } = await project();
    const ada = await signIn(loom.owner);
    const at = `/${loom.project.path}/-/environments`;
    const refused = await ada.submit(`${at}/new`, { name: 'a#b', external_url: 'ftp://a.example', tier: '' });
    expect(refused.status).toBe(400);
    const text = await refused.text();
    for (const shown of ['The name can contain only', 'The address is blocked', 'value="a#b"'])
      expect(text.replaceAll('&#39;', "'")).toContain(shown);
    expect((await ada.submit(`${at}/new`, { name: 'production', external_url: '', tier: '' })).status).toBe(303);
    const [made] = (await environmentsIn(loom)) as [Environment];
    expect(made).toMatchObject({ name: 'production', tier: 'production', external_url: null });
    const fields = { name: 'production', external_url: 'https://a.example', tier: 'other' };
    expect((await ada.submit(`${at}/${made.id}/edit`, fields)).status).toBe(303);
    expect((await environmentsIn(loom))[0]).toMatchObject({ tier: 'other', external_url: 'https://a.example' });
  });
});
