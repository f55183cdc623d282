import { expect, it } from '@jest/globals';
import { ciProjectWith } from '../support/ci-project.js';
import { pushesFollowed, TestRunner } from '../support/ci-runner.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

interface Job {
  readonly name: string;
  readonly tag_list: readonly string[];
}

describeWriting('what a CI file knows', (writing) => {
  const jobsOf = async (loom: WrittenProject, pipeline: number) =>
    (await loom.call<Job[]>('GET', `/pipelines/${pipeline}/jobs`)).body;

  const KNOWING = `
    by-user: { script: x, rules: [{ if: '$GITLAB_USER_LOGIN == "ada" && $GITLAB_USER_ID && $GITLAB_USER_EMAIL =~ /@/' }] }
    by-project: { script: x, rules: [{ if: '$CI_PROJECT_URL =~ /ada/ && $CI_PROJECT_NAMESPACE_ID && $CI_PROJECT_NAMESPACE == "ada"' }] }
    by-server: { script: x, rules: [{ if: '$CI_SERVER_HOST && $CI_SERVER_URL =~ /^http/ && $CI_API_V4_URL =~ /v4$/ && $CI_SERVER_VERSION =~ /^13\\.12\\.0-/ && $CI_SERVER_VERSION_MAJOR == "13"' }] }
    by-commit: { script: x, rules: [{ if: '$CI_COMMIT_TITLE =~ /^Write/ && $CI_COMMIT_REF_PROTECTED == "true"' }] }
    other: { script: x, rules: [{ if: '$GITLAB_USER_LOGIN == "grace"' }] }`;

  it('is who runs it, and where, in a pipeline and where one is tried', async () => {
    const { loom, pipeline } = await ciProjectWith(writing, KNOWING);
    const names = ['by-user', 'by-project', 'by-server', 'by-commit'];
    expect((await jobsOf(loom, pipeline)).map(({ name }) => name).sort()).toEqual([...names].sort());
    const sent = { content: KNOWING, dry_run: true, include_jobs: true };
    const tried = await loom.call<{ errors: unknown[]; jobs: Job[] }>('POST', '/ci/lint', sent);
    expect([tried.body.errors, tried.body.jobs.map(({ name }) => name).sort()]).toEqual([[], [...names].sort()]);
    await loom.call('PUT', '', { visibility: 'public' });
    const committed = await writing.service.call<{ jobs: Job[] }>(
      'GET',
      `/projects/${loom.id}/ci/lint?dry_run=true&include_jobs=true`,
    );
    // Nobody is signed in.
    expect(committed.body.jobs.map(({ name }) => name).sort()).toEqual(names.slice(1).sort());
  });

  it('is what their own name is: `.platform-ci.yml` wins over the usual one, and may be there alone', async () => {
    const { loom, runner } = await ciProjectWith(writing, 'usual: { script: x }');
    const text = 'own: { script: x, rules: [{ if: \'$CI_CONFIG_PATH == ".platform-ci.yml"\' }] }';
    const newest = async (actions: Parameters<typeof loom.commit>[2]) => {
      await loom.commit('main', 'Change what runs', actions);
      await pushesFollowed(writing.service);
      const [{ id }] = (await loom.call<{ id: number }[]>('GET', '/pipelines')).body as [{ id: number }];
      return (await jobsOf(loom, id)).map(({ name }) => name);
    };
    expect(await newest([{ action: 'create', file_path: '.platform-ci.yml', content: text }])).toEqual(['own']);
    const { variables } = await runner.takeNamed('own');
    expect(variables.find(({ key }) => key === 'CI_CONFIG_PATH')?.value).toBe('.platform-ci.yml');
    const linted = await loom.call<{ jobs: Job[] }>('GET', '/ci/lint?dry_run=true&include_jobs=true');
    expect(linted.body.jobs.map(({ name }) => name)).toEqual(['own']);
    expect(await newest([{ action: 'delete', file_path: '.gitlab-ci.yml' }])).toEqual(['own']);
  });

  it('is what tags are called, but for what is masked', async () => {
    const text = `
      x:
        script: x
        tags: ['\${HOST}', 'on-$POOL', 'of-$SECRET', '$NOTHING', plain]
        parallel: { matrix: [{ HOST: [a, b] }] }`;
    const { loom } = await ciProjectWith(writing, 'first: { script: x, rules: [{ when: manual }] }');
    await loom.call('POST', '/variables', { key: 'POOL', value: 'blue' });
    await loom.call('POST', '/variables', { key: 'SECRET', value: 'kept-for-jobs', masked: true });
    await loom.commit('main', 'Tags', [{ action: 'update', file_path: '.gitlab-ci.yml', content: text }]);
    await pushesFollowed(writing.service);
    const [{ id }] = (await loom.call<{ id: number }[]>('GET', '/pipelines')).body as [{ id: number }];
    const jobs = await jobsOf(loom, id);
    expect(jobs.map(({ name, tag_list }) => [name, [...tag_list].sort()]).sort()).toEqual([
      ['x: [a]', ['a', 'of-', 'on-blue', 'plain']],
      ['x: [b]', ['b', 'of-', 'on-blue', 'plain']],
    ]);
    const runner = await TestRunner.make(writing.service, writing.ada, {
      ...{ runner_type: 'project_type', project_id: loom.id, tag_list: 'b,of-,on-blue,plain' },
    });
    expect((await runner.takeNamed('x: [b]')).job_info.name).toBe('x: [b]');
    expect(await runner.take()).toBeUndefined();
  });

  it('is not put into variables that are not to be expanded', async () => {
    const text =
      'variables: { PW: { value: "a$CI_COMMIT_BRANCH", expand: false }, OPEN: "b$CI_COMMIT_BRANCH" }\nx: { script: x }';
    const { runner } = await ciProjectWith(writing, text);
    const { variables } = await runner.takeNamed('x');
    const own = variables.filter(({ key }) => ['PW', 'OPEN', 'CI_NODE_TOTAL', 'GITLAB_USER_LOGIN'].includes(key));
    expect(own).toEqual([
      expect.objectContaining({ key: 'GITLAB_USER_LOGIN', value: 'ada' }),
      expect.objectContaining({ key: 'CI_NODE_TOTAL', value: '1' }),
      { key: 'PW', value: 'a$CI_COMMIT_BRANCH', public: true, masked: false, raw: true },
      { key: 'OPEN', value: 'b$CI_COMMIT_BRANCH', public: true, masked: false },
    ]);
  });

  it('is not put into what people write, such as the message of a commit', async () => {
    const { loom, runner } = await ciProjectWith(writing, 'x: { script: x }');
    await runner.end(await runner.takeNamed('x'), { state: 'success' });
    await loom.commit('main', 'Fix $SECRET', [{ action: 'create', file_path: 'a', content: 'a' }]);
    await pushesFollowed(writing.service);
    const { variables } = await runner.takeNamed('x');
    const told = variables.filter(({ key }) =>
      ['CI_COMMIT_MESSAGE', 'CI_COMMIT_TITLE', 'CI_COMMIT_BRANCH'].includes(key),
    );
    expect(told).toEqual([
      { key: 'CI_COMMIT_BRANCH', value: 'main', public: true, masked: false },
      { key: 'CI_COMMIT_MESSAGE', value: 'Fix $SECRET', public: true, masked: false, raw: true },
      { key: 'CI_COMMIT_TITLE', value: 'Fix $SECRET', public: true, masked: false, raw: true },
    ]);
  });

  it('is after how long an environment ends, in words or by a variable', async () => {
    const text = `
      variables: { SOON: 2 days }
      one: { script: x, environment: { name: one, auto_stop_in: one week } }
      two: { script: x, environment: { name: two, auto_stop_in: $SOON } }`;
    const { loom, runner } = await ciProjectWith(writing, text);
    for (const name of ['one', 'two']) await runner.end(await runner.takeNamed(name), { state: 'success' });
    const { body } = await loom.call<{ name: string; auto_stop_at: string; updated_at: string }[]>(
      'GET',
      '/environments',
    );
    const days = body.map((each) => [
      each.name,
      Math.round((Date.parse(each.auto_stop_at) - writing.service.clock.now().getTime()) / 86_400_000),
    ]);
    expect(new Map(days as [string, number][])).toEqual(
      new Map([
        ['one', 7],
        ['two', 2],
      ]),
    );
  });
});
