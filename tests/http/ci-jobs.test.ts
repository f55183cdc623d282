import { afterEach, describe, expect, it } from '@jest/globals';
import { PIPELINE_TOKENS } from '../../src/infrastructure/composition/pipelines.tokens.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { WORKSPACE_TOKENS } from '../../src/infrastructure/composition/workspace.tokens.js';
import type { UserId } from '../../src/domain/shared/identifiers.js';
import type { RowOf } from '../../src/adapters/outbound/persistence/knex/tables.js';
import { bashRunner } from '../support/bash-runner.js';
import { pushesFollowed, TestRunner, type TakenJob } from '../support/ci-runner.js';
import { FormBrowser } from '../support/form-browser.js';
import { git, temporaryFolder } from '../support/git.js';
import type { TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

interface Job {
  readonly id: number;
  readonly name: string;
  readonly stage: string;
  readonly status: string;
  readonly [field: string]: unknown;
}

interface Pipeline {
  readonly id: number;
  readonly status: string;
  readonly source: string;
  readonly [field: string]: unknown;
}

const CI = `
stages: [build, test, deploy]
variables:
  COLOR: blue
compile:
  stage: build
  script:
    - make
    - make install
  after_script: [make clean]
lint:
  stage: test
  allow_failure: true
  script: make lint
unit:
  stage: test
  tags: [linux]
  variables: { COLOR: red }
  script: make test
release:
  stage: deploy
  script: make release
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
      when: manual
    - if: $CI_COMMIT_BRANCH
`;

const PASSING = { state: 'success' };
const FAILING = { state: 'failed', failure_reason: 'script_failure', exit_code: 2 };

describeWriting('jobs of a CI file', (writing) => {
  const runners: TestRunner[] = [];

  /** Nothing of one test waits for the runner of another. */
  const project = async (text = CI, fields: object = {}) => {
    const loom = await writing.newProject(fields);
    const runner = await TestRunner.make(writing.service, writing.ada, {
      ...{ runner_type: 'project_type', project_id: loom.id, tag_list: 'linux' },
      run_untagged: true,
    });
    runners.push(runner);
    const { id: sha } = await loom.write('main', { '.gitlab-ci.yml': text, 'README.md': '# Loom\n' });
    await followed();
    return { loom, runner, sha };
  };
  afterEach(() => {
    runners.length = 0;
  });

  const followed = () => pushesFollowed(writing.service);

  const pipelines = async (loom: WrittenProject, query = '') =>
    (await loom.call<Pipeline[]>('GET', `/pipelines?${query}`)).body;

  const newest = async (loom: WrittenProject): Promise<Pipeline> => {
    const [{ id }] = (await pipelines(loom)) as [Pipeline];
    return (await loom.call<Pipeline>('GET', `/pipelines/${id}`)).body;
  };

  const jobsOf = async (loom: WrittenProject, query = '') => {
    const { id } = await newest(loom);
    const { body } = await loom.call<Job[]>('GET', `/pipelines/${id}/jobs?${query}`);
    return [...body].sort((one, other) => one.id - other.id);
  };

  const standing = async (loom: WrittenProject, query = '') =>
    (await jobsOf(loom, query)).map(({ name, status }) => `${name}: ${status}`);

  const jobNamed = async (loom: WrittenProject, name: string): Promise<Job> =>
    (await jobsOf(loom)).find((job) => job.name === name)!;

  const logOf = async ({ id, owner }: WrittenProject, job: Pick<Job, 'id'>) => {
    const address = `${writing.service.url}/api/v4/projects/${id}/jobs/${job.id}/trace`;
    const answer = await fetch(address, { headers: { 'PRIVATE-TOKEN': owner.token } });
    return { type: answer.headers.get('content-type'), text: await answer.text() };
  };

  const act = (loom: WrittenProject, id: number, action: string, user?: TestUser) =>
    loom.call<Job & { message?: unknown }>('POST', `/jobs/${id}/${action}`, {}, user);

  it('wait for a runner once a push brought the file, stage by stage, and make the pipeline what they come to', async () => {
    const { loom, runner, sha } = await project();
    expect(await newest(loom)).toMatchObject({
      ...{ status: 'pending', source: 'push', ref: 'main', sha, tag: false, yaml_errors: null },
      ...{ before_sha: '0'.repeat(40), user: { id: writing.ada.id } },
    });
    expect(await standing(loom)).toEqual(['compile: pending', 'lint: created', 'unit: created', 'release: created']);
    const job = await runner.takeNamed('compile');
    expect(await newest(loom)).toMatchObject({ status: 'running' });
    expect(await runner.take()).toBeUndefined();
    await runner.end(job, PASSING);
    expect(await standing(loom)).toEqual(['compile: success', 'lint: pending', 'unit: pending', 'release: created']);
    expect(await runner.runAll(['lint'])).toEqual(['lint', 'unit']);
    expect(await standing(loom)).toEqual(['compile: success', 'lint: failed', 'unit: success', 'release: manual']);
    // It waits for somebody, and nothing comes after it.
    expect(await newest(loom)).toMatchObject({
      ...{ status: 'manual', detailed_status: { text: 'blocked', label: 'waiting for manual action' } },
    });
    const { status, body } = await act(loom, (await jobNamed(loom, 'release')).id, 'play');
    expect([status, body]).toEqual([200, expect.objectContaining({ status: 'pending' })]);
    expect(await runner.runAll()).toEqual(['release']);
    expect(await newest(loom)).toMatchObject({ status: 'success', finished_at: expect.any(String) });
    const commit = await loom.call('GET', `/repository/commits/${sha}`);
    expect(commit.body).toMatchObject({ status: 'success' });
    const statuses = await loom.call<Job[]>('GET', `/repository/commits/${sha}/statuses?stage=test`);
    expect(statuses.body.map(({ name, status: each, allow_failure }) => [name, each, allow_failure])).toEqual([
      ['lint', 'failed', true],
      ['unit', 'success', false],
    ]);
  });

  it('are told to a runner with all that it needs, and cloned by stock git with their token while they run', async () => {
    const { loom, runner, sha } = await project();
    await loom.call('POST', '/variables', { key: 'SECRET', value: 'kept-for-jobs', masked: true });
    const job = await runner.takeNamed('compile');
    expect(job).toMatchObject({
      job_info: { name: 'compile', stage: 'build', project_id: loom.id },
      git_info: { sha, ref: 'main', ref_type: 'branch', depth: 20, protected: true },
      runner_info: { timeout: 3600 },
      steps: [
        { name: 'script', script: ['make', 'make install'], when: 'on_success', allow_failure: false, timeout: 3600 },
        { name: 'after_script', script: ['make clean'], when: 'always', allow_failure: true },
      ],
      ...{ allow_git_fetch: true, image: null, services: [], dependencies: [], cache: [], credentials: [] },
    });
    const variables = Object.fromEntries(job.variables.map(({ key, value }) => [key, value]));
    expect(variables).toMatchObject({
      ...{ CI: 'true', CI_COMMIT_SHA: sha, CI_COMMIT_BRANCH: 'main', CI_JOB_NAME: 'compile', CI_JOB_STAGE: 'build' },
      ...{ CI_PROJECT_ID: String(loom.id), CI_PROJECT_PATH: loom.project.path, CI_JOB_TOKEN: job.token, COLOR: 'blue' },
      ...{ CI_PIPELINE_SOURCE: 'push', GITLAB_USER_LOGIN: writing.ada.username, SECRET: 'kept-for-jobs' },
    });
    const hidden = job.variables.filter(({ masked }) => masked).map(({ key }) => key);
    expect(hidden.sort()).toEqual(['CI_JOB_TOKEN', 'CI_REPOSITORY_URL', 'SECRET']);
    const folder = temporaryFolder();
    await git(['init', '--quiet', folder]);
    const fetch = ['-C', folder, 'fetch', '--quiet', '--depth', '20', job.git_info.repo_url, ...job.git_info.refspecs];
    await git(fetch);
    await git(['-C', folder, 'checkout', '--quiet', sha]);
    expect(await git(['-C', folder, 'show', 'HEAD:README.md'])).toContain('# Loom');
    await expect(git(['-C', folder, 'push', job.git_info.repo_url, 'HEAD:refs/heads/pushed'])).rejects.toThrow(
      /not allowed to push/,
    );
    await runner.end(job, PASSING);
    await expect(git(fetch)).rejects.toThrow(/Access denied|Authentication failed/);
  });

  it('find what jobs before kept for them in a cache, by the branch that protects it', async () => {
    const cache = 'cache: { key: deps, paths: [deps/] }';
    const script = '[cat deps/of || true, mkdir -p deps, echo of $CI_COMMIT_BRANCH >> deps/of]';
    const { loom, runner } = await project(`fetch: { ${cache}, script: ${script} }`);
    const program = bashRunner({ url: writing.service.url, token: runner.token, folder: temporaryFolder() });
    const ended = program.execute();
    const logs: string[] = [];
    const done = async (status: string) => {
      await until(async () => (await newest(loom)).status === status);
      logs.push((await logOf(loom, await jobNamed(loom, 'fetch'))).text);
    };
    try {
      await done('success');
      await loom.call('POST', '/repository/branches', { branch: 'topic', ref: 'main' });
      for (const ref of ['main', 'topic']) {
        const made = await loom.call<Pipeline>('POST', '/pipeline', { ref });
        expect(made.status).toBe(201);
        await until(
          async () => (await loom.call<Pipeline>('GET', `/pipelines/${made.body.id}`)).body.status === 'success',
        );
        const [job] = (await loom.call<Job[]>('GET', `/pipelines/${made.body.id}/jobs`)).body;
        logs.push((await logOf(loom, job!)).text);
      }
    } finally {
      program.stop();
      await ended;
    }
    // The branch itself was a push, too.
    expect(logs.map((log) => log.match(/^of \w+$/gm) ?? [])).toEqual([[], ['of main'], ['of topic']]);
    expect(logs[1]).toContain('Restored the cache deps-protected.');
    expect(logs[2]).toContain('Restored the cache deps-non_protected.');
  });

  it('are given as much of the past as GIT_DEPTH says; with all of it come all branches and tags', async () => {
    const file = [
      "all: { script: 'true', variables: { GIT_DEPTH: 0 } }",
      "few: { script: 'true' }",
      "odd: { script: 'true', variables: { GIT_DEPTH: '-1; rm' } }",
    ];
    const { loom, runner, sha } = await project(`${file.join('\n')}\nvariables: { GIT_DEPTH: 3 }\n`);
    const { job_info: all, git_info: whole } = (await runner.take())!;
    const own = `+${sha}:refs/pipelines/`;
    expect([all.name, whole]).toMatchObject(['all', { depth: 0 }]);
    expect(whole.refspecs).toEqual([
      expect.stringContaining(own),
      ...['+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*'],
    ]);
    const folder = temporaryFolder();
    await git(['init', '--quiet', folder]);
    await loom.call('POST', '/repository/tags', { tag_name: 'v1', ref: 'main' });
    await git(['-C', folder, 'fetch', '--quiet', '--no-tags', whole.repo_url, ...whole.refspecs]);
    expect(await git(['-C', folder, 'describe', '--tags', sha])).toBe('v1\n');
    expect((await runner.take())!.git_info).toMatchObject({
      depth: 3,
      refspecs: [expect.any(String), expect.any(String)],
    });
    expect((await runner.take())!.git_info).toMatchObject({ depth: 20 });
  });

  it('are done by `gatehouse runner`, with bash: their results, logs, variables and hidden values arrive', async () => {
    const file = [
      'build: { stage: build, script: [cat README.md, \'echo "$GREETING, $SECRET"\'], after_script: [echo $CI_JOB_STATUS] }',
      'test: { script: exit 3, allow_failure: { exit_codes: 3 } }',
    ];
    const { loom, runner } = await project(`${file.join('\n')}\nvariables: { GREETING: Hello }\n`);
    await loom.call('POST', '/variables', { key: 'SECRET', value: 'kept-for-jobs', masked: true });
    const program = bashRunner({ url: writing.service.url, token: runner.token, folder: temporaryFolder() });
    const ended = program.execute();
    try {
      await until(async () => (await newest(loom)).status === 'success');
    } finally {
      program.stop();
      await ended;
    }
    expect(await standing(loom)).toEqual(['build: success', 'test: failed']);
    const { text } = await logOf(loom, await jobNamed(loom, 'build'));
    expect(text).toMatch(/# Loom[\s\S]*Hello, \[MASKED\][\s\S]*success[\s\S]*Job succeeded/);
    expect(text).not.toContain('kept-for-jobs');
  });

  it('write their log part by part, each where the one before ended, and show it as it was sent', async () => {
    const { loom, runner } = await project();
    const job = await runner.takeNamed('compile');
    expect(await runner.write(job, 0, 'one\n')).toEqual({ status: 202, range: '0-4', job: 'running' });
    expect(await runner.write(job, 9, 'lost')).toEqual({ status: 416, range: '0-4', job: 'running' });
    expect(await runner.write(job, 2 ** 40, 'far')).toEqual({ status: 416, range: '0-4', job: 'running' });
    expect(await runner.write(job, 0, 'one\n')).toEqual({ status: 416, range: '0-4', job: 'running' });
    const rest = '\u001b[32mtwö\u001b[0m\r\nNUL \u0000 and all\n';
    expect(await runner.write(job, 4, rest)).toMatchObject({ status: 202 });
    expect(await runner.write(job, 4, 'x', 'wrong')).toMatchObject({ status: 403 });
    expect(await logOf(loom, job)).toEqual({ type: 'text/plain', text: `one\n${rest}` });
    await runner.end(job, PASSING);
    expect(await runner.write(job, 4 + Buffer.byteLength(rest), 'late')).toMatchObject({ status: 403, job: 'success' });
    const erased = await act(loom, job.id, 'erase');
    expect([erased.status, erased.body]).toEqual([201, expect.objectContaining({ erased_at: expect.any(String) })]);
    expect((await logOf(loom, job)).text).toBe('');
    expect((await act(loom, job.id, 'erase')).status).toBe(403);
  });

  it('end where one fails that must not, and go on where it is run once more', async () => {
    const { loom, runner } = await project();
    const job = await runner.takeNamed('compile');
    await runner.end(job, FAILING);
    expect(await newest(loom)).toMatchObject({ status: 'failed' });
    expect(await standing(loom)).toEqual(['compile: failed', 'lint: skipped', 'unit: skipped', 'release: skipped']);
    expect(await jobNamed(loom, 'compile')).toMatchObject({ failure_reason: 'script_failure' });
    const again = await act(loom, job.id, 'retry');
    expect([again.status, again.body]).toEqual([201, expect.objectContaining({ name: 'compile', status: 'pending' })]);
    expect(again.body.id).not.toBe(job.id);
    expect((await act(loom, job.id, 'retry')).body.message).toBe('403 Forbidden - Job is not retryable');
    expect(await newest(loom)).toMatchObject({ status: 'pending' });
    expect(await runner.runAll()).toEqual(['compile', 'lint', 'unit']);
    expect(await standing(loom, 'include_retried=true')).toEqual([
      ...['compile: failed', 'lint: success', 'unit: success', 'release: manual', 'compile: success'],
    ]);
  });

  it('are canceled alone or with their pipeline, and the runner learns of it', async () => {
    const { loom, runner } = await project();
    const job = await runner.takeNamed('compile');
    const { id } = await newest(loom);
    const canceled = await loom.call<Pipeline>('POST', `/pipelines/${id}/cancel`, {});
    expect([canceled.status, canceled.body.status]).toEqual([200, 'canceled']);
    expect(await standing(loom)).toEqual([
      'compile: canceled',
      'lint: canceled',
      'unit: canceled',
      'release: canceled',
    ]);
    expect(await runner.write(job, 0, 'late')).toMatchObject({ status: 403, job: 'canceled' });
    expect((await runner.say(job, PASSING)).headers.get('job-status')).toBe('canceled');
    const retried = await loom.call<Pipeline>('POST', `/pipelines/${id}/retry`, {});
    expect([retried.status, retried.body.status]).toEqual([201, 'pending']);
    expect(await runner.runAll()).toEqual(['compile', 'lint', 'unit']);
  });

  it('are given once, however many runners ask at once', async () => {
    const { loom, runner } = await project();
    const others = await Promise.all(
      Array.from({ length: 4 }, () =>
        TestRunner.make(writing.service, writing.ada, { runner_type: 'project_type', project_id: loom.id }),
      ),
    );
    const asked = [runner, ...others].flatMap((each) => [each.take(), each.take()]);
    const taken = (await Promise.all(asked)).filter((job): job is TakenJob => job !== undefined);
    expect(taken.map(({ job_info }) => job_info.name)).toEqual(['compile']);
  });

  it('are given to runners that have their tags, aren’t paused, and take jobs of their project alone', async () => {
    const { loom, runner } = await project('job: { script: make, tags: [linux, big] }\n');
    const ofLoom = (fields: object) =>
      TestRunner.make(writing.service, writing.ada, { runner_type: 'project_type', project_id: loom.id, ...fields });
    expect(await runner.take()).toBeUndefined();
    const elsewhere = await writing.newProject();
    const fit = { tag_list: ['big', 'linux', 'other'], run_untagged: false };
    const other = { runner_type: 'project_type', project_id: elsewhere.id, ...fit };
    expect(await (await TestRunner.make(writing.service, writing.ada, other)).take()).toBeUndefined();
    expect(await (await ofLoom({ ...fit, paused: true })).take()).toBeUndefined();
    expect((await (await ofLoom(fit)).take())?.job_info.name).toBe('job');
  });

  it('of branches that aren’t protected get no runner and no variable that is kept for those that are', async () => {
    const { loom, runner } = await project();
    await runner.runAll();
    await loom.call('POST', '/variables', { key: 'DEPLOY_KEY', value: 'for main alone', protected: true });
    await loom.write('other', { 'a.txt': 'a' }, { start_branch: 'main' });
    await followed();
    const careful = await TestRunner.make(writing.service, writing.ada, {
      ...{ runner_type: 'project_type', project_id: loom.id, access_level: 'ref_protected' },
    });
    expect(await careful.take()).toBeUndefined();
    const job = await runner.takeNamed('compile');
    const keys = job.variables.map(({ key }) => key);
    expect([keys.includes('DEPLOY_KEY'), keys.includes('CI_COMMIT_BRANCH')]).toEqual([false, true]);
  });

  it('are made on demand for a branch, with variables of whoever asks, and refused with the reason', async () => {
    const { loom, runner } = await project();
    await runner.runAll();
    const variables = [
      { key: 'COLOR', value: 'green' },
      { key: 'FILE', value: 'text', variable_type: 'file' },
    ];
    const made = await loom.call<Pipeline>('POST', '/pipeline', { ref: 'main', variables });
    expect([made.status, made.body]).toEqual([201, expect.objectContaining({ source: 'api', status: 'pending' })]);
    const job = await runner.takeNamed('compile');
    // The last one wins.
    expect(job.variables.filter(({ key }) => key === 'COLOR').at(-1)?.value).toBe('green');
    expect((await loom.call('GET', `/pipelines/${made.body.id}/variables`)).body).toEqual([
      { variable_type: 'env_var', key: 'COLOR', value: 'green' },
      { variable_type: 'file', key: 'FILE', value: 'text' },
    ]);
    const refused = await loom.call('POST', '/pipeline', { ref: 'nowhere' });
    expect([refused.status, refused.body]).toEqual([400, { message: { base: ['Reference not found'] } }]);
    const empty = await writing.newProject();
    await empty.write('main', { a: 'a' });
    expect((await empty.call('POST', '/pipeline', { ref: 'main' })).body).toEqual({
      message: { base: ['Missing CI config file'] },
    });
  });

  it('that may fail and do let their pipeline pass with warnings, until they succeed', async () => {
    const { loom, runner } = await project('lint: { script: lint, allow_failure: true }\nunit: { script: test }\n');
    await runner.runAll(['lint']);
    expect(await newest(loom)).toMatchObject({
      status: 'success',
      detailed_status: {
        ...{ icon: 'status_warning', group: 'success-with-warnings' },
        ...{ text: 'passed', label: 'passed with warnings' },
      },
    });
    await act(loom, (await jobNamed(loom, 'lint')).id, 'retry');
    await runner.runAll();
    expect(await newest(loom)).toMatchObject({
      detailed_status: { icon: 'status_success', group: 'success', text: 'passed', label: 'passed' },
    });
  });

  it('that somebody begins by hand are given the variables of whoever does, which win over those of the pipeline, run again too', async () => {
    const { loom, runner } = await project('deploy: { script: make, when: manual, variables: { COLOR: red } }\n');
    const made = await loom.call<Pipeline>('POST', '/pipeline', {
      ...{ ref: 'main', variables: [{ key: 'COLOR', value: 'green' }] },
    });
    const [deploy] = (await loom.call<Job[]>('GET', `/pipelines/${made.body.id}/jobs`)).body as [Job];
    const play = (job_variables_attributes: unknown) =>
      loom.call<Job>('POST', `/jobs/${deploy.id}/play`, { job_variables_attributes });
    const wrong = [{ key: 'no key', value: 'x' }, { key: 'A' }, { key: 'A', value: 'x'.repeat(10_001) }, 'A=x'];
    for (const each of wrong)
      expect(await play([each])).toMatchObject({ status: 400, body: { message: { base: ['Variables are invalid'] } } });
    const tooMany = Array.from({ length: 101 }, (_, index) => ({ key: `A${index}`, value: 'x' }));
    expect((await play(tooMany)).status).toBe(400);
    const given = [
      { key: 'COLOR', value: 'blue' },
      { key: 'TARGET', value: 'north' },
    ];
    expect(await play(given)).toMatchObject({ status: 200, body: { status: 'pending' } });
    const valuesIn = ({ variables }: TakenJob) =>
      ['COLOR', 'TARGET'].map((name) => variables.findLast(({ key }) => key === name)?.value);
    const job = await runner.takeNamed('deploy');
    expect(valuesIn(job)).toEqual(['blue', 'north']);
    await runner.end(job, FAILING);
    const again = await act(loom, deploy.id, 'retry');
    // Whoever asks for it is whom it waits for.
    expect(again.body.status).toBe('pending');
    expect(valuesIn(await runner.takeNamed('deploy'))).toEqual(['blue', 'north']);
    // They are the job's, and not those of its pipeline.
    expect((await loom.call('GET', `/pipelines/${made.body.id}/variables`)).body).toHaveLength(1);
    const { schema } = writing.service.service.database;
    const kept = (await schema('ci_jobs').where({ id: deploy.id }).first()) as RowOf<'ci_jobs'>;
    expect(kept.sealed_variables).not.toContain('north');
  });

  it('are none where the file can’t be read: a push makes a pipeline that says why, and asking for one is refused', async () => {
    const { loom } = await project('job: { script: [make], stage: nowhere }\n');
    expect(await newest(loom)).toMatchObject({ status: 'failed', yaml_errors: expect.stringContaining('stage') });
    expect(await standing(loom)).toEqual([]);
    const asked = await loom.call<{ message: { base: string[] } }>('POST', '/pipeline', { ref: 'main' });
    expect([asked.status, asked.body.message.base[0]]).toEqual([400, expect.stringContaining('stage')]);
  });

  it('are of a file that could be read, or of one that couldn’t, as a list of pipelines is asked for', async () => {
    const { loom } = await project('job: { script: [make], stage: nowhere }\n');
    const broken = (await newest(loom)).id;
    const content = 'job: { script: [make] }\n';
    await loom.commit('main', 'Mend it', [{ action: 'update', file_path: '.gitlab-ci.yml', content }]);
    await followed();
    const mended = (await newest(loom)).id;
    const listed = async (query: string) => (await pipelines(loom, query)).map(({ id }) => id);
    expect(await listed('')).toEqual([mended, broken]);
    expect(await listed('yaml_errors=true')).toEqual([broken]);
    expect(await listed('yaml_errors=false')).toEqual([mended]);
    expect((await loom.call('GET', '/pipelines?yaml_errors=some')).status).toBe(400);
  });

  it('are no bridges where they start no other pipeline, for whoever may see them', async () => {
    const { loom } = await project();
    const { id } = await newest(loom);
    const path = `/pipelines/${id}/bridges`;
    const { status, body, headers } = await loom.call('GET', `${path}?scope[]=pending`);
    expect([status, body]).toEqual([200, []]);
    expect(['X-Total', 'X-Page', 'X-Per-Page'].map((name) => headers.get(name))).toEqual(['0', '1', '20']);
    const unknown = await loom.call('GET', '/pipelines/999999/bridges');
    expect(unknown).toMatchObject({ status: 404, body: { message: '404 Pipeline Not Found' } });
    const stranger = await loom.call('GET', path, undefined, writing.grace);
    const ofJobs = await loom.call('GET', `/pipelines/${id}/jobs`, undefined, writing.grace);
    expect([stranger.status, stranger.body]).toEqual([404, ofJobs.body]);
  });

  it('are none for a commit that says so', async () => {
    const { loom } = await project();
    await loom.commit('main', 'Words alone [skip ci]', [{ action: 'create', file_path: 'b', content: 'b' }]);
    await followed();
    expect(await newest(loom)).toMatchObject({ status: 'skipped' });
    expect(await standing(loom)).toEqual([]);
  });

  it('that fail are run again by themselves as often as the file says, for the reasons that it names', async () => {
    const { loom, runner } = await project('job: { script: make, retry: { max: 1, when: script_failure } }\n');
    await runner.end(await runner.takeNamed('job'), FAILING);
    expect(await standing(loom, 'include_retried=true')).toEqual(['job: failed', 'job: pending']);
    await runner.end(await runner.takeNamed('job'), FAILING);
    expect(await newest(loom)).toMatchObject({ status: 'failed' });
  });

  it('that have ended stay as they are, even where word of their runner came beside the end', async () => {
    const { loom, runner } = await project();
    const job = await runner.takeNamed('compile');
    await runner.end(job, PASSING);
    const { container, database } = writing.service.service;
    const long = database.reader.dialect.writeInstant(new Date(0));
    await database.schema('ci_jobs').where({ id: job.id }).update({ gives_up_at: long });
    const { runJobs } = container.get(PIPELINE_TOKENS.pipelines);
    await runJobs.giveUp();
    expect(await jobNamed(loom, 'compile')).toMatchObject({ status: 'success' });
    expect(await database.schema('ci_jobs').where({ id: job.id }).select('gives_up_at')).toEqual([
      { gives_up_at: null },
    ]);
  });

  it('run no longer than their runner lets them, whatever it says meanwhile', async () => {
    const { loom, runner: withoutBound } = await project();
    await loom.call('DELETE', `/runners/${withoutBound.id}`);
    const runner = await TestRunner.make(writing.service, writing.ada, {
      ...{ runner_type: 'project_type', project_id: loom.id, maximum_timeout: 600 },
    });
    const job = await runner.takeNamed('compile');
    expect(job).toMatchObject({ runner_info: { timeout: 600 } });
    const { container, database } = writing.service.service;
    const began = database.reader.dialect.writeInstant(new Date(writing.service.clock.now().getTime() - 1_000_000));
    await database.schema('commit_statuses').where({ id: job.id }).update({ started_at: began });
    await runner.say(job, { state: 'running' });
    await container.get(PIPELINE_TOKENS.pipelines).runJobs.giveUp();
    expect(await jobNamed(loom, 'compile')).toMatchObject({
      ...{ status: 'failed', failure_reason: 'job_execution_timeout' },
    });
  });

  it('find their runner however many others wait for tags that no runner has', async () => {
    const { runner } = await project('odd: { script: make, tags: [odd] }\njob: { script: make }\n');
    const { schema } = writing.service.service.database;
    interface Row {
      readonly id: number;
      readonly pipeline_id: number;
    }
    const row = (await schema('ci_jobs').where({ queue_tags: '["odd"]' }).orderBy('id', 'desc').first()) as Row;
    const { id: _id, ...check } = (await schema('commit_statuses').where({ id: row.id }).first()) as Row;
    const sets = Array.from({ length: 1_001 }, (_, at) => JSON.stringify([`a${at}`]));
    for (let from = 0; from < sets.length; from += 50) {
      const some = sets.slice(from, from + 50);
      const made = some.map((name) => ({ ...check, name }));
      const ids = (await schema('commit_statuses').insert(made).returning('id')) as Row[];
      await schema('ci_jobs').insert(some.map((tags, at) => ({ ...row, id: ids[at]!.id, queue_tags: tags })));
    }
    const taken = await runner.take();
    await schema('commit_statuses').where({ pipeline_id: row.pipeline_id }).where('name', 'like', '["a%').delete();
    expect(taken?.job_info.name).toBe('job');
  });

  it('get nothing that is kept for protected branches once theirs isn’t one any more', async () => {
    const { loom, runner } = await project();
    await loom.call('POST', '/variables', { key: 'DEPLOY_KEY', value: 'for main alone', protected: true });
    const careful = await TestRunner.make(writing.service, writing.ada, {
      ...{ runner_type: 'project_type', project_id: loom.id, access_level: 'ref_protected' },
    });
    expect((await loom.call('DELETE', '/protected_branches/main')).status).toBe(204);
    expect(await careful.take()).toBeUndefined();
    const job = await runner.takeNamed('compile');
    expect(job.git_info).toMatchObject({ protected: false });
    expect(job.variables.map(({ key }) => key)).not.toContain('DEPLOY_KEY');
  });

  it('run in no archived project: one that ran when it was archived has failed, and its token opens nothing', async () => {
    const { loom, runner } = await project();
    const job = await runner.takeNamed('compile');
    expect(await runner.write(job, 0, 'one\n')).toMatchObject({ status: 202 });
    expect((await loom.call('POST', '/archive')).status).toBe(201);
    expect(await runner.write(job, 4, 'two\n')).toMatchObject({ status: 403, job: 'failed' });
    expect((await runner.say(job, PASSING)).headers.get('job-status')).toBe('failed');
    expect(await jobNamed(loom, 'compile')).toMatchObject({ status: 'failed', failure_reason: 'archived_failure' });
    expect((await logOf(loom, job)).text).toBe('one\n');
    expect(await newest(loom)).toMatchObject({ status: 'failed' });
  });

  it('of somebody who is blocked end as soon as their runner says something, and stay ended', async () => {
    const { loom, runner } = await project();
    await runner.runAll();
    const keeper = await writing.service.addUser(`keeper-${loom.id}`);
    const admin = await writing.service.addUser(`root-${loom.id}`, { admin: true });
    await loom.addMember(keeper, 40);
    const stand = (act: 'block' | 'unblock') =>
      writing.service.call('POST', `/users/${keeper.id}/${act}`, { token: admin.token });
    const begun = async () => {
      const { body } = await loom.call<Pipeline>('POST', '/pipeline', { ref: 'main' }, keeper);
      return { id: body.id, job: await runner.takeNamed('compile') };
    };
    const [written, done] = [await begun(), await begun()];
    expect(await runner.write(written.job, 0, 'one\n')).toMatchObject({ status: 202 });
    expect((await stand('block')).status).toBe(201);
    expect(await runner.write(written.job, 4, 'two\n')).toMatchObject({ status: 403, job: 'failed' });
    const refused = await runner.say(done.job, PASSING);
    expect([refused.status, refused.headers.get('job-status')]).toEqual([403, 'failed']);
    expect((await stand('unblock')).status).toBe(201);
    expect((await runner.say(done.job, PASSING)).headers.get('job-status')).toBe('failed');
    expect((await logOf(loom, written.job)).text).toBe('one\n');
    for (const { id, job } of [written, done]) {
      const { body } = await loom.call<Job>('GET', `/jobs/${job.id}`);
      expect(body).toMatchObject({ status: 'failed', failure_reason: 'user_blocked' });
      expect((await loom.call<Pipeline>('GET', `/pipelines/${id}`)).body.status).toBe('failed');
    }
  });

  it('that can’t be given hold up no other', async () => {
    const { loom, runner } = await project('job: { script: make }\n');
    const { schema } = writing.service.service.database;
    const variables = [{ key: 'COLOR', value: 'green' }];
    await runner.runAll();
    const broken = await loom.call<Pipeline>('POST', '/pipeline', { ref: 'main', variables });
    await schema('pipelines').where({ id: broken.body.id }).update({ sealed_variables: 'broken' });
    const whole = await loom.call<Pipeline>('POST', '/pipeline', { ref: 'main' });
    const taken = await runner.take();
    await loom.call('POST', `/pipelines/${broken.body.id}/cancel`, {});
    expect(taken).toMatchObject({ job_info: { pipeline_id: whole.body.id } });
  });

  it('of older pushes end with a newer one of their branch, unless one has begun that must not be interrupted', async () => {
    const text = (interruptible: boolean) =>
      `job: { script: make, interruptible: ${interruptible} }\nlate: { stage: deploy, script: make }\n`;
    const stand = async (loom: WrittenProject, ref = 'main') =>
      (await pipelines(loom, `ref=${ref}&sort=asc`)).map(({ source, status }) => `${source}: ${status}`);
    const push = async (loom: WrittenProject, file: string, more: object = {}) => {
      await loom.write('main', { [file]: file }, more);
      await followed();
    };
    const { loom, runner } = await project(text(false));
    await loom.call('POST', '/pipeline', { ref: 'main' });
    await loom.call('POST', '/repository/branches', { branch: 'other', ref: 'main' });
    await followed();
    await push(loom, 'a');
    expect(await stand(loom)).toEqual(['push: canceled', 'api: pending', 'push: pending']);
    expect(await stand(loom, 'other')).toEqual(['push: pending']);
    for (let job = await runner.take(); job !== undefined; job = await runner.take())
      await (job.job_info.name === 'job' ? runner.say(job, { state: 'running' }) : runner.end(job, PASSING));
    await push(loom, 'c');
    expect(await stand(loom)).toEqual(['push: canceled', 'api: running', 'push: running', 'push: pending']);
    const saying = (mode: string) => `workflow: { auto_cancel: { on_new_commit: ${mode} } }\n`;
    const kept = await project(saying('none') + text(true));
    await push(kept.loom, 'a');
    expect(await stand(kept.loom)).toEqual(['push: pending', 'push: pending']);
    const some = await project(`${saying('interruptible')}${text(true)}sure: { script: make }\n`);
    await some.runner.takeNamed('job');
    await push(some.loom, 'a');
    const [{ id: first }] = (await pipelines(some.loom, 'sort=asc')) as [Pipeline];
    const { body: jobs } = await some.loom.call<Job[]>('GET', `/pipelines/${first}/jobs`);
    expect(jobs.map(({ name, status }) => `${name}: ${status}`).sort()).toEqual([
      ...['job: canceled', 'late: created', 'sure: pending'],
    ]);
    // What began, failed, and waits to be run once more is not to be left half-done.
    const again = await project('job: { script: make, retry: 1 }\n');
    await again.runner.end(await again.runner.takeNamed('job'), FAILING);
    await push(again.loom, 'a');
    expect(await stand(again.loom)).toEqual(['push: pending', 'push: pending']);
    const { loom: loose, runner: taker } = await project(text(true));
    const begun = await taker.takeNamed('job');
    await push(loose, 'a', { commit_message: 'x' });
    expect(await stand(loose)).toEqual(['push: canceled', 'push: pending']);
    expect((await taker.say(begun, { state: 'running' })).headers.get('job-status')).toBe('canceled');
  });

  it('of a push whose turn comes late end nothing that a newer one began', async () => {
    const { loom, sha } = await project('job: { script: make }\n');
    await loom.write('main', { a: 'a' });
    await followed();
    const { container } = writing.service.service;
    const { createPipelines } = container.get(PIPELINE_TOKENS.pipelines);
    const credential = { kind: 'session' } as const;
    const ada = { kind: 'user', id: writing.ada.id as UserId, username: 'ada', admin: false, credential } as const;
    const { project: found } = await container
      .get(WORKSPACE_TOKENS.workspace)
      .access.project(ada, String(loom.id), 'read_code');
    const late = { ref: 'main', tag: false, from: null, to: sha, skip: false };
    const store = await createPipelines.forPush(ada.id, found, late);
    await container.get(TOKENS.unitOfWork).execute(async (repositories) => store!(repositories));
    expect((await pipelines(loom, 'sort=asc')).map(({ status }) => status)).toEqual(['canceled', 'pending', 'pending']);
  });

  it('of pipelines that have not ended are at most two thousand of a project', async () => {
    const many =
      'many: { script: make, parallel: 200 }\nmore: { script: make, parallel: 200 }\nlast: { script: make, parallel: 100 }\n';
    const { loom, runner } = await project(many);
    const [first] = (await pipelines(loom)) as [Pipeline];
    const run = () => loom.call<Pipeline & { message: unknown }>('POST', '/pipeline', { ref: 'main' });
    for (let made = 1; made < 4; made += 1) expect((await run()).status).toBe(201);
    const sentence = 'Pipelines of a project that have not ended have at most 2000 jobs together.';
    expect(await run()).toMatchObject({ status: 400, body: { message: { base: [sentence] } } });
    // One that has begun makes no room for a newer push.
    expect(await runner.take()).toMatchObject({ job_info: { pipeline_id: first.id } });
    await loom.write('main', { 'a.txt': 'a' });
    await followed();
    expect(await newest(loom)).toMatchObject({ status: 'failed', source: 'push', yaml_errors: sentence });
    expect((await loom.call('POST', `/pipelines/${first.id}/cancel`, {})).status).toBe(200);
    expect((await run()).status).toBe(201);
    // Nor do jobs of one that has ended come back beside them.
    const refusal = { status: 400, body: { message: `400 Bad request - ${sentence}` } };
    expect(await loom.call('POST', `/pipelines/${first.id}/retry`, {})).toMatchObject(refusal);
    const [job] = (await loom.call<Job[]>('GET', `/pipelines/${first.id}/jobs`)).body as [Job];
    expect(await act(loom, job.id, 'retry')).toMatchObject(refusal);
    // What goes on may be run again: it takes the place of another.
    const { id: going } = await newest(loom);
    const [one] = (await loom.call<Job[]>('GET', `/pipelines/${going}/jobs`)).body as [Job];
    await act(loom, one.id, 'cancel');
    expect((await act(loom, one.id, 'retry')).status).toBe(201);
  });

  it('of pipelines that have not ended have at most a hundred sets of tags in a project', async () => {
    const withTags = (word: string) =>
      Array.from({ length: 60 }, (_, index) => `${word}-${index}: { script: make, tags: [${word}, "${index}"] }`).join(
        '\n',
      );
    const { loom } = await project(withTags('one'));
    const first = await newest(loom);
    const sentence = 'Jobs of pipelines of a project that have not ended have at most 100 different sets of tags.';
    expect((await loom.call('POST', '/pipeline', { ref: 'main' })).status).toBe(201);
    await loom.commit('main', 'More', [
      {
        action: 'update',
        file_path: '.gitlab-ci.yml',
        content: `${withTags('two')}\nby-hand: { script: make, when: manual, tags: [three] }`,
      },
    ]);
    await followed();
    expect(await newest(loom)).toMatchObject({ status: 'failed', yaml_errors: sentence });
    for (const { id } of await pipelines(loom)) await loom.call('POST', `/pipelines/${id}/cancel`, {});
    expect((await loom.call('POST', '/pipeline', { ref: 'main' })).status).toBe(201);
    expect(await loom.call('POST', `/pipelines/${first.id}/retry`, {})).toMatchObject({
      ...{ status: 400, body: { message: `400 Bad request - ${sentence}` } },
    });
  });

  it('that wait for somebody begin in no pipeline for which there is no room', async () => {
    const many = 'many: { script: make, parallel: 200 }\nmore: { script: make, parallel: 200 }\n';
    const { loom } = await project('by-hand: { script: make, when: manual }\n');
    const waiting = await newest(loom);
    await loom.commit('main', 'More', [
      { action: 'update', file_path: '.gitlab-ci.yml', content: `${many}last: { script: make, parallel: 100 }\n` },
    ]);
    await followed();
    for (let made = 1; made < 4; made += 1)
      expect((await loom.call('POST', '/pipeline', { ref: 'main' })).status).toBe(201);
    const [job] = (await loom.call<Job[]>('GET', `/pipelines/${waiting.id}/jobs`)).body as [Job];
    expect(job).toMatchObject({ status: 'manual' });
    const refused = await act(loom, job.id, 'play');
    expect([refused.status, refused.body.message]).toEqual([
      400,
      '400 Bad request - Pipelines of a project that have not ended have at most 2000 jobs together.',
    ]);
    expect((await loom.call<Job>('GET', `/jobs/${job.id}`)).body).toMatchObject({ status: 'manual' });
  });

  it('are run again up to a hundred times', async () => {
    const { loom, runner } = await project('job: { script: make }\n');
    const { id } = await runner.takeNamed('job');
    expect((await act(loom, id, 'cancel')).status).toBe(201);
    const { schema } = writing.service.service.database;
    const { id: _id, ...check } = (await schema('commit_statuses').where({ id }).first()) as RowOf<'commit_statuses'>;
    const row = (await schema('ci_jobs').where({ id }).first()) as object;
    for (let run = 1; run < 100; run += 1) {
      const [made] = (await schema('commit_statuses')
        .insert({ ...check, latest: false })
        .returning('id')) as { readonly id: number }[];
      await schema('ci_jobs').insert({ ...row, id: made!.id, token_digest: null });
    }
    const refused = await act(loom, id, 'retry');
    expect([refused.status, refused.body.message]).toEqual([403, '403 Forbidden - Job is not retryable']);
    const { id: pipeline } = await newest(loom);
    expect((await loom.call('POST', `/pipelines/${pipeline}/retry`, {})).status).toBe(201);
    expect(await standing(loom)).toEqual(['job: canceled']);
  });

  it('are nobody’s to report as a check, whatever their stage is called', async () => {
    const { loom, runner, sha } = await project('stages: [external]\njob: { stage: external, script: make }\n');
    for (const state of ['success', 'failed', 'running', 'success']) {
      const said = await loom.call('POST', `/statuses/${sha}`, { name: 'job', state });
      expect([said.status, said.body]).toEqual([201, expect.objectContaining({ name: 'job', status: state })]);
    }
    expect(await jobsOf(loom)).toMatchObject([{ name: 'job', status: 'pending' }]);
    expect(await runner.runAll()).toEqual(['job']);
    expect(await newest(loom)).toMatchObject({ status: 'success' });
  });

  it('are shown by stage on the page of their pipeline, and each with its log; buttons are there for who may use them', async () => {
    const { loom, runner } = await project(CI, { visibility: 'public' });
    const job = await runner.takeNamed('compile');
    await runner.write(job, 0, '\u001b[32;1m$ make\u001b[0;m\n<b>not bold</b>\n');
    await runner.end(job, FAILING);
    const { id } = await newest(loom);
    const [pipeline, page] = [`/${loom.project.path}/-/pipelines/${id}`, `/${loom.project.path}/-/jobs/${job.id}`];
    const [ada, visitor] = [new FormBrowser(writing.service.url), new FormBrowser(writing.service.url)];
    await ada.signIn(writing.ada.username);
    const read = async (who: FormBrowser, address: string) => (await who.get(address)).text();
    const stages = [...(await read(visitor, pipeline)).matchAll(/Stage <span class="name">(.*?)</g)].map(
      ([, name]) => name,
    );
    expect(stages).toEqual(['build', 'test', 'deploy']);
    for (const address of [pipeline, page, pipeline.replace(/\/\d+$/, '')]) {
      const html = await read(visitor, address);
      expect([address, html]).toEqual([
        address,
        expect.stringMatching(/<a class="name" href="[^"]*\/-\/tree\/main"><bdi>main</),
      ]);
      expect([address, html]).toEqual([
        address,
        expect.stringMatching(/<a class="code" href="[^"]*\/-\/commit\/[0-9a-f]{40}">/),
      ]);
    }
    const shown = await read(visitor, page);
    expect(shown).toContain('$ make\n&lt;b&gt;not bold&lt;/b&gt;\n');
    expect(shown).toMatch(/script failure, exit code 2/);
    expect(shown).not.toContain(`${page}/retry`);
    const raw = await visitor.get(`${page}/raw`);
    expect([raw.headers.get('content-type'), (await raw.text()).includes('<b>')]).toEqual([
      'text/plain; charset=utf-8',
      true,
    ]);
    // `main` is protected: developers have nothing to press there.
    const { loom: free } = await project(CI, { visibility: 'public' });
    const grace = new FormBrowser(writing.service.url);
    await grace.signIn(writing.grace.username);
    for (const each of [loom, free]) await each.addMember(writing.grace, 30);
    await free.call('DELETE', '/protected_branches/main');
    expect(await read(grace, page)).not.toContain(`${page}/retry`);
    expect(await read(grace, pipeline)).not.toContain(`${pipeline}/cancel`);
    expect(await read(ada, page)).toContain(`${page}/retry`);
    const open = `/${free.project.path}/-/pipelines/${(await newest(free)).id}`;
    expect(await read(grace, open)).toContain(`${open}/cancel`);
    const again = await ada.submit(page, `${page}/retry`, {});
    expect([again.status, again.headers.get('location')]).toEqual([303, expect.not.stringMatching(`${page}$`)]);
    expect(await read(ada, again.headers.get('location')!)).toContain('The job runs again: this is the new one.');
    expect(await standing(loom)).toContain('compile: pending');
    const canceled = await ada.submit(pipeline, `${pipeline}/cancel`, {});
    expect([canceled.status, await newest(loom)]).toEqual([303, expect.objectContaining({ status: 'canceled' })]);
  });

  it('are led to from the page of their commit and their merge request, and reported by nobody', async () => {
    const { loom, runner } = await project(CI, { visibility: 'public' });
    const job = await runner.takeNamed('compile');
    await runner.end(job, FAILING);
    await loom.write('topic', { one: 'one\n' }, { start_branch: 'main' });
    await pushesFollowed(writing.service);
    const topic = await runner.takeNamed('compile');
    await runner.end(topic, FAILING);
    const asked = { source_branch: 'topic', target_branch: 'main', title: 'Weave' };
    const { iid } = (await loom.call<{ iid: number }>('POST', '/merge_requests', asked)).body;
    const visitor = new FormBrowser(writing.service.url);
    const sha = job.git_info.sha;
    for (const [page, { id }] of [
      [`/${loom.project.path}/-/commit/${sha}`, job],
      [`/${loom.project.path}/-/merge_requests/${iid}`, topic],
    ] as const) {
      const shown = await (await visitor.get(page)).text();
      expect(shown).toContain(`<a href="/${loom.project.path}/-/jobs/${id}"><strong class="name">compile</strong></a>`);
      expect(shown).not.toContain('reported by');
    }
  });

  it('are listed by pipeline, with the name of the commit, by how they ended and by branch, page after page', async () => {
    const { loom, runner } = await project(CI, { visibility: 'public' });
    await runner.end(await runner.takeNamed('compile'), FAILING);
    await loom.write('topic', { one: 'one\n' }, { start_branch: 'main' });
    await pushesFollowed(writing.service);
    const visitor = new FormBrowser(writing.service.url);
    const list = async (query = '') => {
      const page = await (await visitor.get(`/${loom.project.path}/-/pipelines${query}`)).text();
      return { page, numbers: [...page.matchAll(/<strong>#(\d+)<\/strong>/g)].map(([, number]) => number) };
    };
    const all = await list();
    expect(all.numbers).toEqual(['2', '1']);
    expect(all.page).toMatch(/<bdi>[^<]+<\/bdi>/);
    expect(all.page).toMatch(/· took \d+ s/);
    const failed = await list('?status=failed');
    expect([failed.numbers, failed.page]).toEqual([['1'], expect.stringContaining('<option value="failed" selected>')]);
    expect((await list('?ref=topic')).numbers).toEqual(['2']);
    expect((await list('?ref=topic&status=failed')).page).toContain('None matches.');
    expect((await list('?status=constructor&ref=&page=x')).numbers).toEqual(['2', '1']);
    expect((await list('?status=failed&page=2')).page).toContain('?page=1&amp;status=failed');
  });

  it('are begun by a form for a branch, with variables, by whoever may run them; what is wrong is said beside its field', async () => {
    const { loom } = await project(CI, { visibility: 'public' });
    const pages = `/${loom.project.path}/-/pipelines`;
    const [ada, visitor] = [new FormBrowser(writing.service.url), new FormBrowser(writing.service.url)];
    await ada.signIn(writing.ada.username);
    expect(await (await ada.get(pages)).text()).toContain(`${pages}/new`);
    expect(await (await visitor.get(pages)).text()).not.toContain(`${pages}/new`);
    const send = (branch: string, variables: string) =>
      ada.submit(`${pages}/new`, `${pages}/new`, { branch, variables });
    const refused = async (branch: string, variables: string) => {
      const answer = await send(branch, variables);
      return [answer.status, /id="(\w+)-problem" class="field-problem">([^<]*)/.exec(await answer.text())?.slice(1)];
    };
    expect(await refused('main', 'COLOR=red\r\nno equals')).toEqual([
      400,
      ['variables', expect.stringContaining('before a = in each line: no equals')],
    ]);
    const missing = await send('gone', '');
    expect([missing.status, await missing.text()]).toEqual([400, expect.stringContaining('Reference not found')]);
    const { status, headers } = await send('main', 'COLOR=red\r\n\r\nURL=https://a.example/?b=c\r\n');
    const { id, source } = await newest(loom);
    expect([status, headers.get('location'), source]).toEqual([303, `${pages}/${id}`, 'web']);
    expect((await loom.call('GET', `/pipelines/${id}/variables`)).body).toEqual([
      { variable_type: 'env_var', key: 'COLOR', value: 'red' },
      { variable_type: 'env_var', key: 'URL', value: 'https://a.example/?b=c' },
    ]);
  });

  it('tell how much of the code tests reach, by the last match of the file’s expression in their log', async () => {
    const { loom, runner } = await project(`job: { script: make, coverage: '/Total: (\\d+.\\d+)%/' }\n`);
    const job = await runner.takeNamed('job');
    await runner.write(job, 0, 'Total: 12.5%\n\u001b[1mTotal: 81.25%\u001b[0m\nTotal: none\n');
    await runner.end(job, PASSING);
    expect(await jobNamed(loom, 'job')).toMatchObject({ coverage: 81.25 });
    expect(await newest(loom)).toMatchObject({ coverage: '81.25' });
  });

  describe('who may', () => {
    it('see them is whoever sees the code, and run them whoever may push to the branch', async () => {
      const { loom, runner } = await project(CI, { visibility: 'public' });
      const job = await runner.takeNamed('compile');
      const { grace } = writing;
      expect((await loom.call('GET', `/jobs/${job.id}`, undefined, grace)).status).toBe(200);
      expect((await loom.call('GET', `/jobs/${job.id}/trace`, undefined, grace)).status).toBe(200);
      for (const action of ['cancel', 'retry', 'play', 'erase'])
        expect([action, (await act(loom, job.id, action, grace)).status]).toEqual([action, 403]);
      await loom.addMember(grace, 30);
      // `main` is protected: developers don't push there.
      expect((await loom.call('POST', '/pipeline', { ref: 'main' }, grace)).body).toEqual({
        message: { base: ["You do not have sufficient permission to run a pipeline on 'main'."] },
      });
      const { id: pipeline } = await newest(loom);
      expect((await act(loom, job.id, 'cancel', grace)).status).toBe(403);
      expect((await loom.call('POST', `/pipelines/${pipeline}/cancel`, {}, grace)).status).toBe(403);
      expect((await act(loom, job.id, 'cancel')).status).toBe(201);
      expect((await act(loom, job.id, 'retry', grace)).status).toBe(403);
      expect((await act(loom, job.id, 'erase', grace)).status).toBe(403);
      const foreign = await writing.newProject();
      expect((await act(foreign, job.id, 'cancel')).status).toBe(404);
      const hidden = await project();
      const [theirs] = await jobsOf(hidden.loom);
      expect((await hidden.loom.call('GET', `/jobs/${theirs!.id}`, undefined, grace)).status).toBe(404);
    });

    it('give a protected branch variables is whoever may push there, and not who merges what others let in', async () => {
      const { loom } = await project();
      const { grace } = writing;
      await loom.addMember(grace, 30);
      await loom.call('DELETE', '/protected_branches/main');
      await loom.call('POST', '/protected_branches', { name: 'main', push_access_level: 40, merge_access_level: 30 });
      const asked = { ref: 'main', variables: [{ key: 'BASH_ENV', value: 'echo mine', variable_type: 'file' }] };
      const refused = await loom.call('POST', '/pipeline', asked, grace);
      expect([refused.status, refused.body]).toEqual([
        ...[400, { message: { base: ['Insufficient permissions to set pipeline variables'] } }],
      ]);
      expect((await loom.call('POST', '/pipeline', { ref: 'main' }, grace)).status).toBe(201);
      expect((await loom.call('POST', '/pipeline', asked)).status).toBe(201);
    });

    it('give a job of a protected branch variables is whoever may push there, and not who merges what others let in', async () => {
      const { loom } = await project('deploy: { script: make, when: manual }\n');
      const { grace } = writing;
      await loom.addMember(grace, 30);
      await loom.call('DELETE', '/protected_branches/main');
      await loom.call('POST', '/protected_branches', { name: 'main', push_access_level: 40, merge_access_level: 30 });
      const path = `/jobs/${(await jobNamed(loom, 'deploy')).id}/play`;
      const asked = { job_variables_attributes: [{ key: 'BASH_ENV', value: 'echo mine' }] };
      expect((await loom.call('POST', path, asked, grace)).status).toBe(403);
      expect((await loom.call('POST', path, { job_variables_attributes: [] }, grace)).status).toBe(200);
    });

    it('have jobs run is whoever may run them when their turn comes: those of who has left fail', async () => {
      const { loom, runner } = await project('job: { script: make }\n', { visibility: 'public' });
      await runner.runAll();
      const { grace } = writing;
      await loom.addMember(grace, 30);
      await loom.commit(
        'topic',
        'Work',
        [{ action: 'create', file_path: 'c', content: 'c' }],
        { start_branch: 'main' },
        grace,
      );
      await followed();
      expect(await standing(loom)).toEqual(['job: pending']);
      await loom.call('DELETE', `/members/${grace.id}`);
      expect(await runner.take()).toBeUndefined();
      expect(await jobNamed(loom, 'job')).toMatchObject({ status: 'failed', failure_reason: 'user_blocked' });
    });

    it('have jobs of a protected branch run is whoever may run them there when their turn comes: those of who may no longer fail', async () => {
      const { loom, runner } = await project('job: { script: make }\n');
      await runner.runAll();
      await loom.call('POST', '/variables', { key: 'DEPLOY_KEY', value: 'for main alone', protected: true });
      const { grace } = writing;
      await loom.addMember(grace, 40);
      const ask = async (ref: string) => (await loom.call<Pipeline>('POST', '/pipeline', { ref }, grace)).body.id;
      const reasonIn = async (id: number) =>
        (await loom.call<Job[]>('GET', `/pipelines/${id}/jobs`)).body.map((job) => job['failure_reason']);
      await loom.write('topic', { 'a.txt': 'a' }, { start_branch: 'main' });
      await followed();
      await runner.runAll();
      const [ofMain, ofTopic] = [await ask('main'), await ask('topic')];
      await loom.call('PUT', `/members/${grace.id}`, { access_level: 30 });
      // It is given what may still run, and nothing else.
      expect((await runner.take())?.job_info).toMatchObject({ pipeline_id: ofTopic });
      expect(await runner.take()).toBeUndefined();
      expect(await reasonIn(ofMain)).toEqual(['user_blocked']);
      await loom.call('PUT', `/members/${grace.id}`, { access_level: 40 });
      const again = await ask('main');
      expect((await runner.take())?.job_info).toMatchObject({ pipeline_id: again });
    });

    it('say how a job stands is whoever has its token, and take one whoever has that of a runner', async () => {
      const { loom, runner } = await project();
      const job = await runner.takeNamed('compile');
      expect((await runner.ask('glrt-nobody')).status).toBe(403);
      expect((await runner.ask(writing.ada.token)).status).toBe(403);
      expect((await runner.say({ ...job, token: runner.token }, PASSING)).status).toBe(403);
      expect((await runner.say({ ...job, id: job.id + 1 }, PASSING)).status).toBe(403);
      expect(await newest(loom)).toMatchObject({ status: 'running' });
    });

    it('change, renew or remove a runner of several projects is whoever looks after all of them', async () => {
      const { loom, runner } = await project();
      const shared = await writing.newProject();
      const { grace } = writing;
      await shared.addMember(grace, 40);
      expect((await shared.call('POST', '/runners', { runner_id: runner.id })).status).toBe(201);
      const call = (method: string, path: string, json?: object) =>
        writing.service.call(method, `/runners/${runner.id}${path}`, { token: grace.token, ...(json && { json }) });
      expect((await call('GET', '')).status).toBe(200);
      expect((await call('PUT', '', { paused: true })).status).toBe(403);
      expect((await call('POST', '/reset_authentication_token')).status).toBe(403);
      expect((await call('DELETE', '')).status).toBe(403);
      expect((await shared.call('DELETE', `/runners/${runner.id}`, undefined, grace)).status).toBe(204);
      expect((await loom.call('GET', '/runners')).body).toMatchObject([{ id: runner.id, paused: false }]);
    });

    it('are listed the runners that they may look after at that moment, and shown no other', async () => {
      const { loom, runner } = await project();
      const shared = await writing.newProject();
      const maker = await writing.service.addUser(`maker-${loom.id}`);
      await loom.addMember(maker, 40);
      const json = { runner_type: 'project_type', project_id: loom.id };
      const made = await TestRunner.make(writing.service, maker, json);
      const knows = async (user: TestUser) => {
        const ask = (path: string) =>
          writing.service.call<{ id: number }[]>('GET', `/runners${path}`, { token: user.token });
        const listed = await ask('?per_page=100&type=project_type');
        const shown = [await ask(`/${runner.id}`), await ask(`/${made.id}`)].map(({ status }) => status);
        return [listed.body.map(({ id }) => id), shown];
      };
      expect(await knows(maker)).toEqual([
        [runner.id, made.id],
        [200, 200],
      ]);
      const nothing = [[], [403, 403]];
      await loom.call('PUT', `/members/${maker.id}`, { access_level: 30 });
      expect(await knows(maker)).toEqual(nothing);
      await loom.call('DELETE', `/members/${maker.id}`);
      expect(await knows(maker)).toEqual(nothing);
      expect(await knows(await writing.service.addUser(`stranger-${loom.id}`))).toEqual(nothing);
      // One of its projects is enough.
      await shared.addMember(maker, 40);
      await shared.call('POST', '/runners', { runner_id: made.id });
      expect(await knows(maker)).toEqual([[made.id], [403, 200]]);
      await shared.call('PUT', '', { builds_access_level: 'disabled' });
      expect(await knows(maker)).toEqual(nothing);
      await shared.call('PUT', '', { builds_access_level: 'enabled' });
      await shared.call('POST', '/archive');
      expect(await knows(maker)).toEqual(nothing);
      const [ofOwner, shown] = await knows(writing.ada);
      expect([ofOwner, shown]).toEqual([expect.arrayContaining([runner.id, made.id]), [200, 200]]);
      const admin = await writing.service.addUser(`overseer-${loom.id}`, { admin: true });
      expect((await knows(admin))[1]).toEqual([200, 200]);
    });

    it('see of a runner’s projects and jobs those that they may read, and learn not even how many others there are', async () => {
      const { loom: hidden, runner } = await project();
      const shared = await writing.newProject();
      const { ada, grace } = writing;
      await shared.addMember(grace, 40);
      await shared.call('POST', '/runners', { runner_id: runner.id });
      await shared.write('main', { '.gitlab-ci.yml': 'job: { script: make }\n' });
      await followed();
      const taken: TakenJob[] = [];
      for (let job = await runner.take(); job !== undefined; job = await runner.take()) {
        taken.push(job);
        await runner.end(job, PASSING);
      }
      const ofShared = taken.filter(({ job_info: { name } }) => name === 'job').map(({ id }) => id);
      expect([ofShared.length, taken.length]).toEqual([1, 4]);
      const admin = await writing.service.addUser(`root-${hidden.id}`, { admin: true });
      const seen: Record<string, unknown> = {};
      for (const [name, { token }] of Object.entries({ ada, grace, admin })) {
        const ask = (path: string) =>
          writing.service.call<Job[] & { projects: Job[] }>('GET', `/runners/${runner.id}${path}`, { token });
        const projects = (await ask('')).body.projects.map(({ id }) => id);
        const { body, headers } = await ask('/jobs?per_page=1');
        seen[name] = [projects, body.map(({ id }) => id), headers.get('x-total'), headers.get('x-next-page')];
      }
      const all = [[hidden.id, shared.id], [taken.at(-1)!.id], '4', '2'];
      expect(seen).toEqual({ ada: all, admin: all, grace: [[shared.id], ofShared, '1', ''] });
      // A guest sees the project, and not what runs there.
      await hidden.addMember(grace, 10);
      const again = (path: string) =>
        writing.service.call<{ projects: Job[] }>('GET', `/runners/${runner.id}${path}`, { token: grace.token });
      expect((await again('')).body.projects.map(({ id }) => id)).toEqual([hidden.id, shared.id]);
      expect((await again('/jobs')).headers.get('x-total')).toBe('1');
    });

    it('make runners of a project is whoever looks after it, up to a hundred', async () => {
      const { loom, runner } = await project();
      const { schema } = writing.service.service.database;
      const { id: _id, ...row } = (await schema('ci_runners').where({ id: runner.id }).first()) as { id: number };
      const made = Array.from({ length: 99 }, (_, at) => ({ ...row, token_digest: `${loom.id}-${at}` }));
      const ids = (await schema('ci_runners').insert(made.slice(0, 50)).returning('id')) as { id: number }[];
      ids.push(...((await schema('ci_runners').insert(made.slice(50)).returning('id')) as { id: number }[]));
      await schema('ci_runner_projects').insert(ids.map(({ id }) => ({ runner_id: id, project_id: loom.id })));
      const json = { runner_type: 'project_type', project_id: loom.id };
      const call = (user: TestUser, sent: object) =>
        writing.service.call('POST', '/user/runners', { token: user.token, json: sent });
      expect((await call(writing.grace, json)).status).toBe(404);
      const refused = await call(writing.ada, json);
      const other = await writing.newProject();
      const elsewhere = await TestRunner.make(writing.service, writing.ada, { ...json, project_id: other.id });
      const enabled = await loom.call('POST', '/runners', { runner_id: elsewhere.id });
      const message = 'A project has at most 100 runners.';
      expect([refused.body, enabled.body]).toEqual([{ message }, { message }]);
    });
  });
});
