import { expect, it } from '@jest/globals';
import type { UserId } from '../../src/domain/shared/identifiers.js';
import { PIPELINE_TOKENS } from '../../src/infrastructure/composition/pipelines.tokens.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { WORKSPACE_TOKENS } from '../../src/infrastructure/composition/workspace.tokens.js';
import { pushesFollowed, TestRunner, type TakenJob } from '../support/ci-runner.js';
import { FormBrowser } from '../support/form-browser.js';
import { git, temporaryFolder } from '../support/git.js';
import { remoteOf, WorkTree } from '../support/git-service.js';
import type { TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

interface Pipeline {
  readonly id: number;
  readonly iid: number;
  readonly project_id: number;
  readonly sha: string;
  readonly ref: string;
  readonly status: string;
  readonly source: string;
  readonly message?: unknown;
}

interface MergeRequest {
  readonly id: number;
  readonly iid: number;
  readonly sha: string;
  readonly state: string;
  readonly detailed_merge_status: string;
  readonly head_pipeline: Pipeline | null;
}

const OF_BRANCHES = 'branch: { script: make }\n';
const OF_MERGE_REQUESTS = `
proposed:
  script: make
  rules: [{ if: $CI_PIPELINE_SOURCE == "merge_request_event" }]
`;
const BOTH = OF_BRANCHES + OF_MERGE_REQUESTS;
const REPORTER = 20;
const DEVELOPER = 30;

describeWriting('pipelines for merge requests', (writing) => {
  const followed = () => pushesFollowed(writing.service);

  /** With a branch `topic` that is one commit ahead. */
  const project = async (text = BOTH, fields: object = {}) => {
    const loom = await writing.newProject(fields);
    await loom.write('main', { '.gitlab-ci.yml': text, 'README.md': '# Loom\n' });
    await loom.write('topic', { one: 'one\n' }, { start_branch: 'main' });
    await followed();
    return loom;
  };

  const open = async (loom: WrittenProject, more: object = {}, user = writing.ada) => {
    const json = { source_branch: 'topic', target_branch: 'main', title: 'Weave', ...more };
    const { status, body } = await loom.call<MergeRequest>('POST', '/merge_requests', json, user);
    expect([status, body]).toEqual([201, expect.objectContaining({ iid: expect.any(Number) })]);
    await followed();
    return body.iid;
  };

  const show = async (loom: WrittenProject, iid = 1) =>
    (await loom.call<MergeRequest>('GET', `/merge_requests/${iid}`)).body;

  /** By how they came about, the oldest first. */
  const pipelines = async (loom: WrittenProject, query = '') =>
    (await loom.call<Pipeline[]>('GET', `/pipelines?sort=asc&${query}`)).body;

  const ofMergeRequests = (loom: WrittenProject) => pipelines(loom, 'source=merge_request_event');

  const jobsOf = async (loom: WrittenProject, { id }: Pick<Pipeline, 'id'>) =>
    (await loom.call<{ name: string }[]>('GET', `/pipelines/${id}/jobs`)).body.map(({ name }) => name);

  const run = (loom: WrittenProject, iid = 1, user: TestUser = writing.ada) =>
    loom.call<Pipeline>('POST', `/merge_requests/${iid}/pipelines`, {}, user);

  const runnerOf = (loom: WrittenProject) =>
    TestRunner.make(writing.service, writing.ada, {
      ...{ runner_type: 'project_type', project_id: loom.id, run_untagged: true },
    });

  const takeFrom = async (runner: TestRunner, name: string): Promise<TakenJob> => {
    for (let job = await runner.take(); job !== undefined; job = await runner.take())
      if (job.job_info.name === name) return job;
    throw new Error(`no job ${name} waits`);
  };

  const variablesOf = (job: TakenJob) => Object.fromEntries(job.variables.map(({ key, value }) => [key, value]));

  it('are made once one is open, of the jobs that are for these, and are what it waits for', async () => {
    const loom = await project();
    await open(loom);
    const { sha, head_pipeline: head } = await show(loom);
    expect(head).toMatchObject({ source: 'merge_request_event', ref: 'refs/merge-requests/1/head', sha });
    expect(await jobsOf(loom, head!)).toEqual(['proposed']);
    const [ofBranch] = await pipelines(loom, 'ref=topic');
    expect(ofBranch).toMatchObject({ source: 'push', sha });
    expect(await jobsOf(loom, ofBranch!)).toEqual(['branch']);
    const listed = await loom.call<Pipeline[]>('GET', '/merge_requests/1/pipelines');
    expect(listed.body.map(({ id }) => id)).toEqual([head!.id, ofBranch!.id]);
    expect((await pipelines(loom, 'scope=branches')).map(({ source }) => source)).toEqual(['push', 'push']);
  });

  it('are none of a rebase with `skip_ci`, which leaves a skipped one of its branch, where one without makes both', async () => {
    const loom = await project();
    await open(loom);
    const rebase = async (sent: object) => {
      await loom.commit('main', 'Go on', [{ action: 'update', file_path: 'README.md', content: JSON.stringify(sent) }]);
      expect(await loom.call('PUT', '/merge_requests/1/rebase', sent)).toMatchObject({ status: 202 });
      await followed();
      const sha = await loom.head('topic');
      return (await pipelines(loom, `sha=${sha}`)).map(({ source, status }) => `${source} ${status}`).sort();
    };
    expect(await rebase({ skip_ci: true })).toEqual(['push skipped']);
    expect(await rebase({ skip_ci: false })).toEqual(['merge_request_event pending', 'push pending']);
  });

  it('are made of a file that knows only words for branches for none of them', async () => {
    const loom = await project(OF_BRANCHES);
    await open(loom);
    expect(await ofMergeRequests(loom)).toEqual([]);
    expect((await show(loom)).head_pipeline).toMatchObject({ source: 'push' });
    const old = await project(
      'proposed: { script: make, only: [merge_requests] }\nother: { script: make, only: [main] }\n',
    );
    await open(old);
    expect(await jobsOf(old, (await ofMergeRequests(old))[0]!)).toEqual(['proposed']);
  });

  it('follow pushes: the newer one ends the older, and each commit has one', async () => {
    const loom = await project();
    await open(loom);
    const { id: sha } = await loom.write('topic', { two: 'two\n' });
    await followed();
    const made = await ofMergeRequests(loom);
    expect(made.map(({ status }) => status)).toEqual(['canceled', 'pending']);
    expect((await show(loom)).head_pipeline).toMatchObject({ id: made[1]!.id, sha });
    // It had one already.
    for (const event of ['close', 'reopen']) await loom.call('PUT', '/merge_requests/1', { state_event: event });
    await followed();
    expect(await ofMergeRequests(loom)).toHaveLength(2);
    await loom.call('PUT', '/merge_requests/1', { state_event: 'close' });
    await loom.write('topic', { three: 'three\n' });
    await followed();
    expect(await ofMergeRequests(loom)).toHaveLength(2);
    await loom.call('PUT', '/merge_requests/1', { state_event: 'reopen' });
    await followed();
    expect(await ofMergeRequests(loom)).toHaveLength(3);
  });

  it('are those of one merge request each, where several come from a branch', async () => {
    const loom = await project();
    await loom.write('release', { released: 'yes\n' }, { start_branch: 'main' });
    await followed();
    await open(loom);
    await open(loom, { target_branch: 'release', title: 'Weave, too' });
    const [first, second] = await ofMergeRequests(loom);
    expect([first!.ref, second!.ref]).toEqual(['refs/merge-requests/1/head', 'refs/merge-requests/2/head']);
    expect([(await show(loom, 1)).head_pipeline?.id, (await show(loom, 2)).head_pipeline?.id]).toEqual([
      first!.id,
      second!.id,
    ]);
    const listed = await loom.call<Pipeline[]>('GET', '/merge_requests/1/pipelines');
    expect(listed.body.map(({ id }) => id)).not.toContain(second!.id);
    await loom.write('topic', { two: 'two\n' });
    await followed();
    expect((await ofMergeRequests(loom)).map(({ status }) => status)).toEqual([
      ...['canceled', 'canceled'],
      ...['pending', 'pending'],
    ]);
  });

  it('tell their jobs of it, with nothing that is kept for protected branches', async () => {
    const loom = await project();
    await loom.call('POST', '/protected_branches', { name: 'topic' });
    await loom.call('POST', '/variables', { key: 'KEPT', value: 'for-protected-ones', protected: true });
    await loom.call('POST', '/variables', { key: 'OPEN', value: 'for-all' });
    await loom.call('POST', '/labels', { name: 'urgent', color: '#ff0000' });
    await open(loom, { title: 'Draft: Weave $OPEN', description: 'x'.repeat(3_000), labels: 'urgent', squash: true });
    const job = await takeFrom(await runnerOf(loom), 'proposed');
    const { sha } = await show(loom);
    expect(job).toMatchObject({
      git_info: { sha, ref: 'refs/merge-requests/1/head', protected: false },
    });
    const variables = variablesOf(job);
    expect(variables).toMatchObject({
      ...{
        CI_PIPELINE_SOURCE: 'merge_request_event',
        CI_COMMIT_SHA: sha,
        CI_COMMIT_REF_NAME: 'topic',
        OPEN: 'for-all',
      },
      ...{ CI_MERGE_REQUEST_IID: '1', CI_MERGE_REQUEST_EVENT_TYPE: 'detached', CI_MERGE_REQUEST_DRAFT: 'true' },
      ...{ CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'topic', CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main' },
      ...{ CI_MERGE_REQUEST_PROJECT_PATH: loom.project.path, CI_MERGE_REQUEST_TARGET_BRANCH_PROTECTED: 'true' },
      ...{ CI_MERGE_REQUEST_PROJECT_URL: expect.stringMatching(new RegExp(`^http.*/${loom.project.path}$`)) },
      ...{ CI_MERGE_REQUEST_SOURCE_PROJECT_ID: String(loom.id), CI_MERGE_REQUEST_LABELS: 'urgent' },
      ...{ CI_MERGE_REQUEST_DIFF_BASE_SHA: await loom.head('main'), CI_MERGE_REQUEST_SQUASH_ON_MERGE: 'true' },
      ...{ CI_MERGE_REQUEST_TITLE: 'Draft: Weave $OPEN', CI_MERGE_REQUEST_DESCRIPTION: 'x'.repeat(2_700) },
      CI_MERGE_REQUEST_DESCRIPTION_IS_TRUNCATED: 'true',
      ...{ CI_OPEN_MERGE_REQUESTS: `${loom.project.path}!1`, CI_COMMIT_REF_PROTECTED: 'false' },
    });
    expect([variables['KEPT'], variables['CI_COMMIT_BRANCH']]).toEqual([undefined, undefined]);
    // Nothing that it names is read out into it.
    expect(job.variables.find(({ key }) => key === 'CI_MERGE_REQUEST_TITLE')).toMatchObject({ raw: true });
    const folder = temporaryFolder();
    await git(['init', '--quiet', folder]);
    const { repo_url: url, refspecs } = job.git_info;
    await git(['-C', folder, 'fetch', '--quiet', '--depth', '20', url, ...refspecs]);
    await git(['-C', folder, 'checkout', '--quiet', sha]);
    expect(await git(['-C', folder, 'show', 'HEAD:one'])).toBe('one\n');
  });

  it('can take the place of those of the branch', async () => {
    const rules = `
workflow:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH && $CI_OPEN_MERGE_REQUESTS
      when: never
    - if: $CI_COMMIT_BRANCH
job: { script: make }
`;
    const loom = await project(rules);
    await open(loom);
    await loom.write('topic', { two: 'two\n' });
    await followed();
    const made = await pipelines(loom);
    expect(made.map(({ source }) => source)).toEqual(['push', 'push', 'merge_request_event', 'merge_request_event']);
    expect(await jobsOf(loom, made[3]!)).toEqual(['job']);
  });

  it('count what changed from where the branches parted', async () => {
    const rule = (path: string) => `{ script: make, rules: [{ if: $CI_MERGE_REQUEST_IID, changes: [${path}] }] }`;
    const loom = await project(`docs: ${rule('docs/*')}\none: ${rule('one')}\ntwo: ${rule('two')}\n`);
    await loom.write('main', { 'docs/later': 'later\n' });
    await open(loom);
    expect(await jobsOf(loom, (await ofMergeRequests(loom))[0]!)).toEqual(['one']);
    await loom.write('topic', { two: 'two\n' });
    await followed();
    expect((await jobsOf(loom, (await ofMergeRequests(loom))[1]!)).sort()).toEqual(['one', 'two']);
  });

  it('are run again by whoever may push to the branch, and say why there is nothing to run', async () => {
    const loom = await project(BOTH, { visibility: 'public' });
    await open(loom);
    const { status, body } = await run(loom);
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ source: 'merge_request_event', status: 'pending' }),
    ]);
    expect((await show(loom)).head_pipeline).toMatchObject({ id: body.id });
    expect((await run(loom, 1, writing.grace)).status).toBe(403);
    await loom.addMember(writing.grace, REPORTER);
    expect((await run(loom, 1, writing.grace)).status).toBe(403);
    await loom.call('PUT', `/members/${writing.grace.id}`, { access_level: DEVELOPER });
    await loom.call('POST', '/protected_branches', { name: 'topic', push_access_level: 40, merge_access_level: 40 });
    expect(await run(loom, 1, writing.grace)).toMatchObject({
      ...{
        status: 400,
        body: { message: { base: ["You do not have sufficient permission to run a pipeline on 'topic'."] } },
      },
    });
    await loom.call('DELETE', '/protected_branches/topic');
    expect((await run(loom, 1, writing.grace)).status).toBe(201);
    await loom.call('PUT', '/merge_requests/1', { state_event: 'close' });
    expect(await run(loom)).toMatchObject({
      ...{
        status: 405,
        body: { message: '405 Method Not Allowed', reason: 'Only an open merge request has pipelines.' },
      },
    });
    const other = await project(OF_BRANCHES);
    await open(other);
    expect(await run(other)).toMatchObject({
      status: 405,
      body: { reason: expect.stringMatching(/would have been empty/) },
    });
  });

  it('are not made of a file that cannot be read, nor where the commit asks for none', async () => {
    const loom = await project();
    await open(loom);
    await loom.commit('topic', 'Break it', [{ action: 'update', file_path: '.gitlab-ci.yml', content: 'job: {' }]);
    await followed();
    expect(await ofMergeRequests(loom)).toHaveLength(1);
    expect((await show(loom)).head_pipeline).toMatchObject({ source: 'push', status: 'failed' });
    expect(await run(loom)).toMatchObject({ status: 400, body: { message: { base: [expect.any(String)] } } });
    const silent = await project();
    await open(silent);
    await silent.commit('topic', 'Hush [skip ci]', [{ action: 'create', file_path: 'two', content: 'two' }]);
    await followed();
    expect(await ofMergeRequests(silent)).toHaveLength(1);
  });

  it('are not made because of somebody who may not run jobs', async () => {
    const loom = await project(BOTH, { visibility: 'public' });
    await loom.call('POST', '/protected_branches', { name: 'topic', push_access_level: 40, merge_access_level: 40 });
    await loom.addMember(writing.grace, DEVELOPER);
    await open(loom, {}, writing.grace);
    expect(await ofMergeRequests(loom)).toEqual([]);
  });

  it('are not made in a fork by who is only let in to push there, whom rules would tell what is kept for its jobs', async () => {
    const loom = await project(BOTH, { visibility: 'public' });
    const { grace, ada } = writing;
    const forked = await writing.service.call<{ id: number }>('POST', `/projects/${loom.id}/fork`, {
      ...{ token: grace.token, json: {} },
    });
    const fork = <Body>(method: string, below: string, json?: object) =>
      writing.service.call<Body>(method, `/projects/${forked.body.id}${below}`, {
        token: grace.token,
        ...(json && { json }),
      });
    await until(async () => (await fork<{ import_status: string }>('GET', '')).body.import_status === 'finished');
    await fork('POST', '/variables', { key: 'TOKEN', value: 's3cr3t-value', masked: true });
    await fork('POST', '/repository/commits', {
      ...{ branch: 'topic', commit_message: 'Go on', actions: [{ action: 'create', file_path: 'on', content: 'on' }] },
    });
    const json = { source_branch: 'topic', target_branch: 'main', target_project_id: loom.id, title: 'Take it' };
    await fork('POST', '/merge_requests', { ...json, allow_collaboration: true });
    await followed();
    const before = (await fork<unknown[]>('GET', '/pipelines')).body.length;
    const { path_with_namespace: path } = (await fork<{ path_with_namespace: string }>('GET', '')).body;
    const tree = await WorkTree.init();
    await tree.git('pull', '--quiet', remoteOf(writing.service, path, 'oauth2', ada.token), 'topic');
    await tree.commit('.gitlab-ci.yml', "guess: { script: x, rules: [{ if: '$TOKEN =~ /^s3c/' }] }\n");
    await tree.git('push', '--quiet', remoteOf(writing.service, path, 'oauth2', ada.token), 'HEAD:refs/heads/topic');
    await followed();
    expect((await fork<unknown[]>('GET', '/pipelines')).body).toHaveLength(before);
  });

  it('run in the fork that one comes from, with what is kept there', async () => {
    const loom = await project(BOTH, { visibility: 'public' });
    await loom.call('POST', '/variables', { key: 'KEPT', value: 'for-the-target' });
    const forked = await writing.service.call<{ id: number; path_with_namespace: string }>(
      'POST',
      `/projects/${loom.id}/fork`,
      {
        ...{ token: writing.grace.token, json: {} },
      },
    );
    const fork = <Body>(method: string, path: string, json?: object) =>
      writing.service.call<Body>(method, `/projects/${forked.body.id}${path}`, {
        token: writing.grace.token,
        ...(json && { json }),
      });
    await until(async () => (await fork<{ import_status: string }>('GET', '')).body.import_status === 'finished');
    await fork('POST', '/repository/commits', {
      ...{ branch: 'topic', commit_message: 'Go on', actions: [{ action: 'create', file_path: 'on', content: 'on' }] },
    });
    const json = { source_branch: 'topic', target_branch: 'main', target_project_id: loom.id, title: 'Take it' };
    const opened = await fork<MergeRequest>('POST', '/merge_requests', json);
    expect(opened.status).toBe(201);
    await followed();
    const { head_pipeline: head } = await show(loom, opened.body.iid);
    expect(head).toMatchObject({ project_id: forked.body.id, source: 'merge_request_event' });
    expect(await ofMergeRequests(loom)).toEqual([]);
    // Those of the target may not run anything there.
    expect((await run(loom, opened.body.iid)).status).toBe(403);
    expect((await run(loom, opened.body.iid, writing.grace)).status).toBe(201);
    const runner = await TestRunner.make(writing.service, writing.grace, {
      ...{ runner_type: 'project_type', project_id: forked.body.id, run_untagged: true },
    });
    const variables = variablesOf(await takeFrom(runner, 'proposed'));
    expect(variables).toMatchObject({
      CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: forked.body.path_with_namespace,
      CI_MERGE_REQUEST_PROJECT_PATH: loom.project.path,
    });
    expect(variables['KEPT']).toBeUndefined();
  });

  it('are waited for by a merge request that is to be merged once they succeed', async () => {
    const loom = await project(OF_MERGE_REQUESTS);
    await open(loom);
    const merge = await loom.call<MergeRequest>('PUT', '/merge_requests/1/merge', {
      merge_when_pipeline_succeeds: true,
    });
    expect([merge.status, merge.body.state]).toEqual([200, 'opened']);
    expect(await (await runnerOf(loom)).runAll()).toEqual(['proposed']);
    await until(async () => {
      await followed();
      return (await show(loom)).state === 'merged';
    });
  });

  it('stay once it is removed, and what programs say of the commit is said elsewhere', async () => {
    const loom = await project(OF_MERGE_REQUESTS);
    await open(loom);
    const { sha, head_pipeline: head } = await show(loom);
    await loom.call('POST', `/statuses/${sha}`, { state: 'success', name: 'elsewhere' });
    expect((await pipelines(loom, 'source=external')).map(({ ref }) => ref)).toEqual(['topic']);
    expect((await show(loom)).head_pipeline).toMatchObject({ id: head!.id });
    expect((await loom.call('DELETE', '/merge_requests/1')).status).toBe(204);
    const job = await takeFrom(await runnerOf(loom), 'proposed');
    expect(variablesOf(job)).toMatchObject({ CI_PIPELINE_SOURCE: 'merge_request_event', CI_COMMIT_REF_NAME: 'topic' });
    expect((await loom.call('GET', `/pipelines/${head!.id}`)).body).toMatchObject({
      ref: 'refs/merge-requests/1/head',
    });
  });

  it('are no verdict for another branch that one is sent to', async () => {
    const loom = await project(OF_MERGE_REQUESTS);
    await loom.write('release', { released: 'yes\n' }, { start_branch: 'main' });
    await open(loom, { target_branch: 'release' });
    expect(await (await runnerOf(loom)).runAll()).toEqual(['proposed']);
    const { head_pipeline: first } = await show(loom);
    expect(first).toMatchObject({ status: 'success' });
    await loom.call('PUT', '/merge_requests/1', { target_branch: 'main' });
    await followed();
    const { head_pipeline: second } = await show(loom);
    expect(second).toMatchObject({ status: 'pending' });
    expect(second!.id).toBeGreaterThan(first!.id);
    const variables = variablesOf(await takeFrom(await runnerOf(loom), 'proposed'));
    expect(variables).toMatchObject({
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
      CI_MERGE_REQUEST_DIFF_BASE_SHA: await loom.head('main'),
    });
  });

  it('count beside what is said of the commit elsewhere: a failure there is in the way', async () => {
    const loom = await project(OF_MERGE_REQUESTS, { only_allow_merge_if_pipeline_succeeds: true });
    await open(loom);
    expect(await (await runnerOf(loom)).runAll()).toEqual(['proposed']);
    const { sha } = await show(loom);
    const say = (state: string) => loom.call('POST', `/statuses/${sha}`, { state, name: 'elsewhere' });
    await say('failed');
    expect(await show(loom)).toMatchObject({
      detailed_merge_status: 'ci_must_pass',
      head_pipeline: { source: 'external', status: 'failed' },
    });
    await say('success');
    expect(await show(loom)).toMatchObject({
      detailed_merge_status: 'mergeable',
      head_pipeline: { source: 'merge_request_event', status: 'success' },
    });
  });

  it('of another branch or a tag of the same commit are no verdict', async () => {
    const loom = await project(OF_BRANCHES, { only_allow_merge_if_pipeline_succeeds: true });
    await open(loom);
    const { sha } = await show(loom);
    const runner = await runnerOf(loom);
    for (let job = await runner.take(); job !== undefined; job = await runner.take())
      await runner.end(job, { state: 'failed', failure_reason: 'script_failure' });
    expect(await show(loom)).toMatchObject({ detailed_merge_status: 'ci_must_pass' });
    await loom.call('POST', `/statuses/${sha}`, { state: 'success', name: 'mine', ref: 'main' });
    await loom.call('POST', '/repository/tags', { tag_name: 'topic-1', ref: sha });
    await followed();
    await loom.call('POST', `/statuses/${sha}`, { state: 'success', name: 'mine', ref: 'topic-1' });
    expect(await show(loom)).toMatchObject({
      detailed_merge_status: 'ci_must_pass',
      head_pipeline: { ref: 'topic', status: 'failed' },
    });
  });

  it('are waited for from the moment on that it is opened, where they must succeed', async () => {
    const loom = await project(OF_MERGE_REQUESTS, { only_allow_merge_if_pipeline_succeeds: true });
    const json = { source_branch: 'topic', target_branch: 'main', title: 'Weave' };
    await loom.call('POST', '/merge_requests', json);
    const merge = (more: object) => loom.call<{ reason: string }>('PUT', '/merge_requests/1/merge', more);
    expect(await merge({})).toMatchObject({ status: 405, body: { reason: 'ci_still_running' } });
    await followed();
    expect(await merge({})).toMatchObject({ status: 405, body: { reason: 'ci_still_running' } });
    expect(await (await runnerOf(loom)).runAll()).toEqual(['proposed']);
    expect((await merge({})).status).toBe(200);
  });

  it('of a fork count where its target says nothing, and tell nobody of a target that they do not see', async () => {
    const loom = await project(BOTH, { visibility: 'private', only_allow_merge_if_pipeline_succeeds: true });
    const hedy = await writing.service.addUser('hedy');
    await loom.addMember(hedy, DEVELOPER);
    const { body: copy } = await writing.service.call<{ id: number }>('POST', `/projects/${loom.id}/fork`, {
      ...{ token: hedy.token, json: {} },
    });
    const inFork = <Body>(method: string, path: string, sent?: object) =>
      writing.service.call<Body>(method, `/projects/${copy.id}${path}`, {
        token: hedy.token,
        ...(sent && { json: sent }),
      });
    await until(async () => (await inFork<{ import_status: string }>('GET', '')).body.import_status === 'finished');
    const push = (file: string) =>
      inFork('POST', '/repository/commits', {
        ...{ branch: 'topic', commit_message: file, actions: [{ action: 'create', file_path: file, content: file }] },
      });
    await push('first');
    const json = { source_branch: 'topic', target_branch: 'main', target_project_id: loom.id, title: 'Take it' };
    await inFork('POST', '/merge_requests', json);
    await followed();
    // The fork is not theirs to see: how it stands they learn all the same.
    expect(await show(loom)).toMatchObject({ head_pipeline: null, detailed_merge_status: 'ci_still_running' });
    const { sha } = await show(loom);
    await loom.call('POST', `/statuses/${sha}?ref=topic`, { state: 'success', name: 'elsewhere' });
    expect(await show(loom)).toMatchObject({ head_pipeline: { project_id: loom.id, source: 'external' } });
    // Who is shut out goes on in the fork, and learns no more of where it came from.
    await loom.call('DELETE', `/members/${hedy.id}`);
    await loom.call('PUT', '/merge_requests/1', { title: 'Kept from outsiders' });
    expect((await push('second')).status).toBe(201);
    await followed();
    const made = (await inFork<Pipeline[]>('GET', '/pipelines')).body;
    expect(made.map(({ source }) => source)).toEqual(['push', 'merge_request_event', 'push']);
    const runner = await TestRunner.make(writing.service, hedy, {
      ...{ runner_type: 'project_type', project_id: copy.id, run_untagged: true },
    });
    const jobs: TakenJob[] = [];
    for (let job = await runner.take(); job !== undefined; job = await runner.take()) jobs.push(job);
    expect(jobs.map(({ job_info: { name } }) => name).sort()).toEqual(['branch', 'proposed']);
    expect(JSON.stringify(jobs)).not.toMatch(/Kept from outsiders|CI_OPEN_MERGE_REQUESTS|CI_MERGE_REQUEST/);
  });

  it('are made of the newest commit alone, whichever work comes last', async () => {
    const loom = await project();
    await open(loom);
    const { container, database } = writing.service.service;
    const { createMergeRequestPipelines } = container.get(PIPELINE_TOKENS.pipelines);
    const credential = { kind: 'session' } as const;
    const ada = { kind: 'user', id: writing.ada.id as UserId, username: 'ada', admin: false, credential } as const;
    const { access } = container.get(WORKSPACE_TOKENS.workspace);
    const place = await access.project(ada, String(loom.id), 'run_pipelines');
    await database.schema('pipelines').where({ project_id: loom.id }).delete();
    // It was found out about before the next push, and comes to its end after that was followed.
    const late = await createMergeRequestPipelines.forOpened(ada, place, (await show(loom)).id);
    const { id: sha } = await loom.write('topic', { two: 'two\n' });
    await followed();
    await container.get(TOKENS.unitOfWork).execute((repositories) => late!(repositories));
    expect((await ofMergeRequests(loom)).map((each) => [each.sha, each.status])).toEqual([[sha, 'pending']]);
  });

  it('are listed on a page of it, where whoever may runs one more', async () => {
    const loom = await project(BOTH, { visibility: 'public' });
    await open(loom);
    const browser = new FormBrowser(writing.service.url);
    await browser.signIn(writing.ada.username);
    const address = `/${loom.project.path}/-/merge_requests/1/pipelines`;
    const read = async (who: FormBrowser) => (await who.get(address)).text();
    expect(await read(browser)).toMatch(/merge request !1/);
    const made = await browser.submit(address, address, {});
    expect(made.status).toBe(303);
    expect(await read(browser)).toMatch(/Pipeline #4 is made/);
    expect(await ofMergeRequests(loom)).toHaveLength(2);
    expect(await read(new FormBrowser(writing.service.url))).not.toMatch(/Run a pipeline/);
    await loom.call('PUT', '/merge_requests/1', { state_event: 'close' });
    expect(await read(browser)).not.toMatch(/Run a pipeline/);
  });
});
