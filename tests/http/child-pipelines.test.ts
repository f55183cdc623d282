import { expect, it } from '@jest/globals';
import { ciProjectWith } from '../support/ci-project.js';
import { pushesFollowed, TestRunner } from '../support/ci-runner.js';
import { FormBrowser } from '../support/form-browser.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

interface Pipeline {
  readonly id: number;
  readonly iid: number;
  readonly ref: string;
  readonly sha: string;
  readonly source: string;
  readonly status: string;
}

interface Bridge {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly failure_reason?: string;
  readonly downstream_pipeline: Pipeline | null;
}

const PASSED = { state: 'success' };
const FAILED = { state: 'failed', failure_reason: 'script_failure' };
const MAINTAINER = 40;
const CI = '.gitlab-ci.yml';

describeWriting('pipelines that are parts of others', (writing) => {
  const followed = () => pushesFollowed(writing.service);

  const projectWith = async (files: Readonly<Record<string, string>>) => {
    const loom = await writing.newProject();
    const runner = await TestRunner.make(writing.service, writing.ada, {
      ...{ runner_type: 'project_type', project_id: loom.id, run_untagged: true },
    });
    await loom.write('main', files);
    await followed();
    return { loom, runner, parent: (await pipelines(loom))[0]! };
  };

  const pipelines = async (loom: WrittenProject, query = '') =>
    (await loom.call<Pipeline[]>('GET', `/pipelines${query}`)).body;
  const bridgesOf = async (loom: WrittenProject, { id }: Pick<Pipeline, 'id'>) =>
    (await loom.call<Bridge[]>('GET', `/pipelines/${id}/bridges`)).body;
  const childOf = async (loom: WrittenProject, parent: Pick<Pipeline, 'id'>) => {
    const [bridge] = await bridgesOf(loom, parent);
    return bridge!.downstream_pipeline!;
  };
  const statusOf = async (loom: WrittenProject, { id }: Pick<Pipeline, 'id'>) =>
    (await loom.call<Pipeline>('GET', `/pipelines/${id}`)).body.status;

  const CHILD = { 'ci/child.yml': 'x: {script: make, rules: [{if: $CI_PIPELINE_SOURCE == "parent_pipeline"}]}' };

  it('are of the same commit, and do what the included files say', async () => {
    const { loom, runner, parent } = await projectWith({
      ...CHILD,
      [CI]: 'next: {trigger: {include: ci/child.yml}, variables: {LEVEL: deep}}\nlast: {stage: deploy, script: make}',
    });
    const child = await childOf(loom, parent);
    expect(child).toMatchObject({ ref: 'main', sha: parent.sha, source: 'parent_pipeline', status: 'pending' });
    expect((await bridgesOf(loom, parent))[0]!.status).toBe('success');
    const taken = new Map((await runner.take())!.variables.map(({ key, value }) => [key, value]));
    expect(taken.get('CI_JOB_NAME')).toBe('last');
    const told = new Map((await runner.takeNamed('x')).variables.map(({ key, value }) => [key, value]));
    expect(
      ['CI_PIPELINE_SOURCE', 'LEVEL', 'CI_COMMIT_BRANCH', 'CI_UPSTREAM_PIPELINE_ID'].map((key) => told.get(key)),
    ).toEqual(['parent_pipeline', 'deep', 'main', String(parent.id)]);
  });

  it('may be of files of other projects, by whoever may read them', async () => {
    const shared = await writing.newProject();
    await shared.write('main', { 'shared.yml': 'x: {script: make}' });
    const include = `[{project: ${shared.project.path}, file: shared.yml, ref: main}, {local: ci/child.yml}]`;
    const { loom, parent } = await projectWith({
      ...{ 'ci/child.yml': 'y: {script: make}', [CI]: `next: {trigger: {include: ${include}}}` },
    });
    const child = await childOf(loom, parent);
    const jobs = await loom.call<Bridge[]>('GET', `/pipelines/${child.id}/jobs`);
    expect(jobs.body.map(({ name }) => name).sort()).toEqual(['x', 'y']);
    await loom.addMember(writing.grace, MAINTAINER);
    const { body } = await loom.call<Pipeline>('POST', '/pipeline', { ref: 'main' }, writing.grace);
    await followed();
    expect(await bridgesOf(loom, body)).toMatchObject([
      { status: 'failed', failure_reason: 'downstream_pipeline_creation_failed', downstream_pipeline: null },
    ]);
  });

  it('are awaited where the file asks for that, also when they are run again', async () => {
    const { loom, runner, parent } = await projectWith({
      ...CHILD,
      [CI]: 'next: {stage: build, trigger: {include: ci/child.yml, strategy: depend}}\nlast: {stage: deploy, script: make}',
    });
    await runner.end(await runner.takeNamed('x'), FAILED);
    await followed();
    expect(await statusOf(loom, parent)).toBe('failed');
    await loom.call('POST', `/pipelines/${(await childOf(loom, parent)).id}/retry`);
    await runner.end(await runner.takeNamed('x'), PASSED);
    await followed();
    expect(await runner.runAll()).toEqual(['last']);
    expect(await statusOf(loom, parent)).toBe('success');
  });

  it('stand in lists only where they are asked for, and never for their commit', async () => {
    const { loom, runner, parent } = await projectWith({ ...CHILD, [CI]: 'next: {trigger: {include: ci/child.yml}}' });
    const child = await childOf(loom, parent);
    expect((await pipelines(loom)).map(({ id }) => id)).toEqual([parent.id]);
    expect((await pipelines(loom, '?scope=branches')).map(({ id }) => id)).toEqual([parent.id]);
    expect((await pipelines(loom, '?source=parent_pipeline')).map(({ id }) => id)).toEqual([child.id]);
    expect((await loom.call<Pipeline>('GET', '/pipelines/latest')).body.id).toBe(parent.id);
    const commit = await loom.call<{ last_pipeline: Pipeline }>('GET', `/repository/commits/${parent.sha}`);
    expect(commit.body.last_pipeline.id).toBe(parent.id);
    await runner.end(await runner.takeNamed('x'), FAILED);
    const { schema } = writing.service.service.database;
    const told = async ({ id }: Pipeline) => (await schema('pipelines').where({ id }).first('told')) as object;
    expect([await told(parent), await told(child)]).toEqual([{ told: 'success' }, { told: null }]);
    const statuses = await loom.call<{ name: string; status: string }[]>(
      ...(['GET', `/repository/commits/${parent.sha}/statuses`] as const),
    );
    expect(statuses.body.map(({ name, status }) => [name, status])).toEqual([['next', 'success']]);
    expect((await loom.call('GET', '/jobs/artifacts/main/download?job=x')).status).toBe(404);
    // What a program reports goes to the pipeline of the branch.
    const said = await loom.call<{ pipeline_id: number }>('POST', `/statuses/${parent.sha}`, { state: 'success' });
    expect(said.body.pipeline_id).toBe(parent.id);
    const browser = new FormBrowser(writing.service.url);
    await browser.signIn('ada');
    const pageOf = async (path: string) => (await browser.get(`/${loom.project.path}/-/${path}`)).text();
    const list = await pageOf('pipelines');
    expect(list).toContain(`/pipelines/${parent.id}"`);
    expect(list).not.toContain(`/pipelines/${child.id}"`);
    expect(await pageOf(`pipelines/${parent.id}`)).toContain(`/pipelines/${child.id}"`);
    expect(await pageOf(`pipelines/${child.id}`)).toContain('<dt>Started by</dt>');
  });

  it('are parts of those for merge requests, too, and decide nothing there', async () => {
    const loom = await writing.newProject();
    const when = 'rules: [{if: $CI_MERGE_REQUEST_IID}]';
    await loom.write('main', {
      'child.yml': `x: {script: make, ${when}}\nbranch: {script: make, rules: [{if: $CI_COMMIT_BRANCH}]}`,
      [CI]: `next: {trigger: {include: child.yml}, ${when}}`,
    });
    await loom.commit('topic', 'Begin', [{ action: 'create', file_path: 'a', content: 'a' }], { start_branch: 'main' });
    const { body: opened } = await loom.call<{ iid: number }>('POST', '/merge_requests', {
      ...{ source_branch: 'topic', target_branch: 'main', title: 'Change' },
    });
    await followed();
    const listed = await loom.call<Pipeline[]>('GET', `/merge_requests/${opened.iid}/pipelines`);
    expect(listed.body.map(({ source }) => source)).toEqual(['merge_request_event']);
    const [parent] = listed.body;
    const child = await childOf(loom, parent!);
    expect(child).toMatchObject({ source: 'parent_pipeline', ref: parent!.ref, sha: parent!.sha });
    const jobs = await loom.call<Bridge[]>('GET', `/pipelines/${child.id}/jobs`);
    expect(jobs.body.map(({ name }) => name)).toEqual(['x']);
    const request = await loom.call<{ head_pipeline: Pipeline }>('GET', `/merge_requests/${opened.iid}`);
    expect(request.body.head_pipeline).toMatchObject({ id: parent!.id, status: 'success' });
  });

  it('end with the pipeline that they are part of, however deep they are', async () => {
    const { loom, parent } = await projectWith({
      [CI]: 'next: {trigger: {include: one.yml, strategy: depend}}',
      'one.yml': 'next: {trigger: {include: two.yml, strategy: depend}}\nx: {script: make}',
      'two.yml': 'y: {script: make}',
    });
    const child = await childOf(loom, parent);
    const grandchild = await childOf(loom, child);
    expect(await statusOf(loom, grandchild)).toBe('pending');
    expect((await loom.call('POST', `/pipelines/${parent.id}/cancel`)).status).toBe(200);
    await followed();
    for (const each of [parent, child, grandchild]) expect(await statusOf(loom, each)).toBe('canceled');
  });

  it('end with the one that a newer push replaces', async () => {
    const { loom, parent } = await projectWith({
      [CI]: 'next: {interruptible: true, trigger: {include: one.yml, strategy: depend}}',
      'one.yml': 'x: {script: make}',
    });
    const child = await childOf(loom, parent);
    await loom.commit('main', 'More', [{ action: 'create', file_path: 'b', content: 'b' }]);
    await followed();
    for (const each of [parent, child]) expect(await statusOf(loom, each)).toBe('canceled');
    expect(await statusOf(loom, (await pipelines(loom))[0]!)).toBe('running');
  });

  it('are no parts of parts of parts', async () => {
    const { loom, parent } = await projectWith({
      [CI]: 'next: {trigger: {include: one.yml}}',
      'one.yml': 'next: {trigger: {include: one.yml}}',
    });
    const grandchild = await childOf(loom, await childOf(loom, parent));
    expect(await bridgesOf(loom, grandchild)).toMatchObject([
      { status: 'failed', failure_reason: 'reached_max_descendant_pipelines_depth', downstream_pipeline: null },
    ]);
    expect(await pipelines(loom, '?source=parent_pipeline')).toHaveLength(2);
  });

  it('may start those of other projects, and be part of what another one started', async () => {
    const target = await ciProjectWith(writing, 'x: {script: make}');
    const loom = await writing.newProject();
    await target.loom.call('POST', '/job_token_scope/allowlist', { target_project_id: loom.id });
    await loom.write('main', {
      [CI]: 'next: {trigger: {include: one.yml}}',
      'one.yml': `next: {trigger: ${target.loom.project.path}}`,
    });
    await followed();
    const child = await childOf(loom, (await pipelines(loom))[0]!);
    expect(await bridgesOf(loom, child)).toMatchObject([{ status: 'success' }]);
    expect(await pipelines(target.loom, '?source=pipeline')).toHaveLength(1);
  });

  it('are none of files that are not there, can’t be read, or have no job', async () => {
    const outcomes: unknown[] = [];
    for (const text of ['x: {}', 'x: {script: make, only: [tags]}', undefined]) {
      const { loom, parent } = await projectWith({
        ...{ [CI]: 'next: {trigger: {include: one.yml}}\ny: {script: make}' },
        ...(text !== undefined && { 'one.yml': text }),
      });
      outcomes.push((await bridgesOf(loom, parent))[0]!.failure_reason);
    }
    expect(outcomes).toEqual(Array(3).fill('downstream_pipeline_creation_failed'));
  });
});
