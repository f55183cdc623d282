import { expect, it } from '@jest/globals';
import { CI_FILE, ciProjectWith } from '../support/ci-project.js';
import { pushesFollowed } from '../support/ci-runner.js';
import {
  bridgeOf,
  bridgesOf,
  pipelinesOf,
  runOf,
  startedIn,
  statusOf,
  upstreamOf,
  type ShownBridge,
  type ShownPipeline,
} from '../support/downstream.js';
import { FormBrowser } from '../support/form-browser.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

const PASSED = { state: 'success' };
const FAILED = { state: 'failed', failure_reason: 'script_failure' };
const MAINTAINER = 40;

describeWriting('pipelines that are parts of others', (writing) => {
  const followed = () => pushesFollowed(writing.service);

  /** A project with these files, and the pipeline that they make. */
  const projectWith = async (files: Readonly<Record<string, string>>) => {
    const made = await upstreamOf(writing, files);
    return { ...made, parent: (await pipelinesOf(made.loom))[0]! };
  };

  const childOf = async (loom: WrittenProject, { id }: Pick<ShownPipeline, 'id'>) =>
    (await bridgeOf(loom, id)).downstream_pipeline!;

  const CHILD = { 'ci/child.yml': 'x: {script: make, rules: [{if: $CI_PIPELINE_SOURCE == "parent_pipeline"}]}' };

  it('are of the same commit, and do what the included files say', async () => {
    const { loom, runner, parent } = await projectWith({
      ...CHILD,
      [CI_FILE]:
        'next: {trigger: {include: ci/child.yml}, variables: {LEVEL: deep}}\nlast: {stage: deploy, script: make}',
    });
    const child = await childOf(loom, parent);
    expect(child).toMatchObject({ ref: 'main', sha: parent.sha, source: 'parent_pipeline', status: 'pending' });
    expect((await bridgesOf(loom, parent.id))[0]!.status).toBe('success');
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
      ...{ 'ci/child.yml': 'y: {script: make}', [CI_FILE]: `next: {trigger: {include: ${include}}}` },
    });
    const child = await childOf(loom, parent);
    const jobs = await loom.call<ShownBridge[]>('GET', `/pipelines/${child.id}/jobs`);
    expect(jobs.body.map(({ name }) => name).sort()).toEqual(['x', 'y']);
    await loom.addMember(writing.grace, MAINTAINER);
    expect(await bridgesOf(loom, await runOf(writing, loom, writing.grace))).toMatchObject([
      { status: 'failed', failure_reason: 'downstream_pipeline_creation_failed', downstream_pipeline: null },
    ]);
  });

  it('are awaited where the file asks for that, also when they are run again', async () => {
    const { loom, runner, parent } = await projectWith({
      ...CHILD,
      [CI_FILE]:
        'next: {stage: build, trigger: {include: ci/child.yml, strategy: depend}}\nlast: {stage: deploy, script: make}',
    });
    await runner.end(await runner.takeNamed('x'), FAILED);
    await followed();
    expect(await statusOf(loom, parent.id)).toBe('failed');
    await loom.call('POST', `/pipelines/${(await childOf(loom, parent)).id}/retry`);
    await runner.end(await runner.takeNamed('x'), PASSED);
    await followed();
    expect(await runner.runAll()).toEqual(['last']);
    expect(await statusOf(loom, parent.id)).toBe('success');
  });

  it('stand in lists only where they are asked for, and never for their commit', async () => {
    const { loom, runner, parent } = await projectWith({
      ...CHILD,
      [CI_FILE]: 'next: {trigger: {include: ci/child.yml}}',
    });
    const child = await childOf(loom, parent);
    expect((await pipelinesOf(loom)).map(({ id }) => id)).toEqual([parent.id]);
    expect((await pipelinesOf(loom, '?scope=branches')).map(({ id }) => id)).toEqual([parent.id]);
    expect((await pipelinesOf(loom, '?source=parent_pipeline')).map(({ id }) => id)).toEqual([child.id]);
    expect((await loom.call<ShownPipeline>('GET', '/pipelines/latest')).body.id).toBe(parent.id);
    const commit = await loom.call<{ last_pipeline: ShownPipeline }>('GET', `/repository/commits/${parent.sha}`);
    expect(commit.body.last_pipeline.id).toBe(parent.id);
    await runner.end(await runner.takeNamed('x'), FAILED);
    const { schema } = writing.service.service.database;
    const told = async ({ id }: ShownPipeline) => (await schema('pipelines').where({ id }).first('told')) as object;
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
      [CI_FILE]: `next: {trigger: {include: child.yml}, ${when}}`,
    });
    await loom.commit('topic', 'Begin', [{ action: 'create', file_path: 'a', content: 'a' }], { start_branch: 'main' });
    const { body: opened } = await loom.call<{ iid: number }>('POST', '/merge_requests', {
      ...{ source_branch: 'topic', target_branch: 'main', title: 'Change' },
    });
    await followed();
    const listed = await loom.call<ShownPipeline[]>('GET', `/merge_requests/${opened.iid}/pipelines`);
    expect(listed.body.map(({ source }) => source)).toEqual(['merge_request_event']);
    const [parent] = listed.body;
    const child = await childOf(loom, parent!);
    expect(child).toMatchObject({ source: 'parent_pipeline', ref: parent!.ref, sha: parent!.sha });
    const jobs = await loom.call<ShownBridge[]>('GET', `/pipelines/${child.id}/jobs`);
    expect(jobs.body.map(({ name }) => name)).toEqual(['x']);
    const request = await loom.call<{ head_pipeline: ShownPipeline }>('GET', `/merge_requests/${opened.iid}`);
    expect(request.body.head_pipeline).toMatchObject({ id: parent!.id, status: 'success' });
  });

  it('end with the pipeline that they are part of, however deep they are', async () => {
    const { loom, parent } = await projectWith({
      [CI_FILE]: 'next: {trigger: {include: one.yml, strategy: depend}}',
      'one.yml': 'next: {trigger: {include: two.yml, strategy: depend}}\nx: {script: make}',
      'two.yml': 'y: {script: make}',
    });
    const child = await childOf(loom, parent);
    const grandchild = await childOf(loom, child);
    expect(await statusOf(loom, grandchild.id)).toBe('pending');
    expect((await loom.call('POST', `/pipelines/${parent.id}/cancel`)).status).toBe(200);
    await followed();
    for (const each of [parent, child, grandchild]) expect(await statusOf(loom, each.id)).toBe('canceled');
  });

  it('end with the one that a newer push replaces', async () => {
    const { loom, parent } = await projectWith({
      [CI_FILE]: 'next: {interruptible: true, trigger: {include: one.yml, strategy: depend}}',
      'one.yml': 'x: {script: make}',
    });
    const child = await childOf(loom, parent);
    await loom.commit('main', 'More', [{ action: 'create', file_path: 'b', content: 'b' }]);
    await followed();
    for (const each of [parent, child]) expect(await statusOf(loom, each.id)).toBe('canceled');
    expect(await statusOf(loom, (await pipelinesOf(loom))[0]!.id)).toBe('running');
  });

  it('are no parts of parts of parts', async () => {
    const { loom, parent } = await projectWith({
      [CI_FILE]: 'next: {trigger: {include: one.yml}}',
      'one.yml': 'next: {trigger: {include: one.yml}}',
    });
    const grandchild = await childOf(loom, await childOf(loom, parent));
    expect(await bridgesOf(loom, grandchild.id)).toMatchObject([
      { status: 'failed', failure_reason: 'reached_max_descendant_pipelines_depth', downstream_pipeline: null },
    ]);
    expect(await pipelinesOf(loom, '?source=parent_pipeline')).toHaveLength(2);
  });

  it('may start those of other projects, and be part of what another one started', async () => {
    const target = await ciProjectWith(writing, 'x: {script: make}');
    const files = {
      [CI_FILE]: 'next: {trigger: {include: one.yml}}',
      'one.yml': `next: {trigger: ${target.loom.project.path}}`,
    };
    const { loom, pipeline } = await upstreamOf(writing, files, target.loom);
    const child = await childOf(loom, { id: pipeline });
    expect(await bridgesOf(loom, child.id)).toMatchObject([{ status: 'success' }]);
    expect(await startedIn(target.loom)).toHaveLength(1);
  });

  it('are none of files that are not there, can’t be read, or have no job', async () => {
    const outcomes: unknown[] = [];
    for (const text of ['x: {}', 'x: {script: make, only: [tags]}', undefined]) {
      const { loom, parent } = await projectWith({
        ...{ [CI_FILE]: 'next: {trigger: {include: one.yml}}\ny: {script: make}' },
        ...(text !== undefined && { 'one.yml': text }),
      });
      outcomes.push((await bridgesOf(loom, parent.id))[0]!.failure_reason);
    }
    expect(outcomes).toEqual(Array(3).fill('downstream_pipeline_creation_failed'));
  });
});
