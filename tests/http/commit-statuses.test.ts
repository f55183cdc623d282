import { describe, expect, it } from '@jest/globals';
import { NotDue, type Committer } from '../../src/application/review/merge-changes.js';
import { REVIEW_TOKENS } from '../../src/infrastructure/composition/review.tokens.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { WORKSPACE_TOKENS } from '../../src/infrastructure/composition/workspace.tokens.js';
import type { TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

interface Status {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly ref: string;
  readonly pipeline_id: number;
  readonly [field: string]: unknown;
}

interface Pipeline {
  readonly id: number;
  readonly iid: number;
  readonly status: string;
  readonly ref: string;
  readonly [field: string]: unknown;
}

interface MergeRequest {
  readonly iid: number;
  readonly sha: string;
  readonly state: string;
  readonly merge_error: string | null;
  readonly merge_when_pipeline_succeeds: boolean;
  readonly detailed_merge_status: string;
  readonly head_pipeline: Pipeline | null;
}

interface Lint {
  readonly valid: boolean;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly merged_yaml: string | null;
  readonly jobs?: readonly { readonly name: string }[];
}

describeWriting('what programs elsewhere say of commits', (writing) => {
  const project = async (fields: object = {}) => {
    const loom = await writing.newProject(fields);
    const { id: sha } = await loom.write('main', { 'README.md': '# Loom\n' });
    return { loom, sha };
  };

  const tell = (loom: WrittenProject, sha: string, said: object, user?: TestUser) =>
    loom.call<Status>('POST', `/statuses/${sha}`, said, user);

  const told = async (loom: WrittenProject, sha: string, said: object, user?: TestUser): Promise<Status> => {
    const { status, body } = await tell(loom, sha, said, user);
    expect([said, status, body]).toEqual([said, 201, expect.objectContaining({ sha })]);
    return body;
  };

  const list = async (loom: WrittenProject, sha: string, query = '') => {
    const { body } = await loom.call<Status[]>('GET', `/repository/commits/${sha}/statuses?${query}`);
    return body.map(({ name, status }) => `${name}: ${status}`);
  };

  const pipelines = async (loom: WrittenProject, query = '') =>
    (await loom.call<Pipeline[]>('GET', `/pipelines?${query}`)).body;

  it('begins a pipeline of a branch that has the commit, and goes on with it', async () => {
    const { loom, sha } = await project();
    const first = await told(loom, sha, {
      ...{ state: 'pending', name: 'build', description: 'Waits' },
      target_url: 'https://ci.example.com/1',
    });
    expect(first).toMatchObject({
      ...{ name: 'build', status: 'pending', ref: 'main', description: 'Waits', started_at: null, finished_at: null },
      ...{ target_url: 'https://ci.example.com/1', allow_failure: false, coverage: null },
      author: { username: writing.ada.username },
    });
    const running = await told(loom, sha, { state: 'running', name: 'build', description: null });
    expect(running).toMatchObject({ id: first.id, status: 'running', description: null, finished_at: null });
    expect(running).toMatchObject({ target_url: 'https://ci.example.com/1', started_at: expect.any(String) });
    await told(loom, sha, { state: 'success', context: 'lint' });
    const [pipeline, ...others] = await pipelines(loom);
    expect([pipeline, others]).toEqual([
      expect.objectContaining({
        id: first.pipeline_id,
        iid: 1,
        status: 'running',
        source: 'external',
        ref: 'main',
        sha,
      }),
      [],
    ]);
    await told(loom, sha, { state: 'success', name: 'build', coverage: 98.6 });
    const { body } = await loom.call<Pipeline>('GET', `/pipelines/${first.pipeline_id}`);
    expect(body).toMatchObject({ status: 'success', coverage: '98.60', tag: false, finished_at: expect.any(String) });
    expect(body).toMatchObject({ detailed_status: { text: 'passed', group: 'success' }, user: { id: writing.ada.id } });
    const commit = await loom.call('GET', `/repository/commits/${sha}`);
    expect(commit.body).toMatchObject({ status: 'success', last_pipeline: { id: first.pipeline_id } });
  });

  it('keeps what a check said before it was run again, and tells it where asked', async () => {
    const { loom, sha } = await project();
    await told(loom, sha, { state: 'failed', name: 'build' });
    await told(loom, sha, { state: 'success', name: 'lint' });
    await told(loom, sha, { state: 'running', name: 'build' });
    await told(loom, sha, { state: 'success', name: 'build' });
    expect(await list(loom, sha)).toEqual(['lint: success', 'build: success']);
    expect(await list(loom, sha, 'all=true')).toEqual(['build: failed', 'lint: success', 'build: success']);
    expect(await list(loom, sha, 'name=lint')).toEqual(['lint: success']);
    expect(await list(loom, sha, 'ref=other')).toEqual([]);
    expect([await list(loom, sha, 'stage=test'), await list(loom, sha, 'stage=external&sort=desc')]).toEqual([
      [],
      ['build: success', 'lint: success'],
    ]);
  });

  it('refuses what can’t follow, in the words that clients know', async () => {
    const { loom, sha } = await project();
    const refused = async (said: object) => {
      const { status, body } = await tell(loom, sha, said);
      return [status, (body as unknown as { message: unknown }).message];
    };
    await told(loom, sha, { state: 'running' });
    expect(await refused({ state: 'pending' })).toEqual([
      400,
      'Cannot transition status via :enqueue from :running (Reason(s): Status cannot transition via "enqueue")',
    ]);
    await told(loom, sha, { state: 'success' });
    expect(await refused({ state: 'success' })).toEqual([
      400,
      'Cannot transition status via :success from :success (Reason(s): Status cannot transition via "success")',
    ]);
    expect(await refused({ state: 'failed', target_url: 'javascript:alert(1)' })).toEqual([
      400,
      { target_url: ['is blocked: Only allowed schemes are http, https'] },
    ]);
    expect(await refused({ state: 'failed', name: 'n'.repeat(256) })).toEqual([
      400,
      { name: ['is too long (maximum is 255 characters)'] },
    ]);
    expect(await refused({ state: 'failed', ref: 'a..b' })).toEqual([400, { ref: ['is invalid'] }]);
    expect((await refused({ state: 'ready' }))[0]).toBe(400);
    expect((await refused({ state: 'failed', coverage: 101 }))[0]).toBe(400);
    expect(await refused({ state: 'failed', pipeline_id: 999_999 })).toEqual([404, '404 Pipeline Not Found']);
    expect(await list(loom, sha, 'all=true')).toEqual(['default: success']);
  });

  it('is not said of commits that no branch has, nor of what isn’t one', async () => {
    const { loom, sha } = await project();
    const { id: gone } = await loom.write('gone', { 'gone.txt': 'gone\n' }, { start_branch: 'main' });
    await loom.call('DELETE', '/repository/branches/gone');
    const answer = await tell(loom, gone, { state: 'success' });
    expect([answer.status, answer.body]).toEqual([404, { message: '404 References for commit Not Found' }]);
    expect((await told(loom, gone, { state: 'success', ref: 'gone' })).ref).toBe('gone');
    expect((await tell(loom, 'f'.repeat(40), { state: 'success' })).status).toBe(404);
    expect(await list(loom, sha)).toEqual([]);
  });

  it('is said by Developers and above, and read by whoever reads the code', async () => {
    const { grace } = writing;
    const { loom, sha } = await project({ visibility: 'public' });
    await loom.addMember(grace, 20);
    expect((await tell(loom, sha, { state: 'success' }, grace)).status).toBe(403);
    const { pipeline_id: id } = await told(loom, sha, { state: 'failed' });
    const anonymous = await writing.service.call<Pipeline>('GET', `/projects/${loom.id}/pipelines/${id}`);
    expect([anonymous.status, anonymous.body.status]).toEqual([200, 'failed']);
    const closed = await project({ visibility: 'private' });
    expect((await tell(closed.loom, closed.sha, { state: 'success' }, grace)).status).toBe(404);
    const elsewhere = await closed.loom.call('GET', `/pipelines/${id}`);
    expect(elsewhere.status).toBe(404);
    expect((await loom.call('DELETE', `/pipelines/${id}`, undefined, grace)).status).toBe(403);
    expect((await loom.call('DELETE', `/pipelines/${id}`)).status).toBe(204);
    expect([await pipelines(loom), await list(loom, sha, 'all=true')]).toEqual([[], []]);
  });

  it('is said by several beside one another: what somebody else said isn’t theirs to go on with', async () => {
    const { grace } = writing;
    const { loom, sha } = await project();
    await loom.addMember(grace, 30);
    const first = await told(loom, sha, { state: 'running', name: 'build' });
    const second = await told(loom, sha, { state: 'running', name: 'build' }, grace);
    expect(second).toMatchObject({ pipeline_id: first.pipeline_id, author: { username: grace.username } });
    expect(second.id).not.toBe(first.id);
    expect(await list(loom, sha, 'all=true')).toEqual(['build: running', 'build: running']);
  });

  it('makes one pipeline, however many say something at once', async () => {
    const { loom, sha } = await project();
    const names = Array.from({ length: 12 }, (_, index) => `check ${index}`);
    await Promise.all(names.map((name) => told(loom, sha, { state: 'success', name })));
    expect(await pipelines(loom)).toEqual([expect.objectContaining({ iid: 1, status: 'success' })]);
    expect((await list(loom, sha)).length).toBe(12);
  });

  it('has pipelines listed by how they stand, by ref and commit, and the newest of a branch', async () => {
    const { loom, sha } = await project();
    await told(loom, sha, { state: 'failed' });
    const { id: other } = await loom.write('other', { 'other.txt': 'other\n' }, { start_branch: 'main' });
    await told(loom, other, { state: 'running' });
    await told(loom, sha, { state: 'success', ref: 'other' });
    const shown = async (query: string) => (await pipelines(loom, query)).map(({ ref, status }) => `${ref} ${status}`);
    expect(await shown('')).toEqual(['other success', 'other running', 'main failed']);
    expect(await shown('sort=asc')).toEqual(['main failed', 'other running', 'other success']);
    expect(await shown('status=failed')).toEqual(['main failed']);
    expect(await shown('scope=finished&ref=other')).toEqual(['other success']);
    expect(await shown('scope=branches')).toEqual(['other success', 'main failed']);
    expect(await shown('scope=tags')).toEqual([]);
    expect(await shown(`sha=${other}`)).toEqual(['other running']);
    expect(await shown(`username=${writing.ada.username}&order_by=status`)).toHaveLength(3);
    expect(await shown('username=nobody')).toEqual([]);
    expect(await shown('created_after=2999-01-01')).toEqual([]);
    const latest = await loom.call<Pipeline>('GET', '/pipelines/latest');
    expect([latest.body.ref, latest.body.status]).toEqual(['main', 'failed']);
    expect((await loom.call<Pipeline>('GET', '/pipelines/latest?ref=other')).body.status).toBe('success');
    expect((await loom.call('GET', '/pipelines/latest?ref=none')).status).toBe(403);
  });

  it('is bounded: so many pipelines of a commit', async () => {
    const { loom, sha } = await project();
    const { schema } = writing.service.service.database;
    await told(loom, sha, { state: 'success' });
    const [row] = await schema('pipelines').where({ project_id: loom.id });
    const { id: _id, ...rest } = row!;
    const rows = Array.from({ length: 99 }, (_, index) => ({ ...rest, iid: 100 + index, ref: `branch-${index}` }));
    for (const few of [rows.slice(0, 50), rows.slice(50)]) await schema('pipelines').insert(few);
    const { status, body } = await tell(loom, sha, { state: 'success', ref: 'one-more' });
    expect([status, body]).toEqual([400, { message: 'A commit has at most 100 pipelines.' }]);
    await told(loom, sha, { state: 'success', ref: 'branch-7', name: 'lint' });
  });

  describe('of the newest commit of a merge request', () => {
    const opened = async (fields: object = {}) => {
      const { loom } = await project(fields);
      const { id: sha } = await loom.write('topic', { 'topic.txt': 'topic\n' }, { start_branch: 'main' });
      const json = { source_branch: 'topic', target_branch: 'main', title: 'Topic' };
      const { body } = await loom.call<MergeRequest>('POST', '/merge_requests', json);
      expect(body.sha).toBe(sha);
      return { loom, sha };
    };
    const ONE = '/merge_requests/1';
    const seen = async (loom: WrittenProject) => (await loom.call<MergeRequest>('GET', ONE)).body;
    const merge = (loom: WrittenProject, json: object = {}) => loom.call<MergeRequest>('PUT', `${ONE}/merge`, json);
    const WHEN_IT_SUCCEEDS = { merge_when_pipeline_succeeds: true };

    it('decides whether it can be merged, where the project has it so', async () => {
      const { loom, sha } = await opened({ only_allow_merge_if_pipeline_succeeds: true });
      expect((await seen(loom)).detailed_merge_status).toBe('ci_must_pass');
      await told(loom, sha, { state: 'running' });
      expect(await seen(loom)).toMatchObject({ detailed_merge_status: 'ci_still_running', head_pipeline: { sha } });
      expect(await merge(loom)).toMatchObject({ status: 405, body: { reason: 'ci_still_running' } });
      await told(loom, sha, { state: 'failed' });
      const lists = await loom.call<MergeRequest[]>('GET', '/merge_requests');
      expect(lists.body.map((each) => each.detailed_merge_status)).toEqual(['ci_must_pass']);
      expect(await merge(loom)).toMatchObject({ status: 405, body: { reason: 'ci_must_pass' } });
      await told(loom, sha, { state: 'success' });
      expect(await loom.call('GET', `${ONE}/pipelines`)).toMatchObject({ body: [{ sha, status: 'success' }] });
      expect(await merge(loom)).toMatchObject({ status: 200, body: { state: 'merged' } });
    });

    it('merges it once it succeeds, as whoever asked for that wanted', async () => {
      const { loom, sha } = await opened();
      await told(loom, sha, { state: 'running' });
      const waiting = await merge(loom, { ...WHEN_IT_SUCCEEDS, should_remove_source_branch: true, sha });
      expect(waiting).toMatchObject({ status: 200, body: { state: 'opened', merge_when_pipeline_succeeds: true } });
      expect(waiting.body).toMatchObject({ merge_user: { username: writing.ada.username }, merged_by: null });
      await told(loom, sha, { state: 'success' });
      await until(async () => (await seen(loom)).state === 'merged');
      expect(await seen(loom)).toMatchObject({ merge_when_pipeline_succeeds: false, merge_error: null });
      expect(await seen(loom)).toMatchObject({ should_remove_source_branch: true });
      expect((await loom.call('GET', '/repository/branches/topic')).status).toBe(404);
    });

    it.each(['merge_when_pipeline_succeeds', 'auto_merge'])(
      'leaves its branch where whoever asked for %s said so, whatever was said before',
      async (name) => {
        const { loom, sha } = await opened();
        await loom.call('PUT', ONE, { remove_source_branch: true });
        await told(loom, sha, { state: 'running' });
        await merge(loom, { [name]: true, should_remove_source_branch: true });
        await merge(loom, { [name]: true, should_remove_source_branch: false });
        await told(loom, sha, { state: 'success' });
        await until(async () => (await seen(loom)).state === 'merged');
        expect(await seen(loom)).toMatchObject({
          ...{ should_remove_source_branch: false, force_remove_source_branch: true },
        });
        expect((await loom.call('GET', '/repository/branches/topic')).status).toBe(200);
      },
    );

    it('is told while it waits with what whoever asked said of its branch, in lists, too', async () => {
      const { loom, sha } = await opened();
      await loom.call('PUT', ONE, { remove_source_branch: true });
      const REMOVAL = 'should_remove_source_branch';
      const waiting = async () => {
        const { body } = await loom.call<MergeRequest[]>('GET', '/merge_requests');
        return [await seen(loom), ...body].map((each) => (each as unknown as Record<string, unknown>)[REMOVAL]);
      };
      await told(loom, sha, { state: 'running' });
      expect(await waiting()).toEqual([null, null]);
      for (const said of [true, false]) {
        // A message that reads as though it said the contrary.
        const merge_commit_message = `,"removeSourceBranch":${!said},`;
        await merge(loom, { ...WHEN_IT_SUCCEEDS, merge_commit_message, [REMOVAL]: said });
        expect(await waiting()).toEqual([said, said]);
      }
      await merge(loom, { ...WHEN_IT_SUCCEEDS, merge_commit_message: ',"removeSourceBranch":true,' });
      expect(await waiting()).toEqual([null, null]);
      await merge(loom, { ...WHEN_IT_SUCCEEDS, [REMOVAL]: true });
      await loom.call('POST', `${ONE}/cancel_merge_when_pipeline_succeeds`);
      expect(await waiting()).toEqual([null, null]);
    });

    it('waits on when it fails, and merges when it is run again', async () => {
      const { loom, sha } = await opened();
      await told(loom, sha, { state: 'running' });
      await merge(loom, { auto_merge: true });
      await told(loom, sha, { state: 'failed' });
      expect(await seen(loom)).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true });
      await told(loom, sha, { state: 'success' });
      await until(async () => (await seen(loom)).state === 'merged');
    });

    it('merges nothing any more once that is canceled, the branch moves, or it is closed or becomes a draft', async () => {
      const { loom, sha } = await opened();
      const cancel = () => loom.call('POST', `${ONE}/cancel_merge_when_pipeline_succeeds`);
      expect((await cancel()).body).toMatchObject({ status: 'error' });
      await told(loom, sha, { state: 'running' });
      await merge(loom, WHEN_IT_SUCCEEDS);
      expect(await cancel()).toMatchObject({ status: 201, body: { status: 'success' } });
      expect((await seen(loom)).merge_when_pipeline_succeeds).toBe(false);
      await merge(loom, WHEN_IT_SUCCEEDS);
      await loom.call('PUT', ONE, { state_event: 'close' });
      await loom.call('PUT', ONE, { state_event: 'reopen' });
      expect((await seen(loom)).merge_when_pipeline_succeeds).toBe(false);
      await merge(loom, WHEN_IT_SUCCEEDS);
      await loom.call('PUT', ONE, { title: 'Another topic' });
      expect((await seen(loom)).merge_when_pipeline_succeeds).toBe(true);
      await loom.call('PUT', ONE, { title: 'Draft: Topic' });
      await loom.call('PUT', ONE, { title: 'Topic' });
      expect((await seen(loom)).merge_when_pipeline_succeeds).toBe(false);
      await merge(loom, WHEN_IT_SUCCEEDS);
      await loom.write('topic', { 'more.txt': 'more\n' });
      expect((await seen(loom)).merge_when_pipeline_succeeds).toBe(false);
      await told(loom, sha, { state: 'success' });
      const { schema } = writing.service.service.database;
      expect(await schema('automatic_merges').where({ sha }).select()).toEqual([]);
      expect((await seen(loom)).state).toBe('opened');
    });

    /** Begins as a pipeline that has succeeded has it begun, and goes on once something has happened. */
    const overtaken = async (
      loom: WrittenProject,
      sha: string,
      happening: () => Promise<unknown>,
    ): Promise<unknown> => {
      const { container } = writing.service.service;
      const { mergeRequests, mergeChanges } = container.get(REVIEW_TOKENS.review);
      const { id, username } = writing.ada;
      const committer: Committer = {
        ...{ kind: 'user', id, username, admin: false, credential: { kind: 'session' } },
        ...{ name: 'Ada', email: 'ada@example.com' },
      };
      const { access } = container.get(WORKSPACE_TOKENS.workspace);
      const place = await access.project(committer, String(loom.id), 'open_merge_requests');
      const found = await mergeRequests.findToChange(place, 1);
      const wish = await container
        .get(TOKENS.unitOfWork)
        .execute(({ automaticMerges }) => automaticMerges.find(found.mergeRequest.id));
      await happening();
      return mergeChanges.execute(committer, found, { sha, ...(wish && { wish }) });
    };

    it.each([
      ['is taken back', 'POST', `${ONE}/cancel_merge_when_pipeline_succeeds`, undefined],
      ['is led to another branch', 'PUT', ONE, { target_branch: 'other' }],
    ] as const)('is not merged where it %s in the moment in which it succeeds', async (_, method, path, json) => {
      const { loom, sha } = await opened();
      await loom.write('other', { 'other.txt': 'other\n' }, { start_branch: 'main' });
      await told(loom, sha, { state: 'running' });
      await merge(loom, WHEN_IT_SUCCEEDS);
      const happening = async () => {
        await loom.call(method, path, json);
        await told(loom, sha, { state: 'success' });
      };
      await expect(overtaken(loom, sha, happening)).rejects.toBeInstanceOf(NotDue);
      expect(await seen(loom)).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: false });
    });

    it('waits on where it is run again in the moment in which it succeeds', async () => {
      const { loom, sha } = await opened();
      await told(loom, sha, { state: 'running' });
      await merge(loom, WHEN_IT_SUCCEEDS);
      await expect(
        overtaken(loom, sha, () => told(loom, sha, { state: 'running', name: 'again' })),
      ).rejects.toBeInstanceOf(NotDue);
      expect(await seen(loom)).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true });
    });

    it('tells why it was not merged after all', async () => {
      const { loom, sha } = await opened();
      await told(loom, sha, { state: 'running' });
      await merge(loom, WHEN_IT_SUCCEEDS);
      expect((await loom.call('POST', '/approvals', { approvals_before_merge: 1 })).status).toBe(201);
      await told(loom, sha, { state: 'success' });
      await until(async () => (await seen(loom)).merge_error !== null);
      expect(await seen(loom)).toMatchObject({
        ...{ state: 'opened', merge_when_pipeline_succeeds: false },
        merge_error: 'It was not merged when its pipeline had succeeded: it needed more approvals.',
      });
    });

    /** One from a private fork of Grace's. */
    const openedFromFork = async (loom: WrittenProject) => {
      const { grace } = writing;
      const fork = { path: `spun-${loom.id}`, visibility: 'private' };
      const { id: forkId } = (await loom.call<{ id: number }>('POST', '/fork', fork, grace)).body;
      const call = <Body>(method: string, path: string, json?: object) =>
        writing.service.call<Body>(method, `/projects/${forkId}${path}`, { token: grace.token, ...(json && { json }) });
      await until(async () => (await call<{ import_status: string }>('GET', '')).body.import_status === 'finished');
      const actions = [{ action: 'create', file_path: 'spun.txt', content: 'spun\n' }];
      const commit = { branch: 'spun', start_branch: 'main', commit_message: 'Spin', actions };
      const { body } = await call<{ id: string }>('POST', '/repository/commits', commit);
      const json = { source_branch: 'spun', target_branch: 'main', title: 'Spun', target_project_id: loom.id };
      expect((await call('POST', '/merge_requests', json)).status).toBe(201);
      return { call, sha: body.id, forkId };
    };
    const giveUp = () => writing.service.service.container.get(REVIEW_TOKENS.review).automaticMerges.giveUpWithoutCi();
    const systemNotes = async (loom: WrittenProject) => {
      const { body } = await loom.call<{ body: string; system: boolean }[]>('GET', `${ONE}/notes`);
      return body.filter(({ system }) => system).map((note) => note.body);
    };
    const GIVEN_UP = {
      ...{ state: 'opened', merge_when_pipeline_succeeds: false },
      merge_error: 'It was not merged by itself: CI was switched off before its pipeline had succeeded.',
    };

    it('is waited for no longer once CI is switched off: nothing is merged that was not checked, and a note says so', async () => {
      const { loom, sha } = await opened({ only_allow_merge_if_pipeline_succeeds: true });
      await told(loom, sha, { state: 'running' });
      await merge(loom, WHEN_IT_SUCCEEDS);
      expect(await giveUp()).toBe(0);
      expect((await loom.call('PUT', '', { builds_access_level: 'disabled' })).status).toBe(200);
      expect([await giveUp(), await giveUp()]).toEqual([1, 0]);
      expect(await seen(loom)).toMatchObject(GIVEN_UP);
      expect(await systemNotes(loom)).toEqual(['aborted the automatic merge because CI was switched off']);
      // Whoever asks now knows that nothing is checked.
      expect(await merge(loom, WHEN_IT_SUCCEEDS)).toMatchObject({ status: 200, body: { state: 'merged' } });
    });

    it('is waited for no longer once CI is switched off in the fork that runs it, but on where its own project does', async () => {
      const { loom } = await project({ visibility: 'public' });
      const { call, sha } = await openedFromFork(loom);
      await told(loom, sha, { state: 'running', ref: 'spun' });
      await merge(loom, WHEN_IT_SUCCEEDS);
      await call('PUT', '', { builds_access_level: 'disabled' });
      expect(await giveUp()).toBe(0);
      const [{ id } = { id: 0 }] = (await loom.call<Pipeline[]>('GET', '/pipelines')).body;
      await call('PUT', '', { builds_access_level: 'enabled' });
      await call('POST', `/statuses/${sha}`, { state: 'running' });
      expect((await loom.call('DELETE', `/pipelines/${id}`)).status).toBe(204);
      expect(await giveUp()).toBe(0);
      await call('PUT', '', { builds_access_level: 'disabled' });
      expect(await giveUp()).toBe(1);
      expect(await seen(loom)).toMatchObject(GIVEN_UP);
    });

    it('merges it, too, where the one that it waits for is removed, and the one before had succeeded', async () => {
      const { loom, sha } = await opened();
      await told(loom, sha, { state: 'success', ref: 'topic' });
      const { pipeline_id: newer } = await told(loom, sha, { state: 'running', ref: 'other' });
      await merge(loom, WHEN_IT_SUCCEEDS);
      expect((await loom.call('DELETE', `/pipelines/${newer}`)).status).toBe(204);
      await until(async () => (await seen(loom)).state === 'merged');
    });

    it('is not waited for where it has failed: nothing is merged then', async () => {
      const { loom, sha } = await opened();
      await told(loom, sha, { state: 'failed' });
      expect(await merge(loom, WHEN_IT_SUCCEEDS)).toMatchObject({ status: 405, body: { reason: 'ci_must_pass' } });
      expect(await seen(loom)).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: false });
      await told(loom, sha, { state: 'success' });
      expect(await merge(loom, WHEN_IT_SUCCEEDS)).toMatchObject({ status: 200, body: { state: 'merged' } });
    });

    it('is not waited for by who may not merge, nor where something else is missing', async () => {
      const { grace } = writing;
      const { loom, sha } = await opened();
      await loom.addMember(grace, 30);
      await told(loom, sha, { state: 'running' });
      const ask = (user: TestUser) => loom.call('PUT', `${ONE}/merge`, WHEN_IT_SUCCEEDS, user);
      expect((await ask(grace)).status).toBe(401);
      await loom.call('PUT', ONE, { title: 'Draft: Topic' });
      expect(await ask(writing.ada)).toMatchObject({ status: 405, body: { reason: 'draft_status' } });
      expect((await merge(loom, { ...WHEN_IT_SUCCEEDS, sha: 'f'.repeat(40) })).status).toBe(405);
    });

    it('is asked for by a comment, too', async () => {
      const { loom, sha } = await opened();
      await told(loom, sha, { state: 'running' });
      await loom.call('POST', `${ONE}/notes`, { body: '/merge' });
      expect((await seen(loom)).merge_when_pipeline_succeeds).toBe(true);
      await told(loom, sha, { state: 'success' });
      await until(async () => (await seen(loom)).state === 'merged');
    });

    it('is merged by a comment though it failed, where the project doesn’t ask for it', async () => {
      const { loom, sha } = await opened();
      await told(loom, sha, { state: 'failed' });
      await loom.call('POST', `${ONE}/notes`, { body: '/merge' });
      expect((await seen(loom)).state).toBe('merged');
    });

    it('may be told in the fork that it comes from, which others learn nothing of who don’t see it', async () => {
      const { grace } = writing;
      const { loom } = await project({ visibility: 'public', only_allow_merge_if_pipeline_succeeds: true });
      const { call, sha, forkId } = await openedFromFork(loom);
      await call('POST', `/statuses/${sha}`, { state: 'failed' });
      const hidden = await seen(loom);
      expect(hidden).toMatchObject({ detailed_merge_status: 'ci_must_pass', head_pipeline: null });
      const { body: own } = await loom.call<MergeRequest>('GET', ONE, undefined, grace);
      expect(own.head_pipeline).toMatchObject({ status: 'failed', project_id: forkId });
      await told(loom, sha, { state: 'success', ref: 'spun' });
      expect(await seen(loom)).toMatchObject({
        detailed_merge_status: 'mergeable',
        head_pipeline: { status: 'success' },
      });
    });
  });

  describe('a CI file', () => {
    const CI = '.gitlab-ci.yml';
    const BUILD = 'build:\n  stage: build\n  before_script: [date]\n  script: make\n  tags: [big]\n';

    const lint = (loom: WrittenProject, json: object, user?: TestUser) =>
      loom.call<Lint>('POST', '/ci/lint', json, user);

    const committed = async (loom: WrittenProject, query = '', user?: TestUser) =>
      loom.call<Lint>('GET', `/ci/lint?${query}`, undefined, user);

    it('is told valid with the whole of it, before it is committed and afterwards', async () => {
      const { loom } = await project();
      const valid = { valid: true, errors: [], warnings: [], merged_yaml: expect.stringMatching(/^---\nbuild:\n/) };
      expect(await lint(loom, { content: BUILD })).toMatchObject({ status: 200, body: valid });
      await loom.write('main', { [CI]: BUILD });
      const { status, body } = await committed(loom);
      expect([status, body]).toEqual([200, valid]);
    });

    it('is told what is wrong with it, all at once', async () => {
      const { loom } = await project();
      const { status, body } = await lint(loom, { content: 'x: {script: x, foo: 1, stage: y}', include_jobs: true });
      expect([status, body]).toEqual([
        200,
        {
          ...{ valid: false, warnings: [], jobs: [], merged_yaml: expect.any(String) },
          errors: [
            'jobs:x config contains unknown keys: foo',
            'x job: chosen stage does not exist; available stages are .pre, build, test, deploy, .post',
          ],
        },
      ]);
      expect((await lint(loom, { content: 'x: [' })).body).toMatchObject({ valid: false, merged_yaml: null });
      expect(await lint(loom, {})).toMatchObject({ status: 400, body: { error: 'content is missing' } });
    });

    it('includes files of the commit that it is of', async () => {
      const { loom } = await project();
      await loom.write('main', { 'ci/build.yml': BUILD, [CI]: 'include: /ci/build.yml\n' });
      await loom.write('topic', { 'ci/test.yml': 'test: {script: make test}' }, { start_branch: 'main' });
      expect((await committed(loom, 'include_jobs=true')).body.jobs).toEqual([
        {
          ...{ name: 'build', stage: 'build', before_script: ['date'], script: ['make'], after_script: [] },
          ...{ tag_list: ['big'], environment: null, when: 'on_success', allow_failure: false, needs: null },
        },
      ]);
      const content = 'include: ci/test.yml';
      expect((await lint(loom, { content, ref: 'topic' })).body.valid).toBe(true);
      const missing = 'Local file `ci/test.yml` does not exist!';
      expect((await lint(loom, { content })).body.errors).toEqual([missing]);
    });

    it('is planned for a branch or tag where asked', async () => {
      const { loom, sha } = await project();
      await loom.call('POST', '/repository/tags', { tag_name: 'v1', ref: sha });
      const content = [
        ...['a: {script: x, parallel: 2, rules: [{exists: [README.md]}]}', 'b: {script: x, rules: [{exists: [none]}]}'],
        'c: {script: x, rules: [{if: $CI_COMMIT_TAG, when: manual}]}',
      ].join('\n');
      const names = async (fields: object) => {
        const { body } = await lint(loom, { content, dry_run: true, include_jobs: true, ...fields });
        return [body.errors, body.jobs?.map(({ name }) => name)];
      };
      expect(await names({ dry_run: false })).toEqual([[], ['a', 'b', 'c']]);
      expect(await names({})).toEqual([[], ['a 1/2', 'a 2/2']]);
      expect(await names({ ref: 'v1' })).toEqual([[], ['a 1/2', 'a 2/2', 'c']]);
      expect(await names({ ref: 'none' })).toEqual([['Reference not found'], []]);
      const empty = await lint(loom, { content: 'x: {script: x, only: [tags]}', dry_run: true });
      expect(empty.body).toMatchObject({
        valid: false,
        errors: [expect.stringContaining('The resulting pipeline would have been empty.')],
      });
    });

    it('is missing where nothing or no such file was pushed', async () => {
      const loom = await writing.newProject();
      expect(await committed(loom)).toMatchObject({ status: 404, body: { message: '404 Repository Not Found' } });
      expect((await lint(loom, { content: BUILD })).body.valid).toBe(true);
      await loom.write('main', { 'README.md': '# Loom\n' });
      expect((await committed(loom)).body).toMatchObject({
        valid: false,
        errors: ['Please provide content of .gitlab-ci.yml'],
      });
      expect((await committed(loom, 'content_ref=none')).status).toBe(404);
    });

    it('is read by whoever may read code, and what is not committed by whoever may commit it', async () => {
      const { grace } = writing;
      const { loom } = await project();
      await loom.write('main', { [CI]: BUILD });
      const answers = async () => [
        (await lint(loom, { content: BUILD }, grace)).status,
        (await committed(loom, '', grace)).status,
      ];
      expect(await answers()).toEqual([404, 404]);
      await loom.addMember(grace, 10);
      expect(await answers()).toEqual([403, 403]);
      await loom.call('PUT', `/members/${grace.id}`, { access_level: 20 });
      expect(await answers()).toEqual([403, 200]);
      await loom.call('PUT', `/members/${grace.id}`, { access_level: 30 });
      expect(await answers()).toEqual([200, 200]);
    });

    it('of no project is told by whether it is valid, to whoever is signed in', async () => {
      const call = (json: object, token?: string) =>
        writing.service.call('POST', '/ci/lint', { json, ...(token && { token }) });
      const { token } = writing.grace;
      expect(await call({ content: BUILD }, token)).toMatchObject({
        status: 200,
        body: { status: 'valid', errors: [] },
      });
      expect(await call({ content: 'include: a.yml' }, token)).toMatchObject({
        status: 200,
        body: { status: 'invalid', errors: ['Local file `a.yml` does not exist!'] },
      });
      expect((await call({ content: BUILD })).status).toBe(401);
    });

    it('that would take too long is refused, while others are answered', async () => {
      const { loom } = await project();
      const bomb = `a: &a [x,x,x]\n${Array.from('bcdefghijklmnop', (name, at) => `${name}: &${name} [*${'abcdefghijklmnop'[at]!},*${'abcdefghijklmnop'[at]!},*${'abcdefghijklmnop'[at]!}]`).join('\n')}`;
      const hostile = [
        bomb,
        `x: [${','.repeat(900_000)}]`,
        '['.repeat(900_000),
        `x: {script: ["${'\\n'.repeat(200_000)}"`,
      ];
      const all = hostile.map((content) => lint(loom, { content }));
      expect((await loom.call('GET', '')).status).toBe(200);
      for (const { status, body } of await Promise.all(all)) expect([status, body.valid]).toEqual([200, false]);
    });
  });
});
