import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { ciProjectWith, type CiProject } from '../support/ci-project.js';
import { pushesFollowed, TestRunner, type TakenJob } from '../support/ci-runner.js';
import type { TestUser } from '../support/test-service.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';
import { zipOf } from '../support/zips.js';

const CI = '.gitlab-ci.yml';
const PASSED = { state: 'success' };
const [REPORTER, MAINTAINER] = [20, 40];
const BUILD = 'build: {script: make, artifacts: {paths: [out]}}';

interface Dependency {
  readonly id: number;
  readonly name: string;
  readonly token: string;
  readonly artifacts_file: { readonly filename: string; readonly size: number };
}

describeWriting('files of jobs of other projects', (writing) => {
  /** A project whose job has left an archive, and its jobs. */
  const library = async (text = BUILD) => {
    const made = await ciProjectWith(writing, text);
    return { ...made, ...(await leave(made, 'first')), path: made.loom.project.path };
  };

  const leave = async (
    { runner }: Pick<CiProject, 'runner'>,
    said: string,
  ): Promise<{ readonly job: TakenJob; readonly zip: Buffer }> => {
    const job = await runner.takeNamed('build');
    const zip = await zipOf({ out: said });
    expect((await runner.leave(job, zip)).status).toBe(201);
    await runner.end(job, PASSED);
    return { job, zip };
  };

  const letIn = (target: WrittenProject, starter: WrittenProject) =>
    target.call('POST', '/job_token_scope/allowlist', { target_project_id: starter.id });

  /** A project whose job needs files of another one, which lets in its jobs. */
  const user = async (needs: string, target?: WrittenProject, by: TestUser = writing.ada) => {
    const loom = await writing.newProject();
    if (target !== undefined) expect((await letIn(target, loom)).status).toBe(201);
    await loom.addMember(by, MAINTAINER);
    const runner = await TestRunner.make(writing.service, writing.ada, {
      ...{ runner_type: 'project_type', project_id: loom.id, run_untagged: true },
    });
    const content = `first: {script: make}\nuse: {stage: deploy, script: make, needs: ${needs}}`;
    await loom.commit('main', 'Use it', [{ action: 'create', file_path: CI, content }], {}, by);
    await pushesFollowed(writing.service);
    return { loom, runner };
  };

  /** What `use` is given, before what it doesn't wait for; undefined where it was refused. */
  const given = async ({ runner }: Pick<CiProject, 'runner'>) => {
    for (let job = await runner.take(); job !== undefined; job = await runner.take())
      if (job.job_info.name === 'use') return { job, dependencies: job['dependencies'] as readonly Dependency[] };
    return undefined;
  };

  const reasonOf = async (loom: WrittenProject) => {
    const { body } = await loom.call<{ name: string; status: string; failure_reason?: string }[]>('GET', '/jobs');
    const used = body.find(({ name }) => name === 'use');
    return [used?.status, used?.failure_reason];
  };

  const fetched = async (token: string, id: number) => {
    const answer = await fetch(`${writing.service.url}/api/v4/jobs/${id}/artifacts`, {
      headers: { 'JOB-TOKEN': token },
    });
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
  };

  it('are given to a job that needs them, at once, as those of the newest pipeline of the branch that succeeded', async () => {
    const { loom, runner, job, zip, path } = await library();
    const using = await user(`[{project: ${path}, job: build, ref: main}]`, loom);
    const taken = (await given(using))!;
    expect(taken.dependencies).toEqual([
      {
        ...{ id: job.id, name: 'build', token: taken.job.token },
        artifacts_file: { filename: 'artifacts.zip', size: zip.length },
      },
    ]);
    // What it was told of is there, though there is a newer one.
    await loom.write('main', { 'a.txt': 'a' });
    await pushesFollowed(writing.service);
    const { job: newer } = await leave({ runner }, 'second');
    const answer = await fetched(taken.job.token, job.id);
    expect([answer.status, answer.bytes.equals(zip)]).toEqual([200, true]);
    const next = await user(`[{project: $WHERE, job: $CI_JOB_STAGE, ref: main}]`);
    expect([await given(next), await reasonOf(next.loom)]).toEqual([
      undefined,
      ['failed', 'missing_dependency_failure'],
    ]);
    const again = await user(`[{project: ${path}, job: build, ref: $CI_DEFAULT_BRANCH}]`, loom);
    expect((await given(again))!.dependencies.map(({ id }) => id)).toEqual([newer.id]);
    await using.runner.end(taken.job, PASSED);
    expect((await fetched(taken.job.token, job.id)).status).toBe(403);
  });

  it('tell the variables of their reports, after those of its own pipeline, and without an archive, too', async () => {
    const text = 'build: {script: make, artifacts: {reports: {dotenv: a.env}}}';
    const { loom, runner } = await ciProjectWith(writing, text);
    const { path } = loom.project;
    const report = (said: string) => [gzipSync(said), { query: 'artifact_type=dotenv&artifact_format=gzip' }] as const;
    const built = await runner.takeNamed('build');
    expect((await runner.leave(built, ...report('SAME=theirs\nTHEIRS=1\n'))).status).toBe(201);
    await runner.end(built, PASSED);
    const using = await user(`[first, {project: ${path}, job: build, ref: main}]`, loom);
    const first = await using.runner.takeNamed('first');
    await using.runner.leave(first, ...report('SAME=own\nOWN=2\n'));
    await using.runner.end(first, PASSED);
    const { job, dependencies } = (await given(using))!;
    const told = new Map(job.variables.map(({ key, value }) => [key, value]));
    expect(job.variables.find(({ key }) => key === 'THEIRS')).toMatchObject({ raw: true });
    expect(job.variables.find(({ key }) => key === 'OWN')).not.toHaveProperty('raw');
    expect([dependencies, ['SAME', 'THEIRS', 'OWN'].map((key) => told.get(key))]).toEqual([[], ['theirs', '1', '2']]);
    const stranger = await user(`[{project: ${path}, job: build, ref: main}]`);
    expect([await given(stranger), await reasonOf(stranger.loom)]).toEqual([
      undefined,
      ['failed', 'missing_dependency_failure'],
    ]);
  });

  it('are beside those of its own pipeline, and not asked for where it needs no artifacts', async () => {
    const { loom, job, path } = await library();
    const using = await user(`[{job: first}, {project: ${path}, job: build, ref: main}]`, loom);
    const first = await using.runner.takeNamed('first');
    await using.runner.leave(first, await zipOf({ a: 'a' }));
    await using.runner.end(first, PASSED);
    expect((await given(using))!.dependencies.map(({ id }) => id)).toEqual([first.id, job.id]);
    const without = await user('[{project: no/where, job: build, ref: main, artifacts: false}]');
    expect((await given(without))!.dependencies).toEqual([]);
  });

  it.each([
    ['the project does not let in jobs of this one', 'main', 'build', false],
    ['there is no such branch', 'none', 'build', true],
    ['there is no such job', 'main', 'none', true],
  ])('are missed where %s: the job fails, and says so', async (_why, ref, name, isLetIn) => {
    const { loom, path } = await library();
    const using = await user(`[{project: ${path}, job: ${name}, ref: ${ref}}]`, isLetIn ? loom : undefined);
    expect(await given(using)).toBeUndefined();
    expect(await reasonOf(using.loom)).toEqual(['failed', 'missing_dependency_failure']);
  });

  it('are those that whoever the job runs for may have, and an administrator has no more', async () => {
    const { loom, job, path } = await library();
    const needs = `[{project: ${path}, job: build, ref: main}]`;
    const using = await user(needs, loom, writing.grace);
    expect([await given(using), await reasonOf(using.loom)]).toEqual([
      undefined,
      ['failed', 'missing_dependency_failure'],
    ]);
    await loom.addMember(writing.grace, REPORTER);
    const allowed = await user(needs, loom, writing.grace);
    const taken = (await given(allowed))!;
    expect(taken.dependencies.map(({ id }) => id)).toEqual([job.id]);
    await loom.call('DELETE', `/members/${writing.grace.id}`);
    expect((await fetched(taken.job.token, job.id)).status).toBe(404);
    const kept = await library('build: {script: make, artifacts: {paths: [out], access: maintainer}}');
    await kept.loom.addMember(writing.grace, REPORTER);
    const refused = await user(`[{project: ${kept.path}, job: build, ref: main}]`, kept.loom, writing.grace);
    expect(await given(refused)).toBeUndefined();
  });

  it('are no others: a job fetches what it names, and nothing else of that project', async () => {
    const { loom, runner, path } = await library(
      `${BUILD}\nsecret: {stage: deploy, script: make, artifacts: {paths: [out]}}`,
    );
    const secret = await runner.takeNamed('secret');
    await runner.leave(secret, await zipOf({ out: 'secret' }));
    await runner.end(secret, PASSED);
    const using = await user(`[{project: ${path}, job: build, ref: main}]`, loom);
    const taken = (await given(using))!;
    expect((await fetched(taken.job.token, taken.dependencies[0]!.id)).status).toBe(200);
    expect((await fetched(taken.job.token, secret.id)).status).toBe(404);
    const plain = await user('[]', loom);
    expect((await fetched((await given(plain))!.job.token, taken.dependencies[0]!.id)).status).toBe(404);
  });
});
