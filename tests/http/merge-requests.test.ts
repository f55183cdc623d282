import { join } from 'node:path';
import { expect, it, describe, jest } from '@jest/globals';
import { TooLarge } from '../../src/application/repositories/ports/object-stores.js';
import { REPOSITORY_TOKENS } from '../../src/infrastructure/composition/repositories.tokens.js';
import { git, temporaryFolder } from '../support/git.js';
import { describeWriting, WrittenProject } from '../support/written-project.js';
import type { TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';

interface MergeRequestBody {
  readonly id: number;
  readonly iid: number;
  readonly state: string;
  readonly title: string;
  readonly sha: string | null;
  readonly merge_status: string;
  readonly detailed_merge_status: string;
  readonly merge_commit_sha: string | null;
  readonly squash_commit_sha: string | null;
  readonly message?: unknown;
  readonly [field: string]: unknown;
}

describeWriting('merge requests', (writing) => {
  const project = async (fields: object = {}): Promise<WrittenProject> => {
    const made = await writing.newProject(fields);
    await made.write('main', { 'README.md': '# Loom\n', 'a.txt': 'one\ntwo\nthree\n' });
    return made;
  };

  const branch = (of: WrittenProject, name: string, files: Readonly<Record<string, string>>, from = 'main') =>
    of.write(name, files, { start_branch: from });

  const change = (of: WrittenProject, name: string, file_path: string, content: string) =>
    of.commit(name, `Change ${file_path}`, [{ action: 'update', file_path, content }]);

  const open = async (of: WrittenProject, source: string, more: object = {}, user?: TestUser) => {
    const fields = { source_branch: source, target_branch: 'main', title: `Add ${source}`, ...more };
    const answer = await of.call<MergeRequestBody>('POST', '/merge_requests', fields, user);
    expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ iid: expect.any(Number) })]);
    return answer.body;
  };

  const one = async (of: WrittenProject, iid: number) =>
    (await of.call<MergeRequestBody>('GET', `/merge_requests/${iid}`)).body;

  const merge = (of: WrittenProject, iid: number, json: object = {}, user?: TestUser) =>
    of.call<MergeRequestBody>('PUT', `/merge_requests/${iid}/merge`, json, user);

  describe('opened', () => {
    it('shows the whole of one, with its nulls', async () => {
      const loom = await project();
      const commit = await branch(loom, 'feature', { 'b.txt': 'b' });
      const body = await open(loom, 'feature', { description: '- [x] One\n- [ ] Two', assignee_id: writing.ada.id });
      const main = await loom.head('main');
      expect(body).toMatchObject({
        iid: 1,
        project_id: loom.id,
        state: 'opened',
        merged_by: null,
        merge_user: null,
        merged_at: null,
        closed_by: null,
        closed_at: null,
        source_project_id: loom.id,
        target_project_id: loom.id,
        author: { username: 'ada' },
        assignee: { username: 'ada' },
        assignees: [{ username: 'ada' }],
        reviewers: [],
        draft: false,
        work_in_progress: false,
        milestone: null,
        merge_when_pipeline_succeeds: false,
        merge_status: 'can_be_merged',
        detailed_merge_status: 'mergeable',
        sha: commit.id,
        merge_commit_sha: null,
        squash_commit_sha: null,
        discussion_locked: null,
        should_remove_source_branch: null,
        force_remove_source_branch: null,
        reference: '!1',
        references: { short: '!1', relative: '!1', full: `${loom.project.path}!1` },
        task_completion_status: { count: 2, completed_count: 1 },
        has_conflicts: false,
        subscribed: true,
        changes_count: '1',
        pipeline: null,
        head_pipeline: null,
        diff_refs: { base_sha: main, head_sha: commit.id, start_sha: main },
        merge_error: null,
        user: { can_merge: true },
      });
    });

    it('counts numbers within the project', async () => {
      const loom = await project();
      for (const name of ['one', 'two']) await branch(loom, name, { [name]: name });
      expect([(await open(loom, 'one')).iid, (await open(loom, 'two')).iid]).toEqual([1, 2]);
    });

    it('is refused where the branches are the same', async () => {
      const loom = await project();
      const fields = { source_branch: 'main', target_branch: 'main', title: 'Nothing' };
      const answer = await loom.call('POST', '/merge_requests', fields);
      expect([answer.status, answer.body]).toEqual([
        422,
        { message: ["You can't use same project/branch for source and target"] },
      ]);
    });

    it('is refused where a branch is missing', async () => {
      const loom = await project();
      const fields = { source_branch: 'lost', target_branch: 'gone', title: 'Nothing' };
      const answer = await loom.call('POST', '/merge_requests', fields);
      expect([answer.status, answer.body]).toEqual([
        400,
        { message: { source_branch: ['does not exist'], target_branch: ['does not exist'] } },
      ]);
    });

    it('is refused while another is open for its branches, ten at once too', async () => {
      const loom = await project();
      await branch(loom, 'feature', { b: 'b' });
      const fields = { source_branch: 'feature', target_branch: 'main', title: 'Again' };
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => loom.call<MergeRequestBody>('POST', '/merge_requests', fields)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
      const [refused] = answers.filter(({ status }) => status === 409);
      expect(refused?.body).toEqual({
        message: ['Another open merge request already exists for this source branch: !1'],
      });
      await loom.call('PUT', '/merge_requests/1', { state_event: 'close' });
      expect((await open(loom, 'feature')).iid).toBe(2);
      const reopened = await loom.call('PUT', '/merge_requests/1', { state_event: 'reopen' });
      expect([reopened.status, reopened.body]).toEqual([
        409,
        { message: ['Another open merge request already exists for this source branch: !2'] },
      ]);
    });
  });

  describe('changed', () => {
    it('is closed and reopened, and tells by whom', async () => {
      const loom = await project();
      await branch(loom, 'feature', { b: 'b' });
      const { iid } = await open(loom, 'feature');
      const closed = await loom.call<MergeRequestBody>('PUT', `/merge_requests/${iid}`, { state_event: 'close' });
      expect(closed.body).toMatchObject({ state: 'closed', closed_by: { username: 'ada' } });
      expect(closed.body.detailed_merge_status).toBe('not_open');
      const reopened = await loom.call<MergeRequestBody>('PUT', `/merge_requests/${iid}`, { state_event: 'reopen' });
      expect(reopened.body).toMatchObject({ state: 'opened', closed_by: null, detailed_merge_status: 'mergeable' });
    });

    it('is a draft by its title', async () => {
      const loom = await project();
      await branch(loom, 'feature', { b: 'b' });
      const { iid } = await open(loom, 'feature', { title: 'Draft: Add it' });
      expect(await one(loom, iid)).toMatchObject({ draft: true, detailed_merge_status: 'draft_status' });
      const refused = await merge(loom, iid);
      expect([refused.status, refused.body]).toEqual([
        405,
        { message: '405 Method Not Allowed', reason: 'draft_status' },
      ]);
      await loom.call('PUT', `/merge_requests/${iid}`, { title: 'Add it' });
      expect(await one(loom, iid)).toMatchObject({ draft: false, detailed_merge_status: 'mergeable' });
    });

    it('has every label that several add at once, and none that others take away', async () => {
      const loom = await project();
      await branch(loom, 'feature', { b: 'b' });
      const { iid } = await open(loom, 'feature', { labels: 'old,stays' });
      const added = Array.from({ length: 8 }, (_, index) => `new-${index}`);
      const changes = [...added.map((name) => ({ add_labels: name })), { remove_labels: 'old' }];
      await Promise.all(changes.map((json) => loom.call('PUT', `/merge_requests/${iid}`, json)));
      expect((await one(loom, iid))['labels']).toEqual([...added, 'stays']);
    });

    it('has labels, comments and subscriptions as issues have them', async () => {
      const loom = await project();
      await branch(loom, 'feature', { b: 'b' });
      await branch(loom, 'other', { c: 'c' });
      const { iid, id } = await open(loom, 'feature', { labels: 'one,two' });
      await open(loom, 'other', { labels: 'two' });
      const put = (json: object) => loom.call<MergeRequestBody>('PUT', `/merge_requests/${iid}`, json);
      expect((await put({ add_labels: 'three', remove_labels: 'one' })).body['labels']).toEqual(['three', 'two']);
      const list = async (query: string) =>
        (await loom.call<MergeRequestBody[]>('GET', `/merge_requests?${query}`)).body.map((each) => each.iid);
      expect(await list('labels=two')).toEqual([2, 1]);
      expect(await list('labels=two,three')).toEqual([1]);
      expect(await list('labels=None')).toEqual([]);
      const note = await loom.call<{ id: number }>('POST', `/merge_requests/${iid}/notes`, { body: 'Nice' });
      expect([note.status, note.body]).toMatchObject([
        201,
        { noteable_type: 'MergeRequest', noteable_iid: iid, noteable_id: id },
      ]);
      expect((await one(loom, iid))['user_notes_count']).toBe(1);
      expect((await loom.call('POST', `/merge_requests/${iid}/unsubscribe`)).status).toBe(201);
      expect((await loom.call('POST', `/merge_requests/${iid}/unsubscribe`)).status).toBe(304);
      expect((await one(loom, iid))['subscribed']).toBe(false);
      const { body: people } = await loom.call('GET', `/merge_requests/${iid}/participants`);
      expect(people).toMatchObject([{ username: 'ada' }]);
    });

    it('asks for something to change', async () => {
      const loom = await project();
      await branch(loom, 'feature', { b: 'b' });
      const { iid } = await open(loom, 'feature');
      expect((await loom.call('PUT', `/merge_requests/${iid}`, {})).status).toBe(400);
    });

    it('shows each version of its changes, the newest first', async () => {
      const loom = await project();
      const first = await branch(loom, 'feature', { b: 'b' });
      const { iid } = await open(loom, 'feature');
      const second = await change(loom, 'feature', 'b', 'bb');
      const { body: versions } = await loom.call<{ id: number; head_commit_sha: string; real_size: string }[]>(
        'GET',
        `/merge_requests/${iid}/versions`,
      );
      expect(versions.map(({ head_commit_sha: head }) => head)).toEqual([second.body.id, first.id]);
      const { body: whole } = await loom.call('GET', `/merge_requests/${iid}/versions/${versions[1]!.id}`);
      expect(whole).toMatchObject({ commits: [{ id: first.id }], diffs: [{ new_path: 'b', new_file: true }] });
      expect((await one(loom, iid)).sha).toBe(second.body.id);
    });

    it('shows what it showed before, as its newest version, when its branch is pushed back', async () => {
      const loom = await project();
      const first = await branch(loom, 'feature', { b: 'b' });
      const { iid } = await open(loom, 'feature');
      const second = await change(loom, 'feature', 'b', 'bb');
      const heads = async () => {
        const path = `/merge_requests/${iid}/versions`;
        const { body } = await loom.call<{ head_commit_sha: string }[]>('GET', path);
        return body.map(({ head_commit_sha: head }) => head);
      };
      expect(await heads()).toEqual([second.body.id, first.id]);
      const folder = join(temporaryFolder(), 'clone');
      await git(['clone', '--quiet', loom.remote(), folder]);
      await git(['push', '--quiet', '--force', 'origin', `${first.id}:refs/heads/feature`], { cwd: folder });
      expect(await heads()).toEqual([first.id, second.body.id, first.id]);
      expect((await one(loom, iid)).sha).toBe(first.id);
    });
  });

  describe('merged', () => {
    it('makes a merge commit, and closes the issues that it names', async () => {
      const loom = await project();
      await loom.call('POST', '/issues', { title: 'Broken' });
      const commit = await branch(loom, 'feature', { b: 'b' });
      const { iid } = await open(loom, 'feature', { description: 'Closes #1' });
      const before = await loom.head('main');
      const { status, body } = await merge(loom, iid, { should_remove_source_branch: true });
      expect([status, body.state]).toEqual([200, 'merged']);
      const after = await loom.head('main');
      expect(body.merge_commit_sha).toBe(after);
      expect(body).toMatchObject({ merged_by: { username: 'ada' }, should_remove_source_branch: true });
      const { body: made } = await loom.call('GET', `/repository/commits/${after}`);
      expect(made).toMatchObject({
        parent_ids: [before, commit.id],
        message: `Merge branch 'feature' into 'main'\n\nAdd feature\n\nCloses #1\n\nSee merge request ${loom.project.path}!1`,
      });
      expect(await loom.head('feature')).toBeUndefined();
      expect((await loom.call('GET', '/issues/1')).body).toMatchObject({ state: 'closed' });
      const again = await merge(loom, iid);
      expect([again.status, again.body.message]).toEqual([405, '405 Method Not Allowed']);
    });

    it('tells an issue of another project what closed it, where everybody who reads it sees its own', async () => {
      const issues = await project({ visibility: 'public' });
      const [told, causes, merged]: [string[], unknown[], number[]] = [[], [], []];
      for (const visibility of ['private', 'internal', 'public']) {
        const { body: issue } = await issues.call<{ iid: number }>('POST', '/issues', { title: 'Broken' });
        const loom = await project({ visibility });
        await branch(loom, 'feature', { b: 'b' });
        const { id, iid } = await open(loom, 'feature', { description: `Closes ${issues.project.path}#${issue.iid}` });
        merged.push(id);
        expect((await merge(loom, iid)).status).toBe(200);
        expect((await issues.call('GET', `/issues/${issue.iid}`)).body).toMatchObject({ state: 'closed' });
        const { body } = await issues.call<{ body: string }[]>('GET', `/issues/${issue.iid}/notes`);
        const { body: states } = await issues.call<{ source_merge_request_id: number | null }[]>(
          ...(['GET', `/issues/${issue.iid}/resource_state_events`] as const),
        );
        causes.push(...states.map((state) => state.source_merge_request_id));
        // The commit that names the issue is noted too, some time after the merge.
        const closing = body.filter((note) => note.body.startsWith('closed'));
        told.push(...closing.map((note) => note.body.replace(loom.project.path, 'LOOM')));
      }
      expect(told).toEqual([
        'closed via a merge request of another project',
        'closed via a merge request of another project',
        'closed via merge request LOOM!1',
      ]);
      expect(causes).toEqual([null, null, merged[2]]);
    });

    it('closes no issue of another project by the rights of an administrator, whoever wrote that it does', async () => {
      const loom = await project();
      const others = await WrittenProject.make(writing.service, writing.grace, {
        name: 'others',
        visibility: 'public',
      });
      for (const place of [loom, others]) await place.call('POST', '/issues', { title: 'Broken' });
      await branch(loom, 'feature', { b: 'b' });
      const { iid } = await open(loom, 'feature', { description: `Closes ${others.project.path}#1 and #1` });
      const root = await writing.service.addUser('merging-root', { admin: true });
      expect((await merge(loom, iid, {}, root)).status).toBe(200);
      const stateOf = async (place: WrittenProject) =>
        (await place.call<{ state: string }>('GET', '/issues/1')).body.state;
      expect([await stateOf(loom), await stateOf(others)]).toEqual(['closed', 'opened']);
    });

    it('squashes, with a long message', async () => {
      const loom = await project();
      await branch(loom, 'feature', { b: 'b' });
      const last = await change(loom, 'feature', 'b', 'bb');
      const { iid } = await open(loom, 'feature');
      await loom.addMember(writing.grace, 40);
      const message = 'x'.repeat(20_000);
      const { body } = await merge(loom, iid, { squash: true, merge_commit_message: message }, writing.grace);
      const { body: squashed } = await loom.call('GET', `/repository/commits/${body.squash_commit_sha}`);
      // Whose commits become one is its author, whoever merges.
      const { author_name } = last.body;
      expect(squashed).toMatchObject({ title: 'Add feature', author_name, committer_name: 'grace Example' });
      const { body: made } = await loom.call<{ parent_ids: string[] }>(
        'GET',
        `/repository/commits/${body.merge_commit_sha}`,
      );
      expect(made).toMatchObject({ message });
      expect(made.parent_ids[1]).toBe(body.squash_commit_sha);
      expect(made.parent_ids[1]).not.toBe(last.body.id);
    });

    it('squashes a single commit where a message is given that is not its own, and leaves it as it is otherwise', async () => {
      const loom = await project();
      const mergeOne = async (name: string, squash_commit_message?: string) => {
        const commit = await branch(loom, name, { [name]: name });
        const { iid } = await open(loom, name);
        const sent = { squash: true, ...(squash_commit_message !== undefined && { squash_commit_message }) };
        const { status, body } = await merge(loom, iid, sent);
        expect(status).toBe(200);
        const { body: made } = await loom.call<{ parent_ids: string[] }>(
          ...(['GET', `/repository/commits/${body.merge_commit_sha}`] as const),
        );
        return { commit, squashed: body.squash_commit_sha, merged: made.parent_ids[1] };
      };
      const told = await mergeOne('told', 'All that it took');
      expect(told.merged).toBe(told.squashed);
      expect((await loom.call('GET', `/repository/commits/${String(told.squashed)}`)).body).toMatchObject({
        ...{ message: 'All that it took', author_name: 'ada Example' },
      });
      const untold = await mergeOne('untold');
      expect([untold.squashed, untold.merged]).toEqual([null, untold.commit.id]);
      const same = await mergeOne('same', String(untold.commit['message']).replace('untold', 'same'));
      expect([same.squashed, same.merged]).toEqual([null, same.commit.id]);
    });

    it('squashes the commits of one author as theirs, and those of several as those of whoever opened it', async () => {
      const loom = await project();
      const zoe = { author_name: 'Zoe', author_email: 'zoe@example.com' };
      const authors: unknown[] = [];
      for (const [name, more] of [
        ['alone', zoe],
        ['several', {}],
      ] as const) {
        await loom.write(name, { [`${name}.txt`]: '1' }, { start_branch: 'main', ...zoe });
        await loom.write(name, { [`${name}.c`]: '2' }, more);
        const { iid } = await open(loom, name);
        const { body } = await merge(loom, iid, { squash: true });
        const { body: made } = await loom.call<{ author_name: string }>(
          'GET',
          `/repository/commits/${body.squash_commit_sha}`,
        );
        authors.push(made.author_name);
      }
      expect(authors).toEqual(['Zoe', 'ada Example']);
    });

    it('moves the branch forward alone where the project says so, after a rebase', async () => {
      const loom = await project();
      await loom.call('PUT', '', { merge_method: 'ff' });
      await branch(loom, 'feature', { b: 'b' });
      const { iid } = await open(loom, 'feature');
      await loom.write('main', { c: 'c' });
      const refused = await merge(loom, iid);
      expect([refused.status, refused.body]).toMatchObject([406, { reason: 'need_rebase' }]);
      const rebased = await loom.call('PUT', `/merge_requests/${iid}/rebase`);
      expect([rebased.status, rebased.body]).toEqual([202, { rebase_in_progress: false }]);
      const { status, body } = await merge(loom, iid);
      expect([status, body.state, body.merge_commit_sha]).toEqual([200, 'merged', null]);
      expect(await loom.head('main')).toBe(await loom.head('feature'));
    });

    it('names the files that conflict, and a rebase says what went wrong', async () => {
      const loom = await project();
      await branch(loom, 'feature', { b: 'b' });
      await change(loom, 'feature', 'a.txt', 'mine\n');
      const { iid } = await open(loom, 'feature');
      await change(loom, 'main', 'a.txt', 'yours\n');
      expect(await one(loom, iid)).toMatchObject({
        merge_status: 'cannot_be_merged',
        detailed_merge_status: 'conflict',
        has_conflicts: true,
        conflicts: ['a.txt'],
      });
      const refused = await merge(loom, iid);
      expect([refused.status, refused.body]).toEqual([
        406,
        { message: 'Branch cannot be merged', reason: 'conflict', conflicts: ['a.txt'] },
      ]);
      await loom.call('PUT', `/merge_requests/${iid}/rebase`);
      expect((await one(loom, iid))['merge_error']).toMatch(/^Rebase failed: /);
    });

    it('is refused for other commits than the one that was looked at', async () => {
      const loom = await project();
      const commit = await branch(loom, 'feature', { b: 'b' });
      const { iid } = await open(loom, 'feature');
      const refused = await merge(loom, iid, { sha: '1'.repeat(40) });
      expect([refused.status, refused.body.message]).toEqual([
        409,
        `SHA does not match HEAD of source branch: ${commit.id}`,
      ]);
      expect((await merge(loom, iid, { sha: commit.id })).status).toBe(200);
    });

    it('is refused to who may not merge into the branch', async () => {
      const loom = await project();
      await loom.addMember(writing.grace, 30);
      await branch(loom, 'feature', { b: 'b' });
      const { iid } = await open(loom, 'feature');
      const refused = await merge(loom, iid, {}, writing.grace);
      expect([refused.status, refused.body]).toEqual([401, { message: '401 Unauthorized' }]);
      await loom.call('DELETE', '/protected_branches/main');
      await loom.call('POST', '/protected_branches', { name: 'main', push_access_level: 40, merge_access_level: 30 });
      expect((await merge(loom, iid, {}, writing.grace)).status).toBe(200);
    });

    it('twenty at once into one branch: each ends merged, and the branch holds them all', async () => {
      const loom = await project();
      const names = Array.from({ length: 20 }, (_, index) => `topic-${index}`);
      for (const name of names) await branch(loom, name, { [`${name}.txt`]: name });
      const opened: number[] = [];
      for (const name of names) opened.push((await open(loom, name)).iid);
      const answers = await Promise.all(opened.map((iid) => merge(loom, iid)));
      expect(answers.map(({ status, body }) => [status, body.state])).toEqual(names.map(() => [200, 'merged']));
      const { body: tree } = await loom.call<{ name: string }[]>('GET', '/repository/tree?per_page=100');
      expect(tree.map(({ name }) => name)).toEqual(expect.arrayContaining(names.map((name) => `${name}.txt`)));
      const { body: commits } = await loom.call<{ id: string }[]>(
        'GET',
        '/repository/commits?ref_name=main&first_parent=true&per_page=100',
      );
      expect(commits.map(({ id }) => id)).toEqual(
        expect.arrayContaining(answers.map(({ body }) => body.merge_commit_sha)),
      );
      expect(commits).toHaveLength(21);
    });

    it('twenty at once of one merge request: one of them merges it', async () => {
      const loom = await project();
      await branch(loom, 'feature', { b: 'b' });
      const { iid } = await open(loom, 'feature');
      const answers = await Promise.all(Array.from({ length: 20 }, () => merge(loom, iid)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(405)]);
    });

    it('is merged by whoever brings its commits into the branch otherwise', async () => {
      const loom = await project();
      const { id } = await branch(loom, 'feature', { b: 'b' });
      const { iid } = await open(loom, 'feature');
      await loom.call('POST', '/merge_requests', { source_branch: 'feature', target_branch: 'main', title: 'Twin' });
      await branch(loom, 'other', { c: 'c' }, 'feature');
      const second = await open(loom, 'other');
      await merge(loom, second.iid);
      await until(async () => (await one(loom, iid)).state === 'merged');
      expect(await one(loom, iid)).toMatchObject({ merged_by: { username: 'ada' }, sha: id, merge_commit_sha: null });
    });
  });

  describe('of branches that go', () => {
    it('can’t be merged, and tells why', async () => {
      const loom = await project();
      const { id } = await branch(loom, 'feature', { b: 'b' });
      const { iid } = await open(loom, 'feature');
      await loom.call('DELETE', '/repository/branches/feature');
      expect(await one(loom, iid)).toMatchObject({ state: 'opened', sha: id, detailed_merge_status: 'commits_status' });
      expect((await merge(loom, iid)).status).toBe(405);
      const { body: diffs } = await loom.call('GET', `/merge_requests/${iid}/diffs`);
      expect(diffs).toMatchObject([{ new_path: 'b' }]);
      await loom.call('PUT', `/merge_requests/${iid}`, { state_event: 'close' });
      expect((await loom.call('PUT', `/merge_requests/${iid}`, { state_event: 'reopen' })).status).toBe(400);
    });
  });

  it('are never taken for empty where git can not tell what they change, and the change is said to be too large', async () => {
    const loom = await project({ visibility: 'public' });
    await branch(loom, 'feature', { b: 'b' });
    const { history } = writing.service.service.container.get(REPOSITORY_TOKENS.gitStores);
    const diff = jest.spyOn(history, 'diff').mockRejectedValue(new TooLarge());
    try {
      const { iid } = await open(loom, 'feature');
      expect((await one(loom, iid)).changes_count).toBe('1000+');
      const sha = await loom.head('feature');
      for (const path of [`/repository/commits/${sha}/diff`, `/merge_requests/${iid}/diffs`]) {
        const { status, body } = await loom.call('GET', path);
        expect([status, body]).toMatchObject([400, { message: expect.stringContaining('too large') }]);
      }
      for (const path of [`commit/${sha}`, `merge_requests/${iid}/diffs`, 'compare/main...feature']) {
        const page = await fetch(`${writing.service.url}/${loom.project.path}/-/${path}`);
        expect([path, page.status]).toEqual([path, 200]);
        expect(await page.text()).toContain('This change is too large to be shown.');
      }
    } finally {
      diff.mockRestore();
    }
  });

  describe('approved', () => {
    it('asks for as many as the project says, and new commits take approvals back', async () => {
      const loom = await project();
      await loom.call('PUT', '', { approvals_before_merge: 1 });
      await loom.addMember(writing.grace, 30);
      await branch(loom, 'feature', { b: 'b' });
      const { iid } = await open(loom, 'feature');
      const refused = await merge(loom, iid);
      expect([refused.status, refused.body]).toMatchObject([406, { reason: 'not_approved' }]);
      const own = await loom.call('POST', `/merge_requests/${iid}/approve`, {});
      expect(own.status).toBe(401);
      const approve = (json: object = {}) => loom.call('POST', `/merge_requests/${iid}/approve`, json, writing.grace);
      expect((await approve({ sha: '1'.repeat(40) })).status).toBe(409);
      const approved = await approve();
      expect([approved.status, approved.body]).toMatchObject([
        201,
        { approved: true, approvals_left: 0, user_has_approved: true, approved_by: [{ user: { username: 'grace' } }] },
      ]);
      expect((await approve()).status).toBe(401);
      expect((await one(loom, iid)).detailed_merge_status).toBe('mergeable');
      await change(loom, 'feature', 'b', 'bb');
      expect((await one(loom, iid)).detailed_merge_status).toBe('not_approved');
      await approve();
      expect((await loom.call('POST', `/merge_requests/${iid}/unapprove`, {}, writing.grace)).status).toBe(201);
      expect((await loom.call('POST', `/merge_requests/${iid}/unapprove`, {}, writing.grace)).status).toBe(404);
    });

    const approved = async () => {
      const loom = await project({ approvals_before_merge: 1 });
      await loom.addMember(writing.grace, 30);
      await branch(loom, 'feature', { b: 'b' });
      await branch(loom, 'aside', { aside: 'aside' });
      return loom;
    };

    const approve = async (loom: WrittenProject, iid: number) => {
      const { body } = await loom.call('POST', `/merge_requests/${iid}/approve`, {}, writing.grace);
      expect(body).toMatchObject({ approved: true });
    };

    it('counts nobody who may not approve it any more', async () => {
      const loom = await approved();
      const { iid } = await open(loom, 'feature');
      await approve(loom, iid);
      const { token } = await writing.service.addUser('chief', { admin: true });
      const block = (act: string) => writing.service.call('POST', `/users/${writing.grace.id}/${act}`, { token });
      const member = `/members/${writing.grace.id}`;
      const losses = [
        [() => loom.call('PUT', member, { access_level: 20 }), () => loom.call('PUT', member, { access_level: 30 })],
        [() => block('block'), () => block('unblock')],
        [() => loom.call('DELETE', member), () => loom.addMember(writing.grace, 30)],
      ] as const;
      const counted = async () => {
        const { body } = await loom.call<{ approved_by: unknown[] }>('GET', `/merge_requests/${iid}/approvals`);
        const { body: state } = await loom.call('GET', `/merge_requests/${iid}/approval_state`);
        const [yes, no] = await Promise.all(
          ['yes', 'no'].map((answer) => loom.call<unknown[]>('GET', `/merge_requests?approved=${answer}`)),
        );
        expect(body.approved_by).toHaveLength(1);
        return { ...body, state, listed: [yes!.body.length, no!.body.length] };
      };
      for (const [lose, regain] of losses) {
        await lose();
        expect(await counted()).toMatchObject({
          approved: false,
          approvals_left: 1,
          state: { rules: [{ approved: false }] },
          listed: [0, 1],
        });
        await expectAnew(loom, iid);
        await regain();
        expect(await counted()).toMatchObject({
          approved: true,
          approvals_left: 0,
          state: { rules: [{ approved: true }] },
          listed: [1, 0],
        });
      }
      expect((await merge(loom, iid)).status).toBe(200);
      await loom.call('DELETE', member);
      expect(await counted()).toMatchObject({ approved: true, approvals_left: 0 });
    });

    it('counts who may approve it through a group, while the project is shared with it', async () => {
      const loom = await approved();
      await loom.call('DELETE', `/members/${writing.grace.id}`);
      const { iid } = await open(loom, 'feature');
      const make = async (name: string, parent_id?: number) => {
        const json = { name, path: `${name}-${loom.id}`, ...(parent_id === undefined ? {} : { parent_id }) };
        const { body } = await writing.service.call<{ id: number }>('POST', '/groups', { ...writing.ada, json });
        return body.id;
      };
      const top = await make('weavers');
      const group = await make('menders', top);
      const join = { user_id: writing.grace.id, access_level: 30 };
      await writing.service.call('POST', `/groups/${top}/members`, { ...writing.ada, json: join });
      const counted = async () => (await loom.call('GET', `/merge_requests/${iid}/approvals`)).body;
      const share = (group_access: number) => loom.call('POST', '/share', { group_id: group, group_access });
      expect((await share(30)).status).toBe(201);
      await approve(loom, iid);
      expect(await counted()).toMatchObject({ approved: true });
      await loom.call('DELETE', `/share/${group}`);
      expect(await counted()).toMatchObject({ approved: false });
      await share(20);
      expect(await counted()).toMatchObject({ approved: false });
      await expectAnew(loom, iid);
    });

    const expectAnew = async (loom: WrittenProject, iid: number) => {
      expect((await one(loom, iid)).detailed_merge_status).toBe('not_approved');
      expect((await merge(loom, iid)).status).toBe(406);
    };

    it('asks for it anew when commits came while it was closed', async () => {
      const loom = await approved();
      const { iid } = await open(loom, 'feature');
      await approve(loom, iid);
      await loom.call('PUT', `/merge_requests/${iid}`, { state_event: 'close' });
      await loom.call('PUT', `/merge_requests/${iid}`, { state_event: 'reopen' });
      expect((await one(loom, iid)).detailed_merge_status).toBe('mergeable');
      await loom.call('PUT', `/merge_requests/${iid}`, { state_event: 'close' });
      await change(loom, 'feature', 'b', 'unseen');
      await loom.call('PUT', `/merge_requests/${iid}`, { state_event: 'reopen' });
      await expectAnew(loom, iid);
    });

    it('asks for it anew when another target is chosen', async () => {
      const loom = await approved();
      const { iid } = await open(loom, 'feature', { target_branch: 'aside' });
      await approve(loom, iid);
      await loom.call('PUT', `/merge_requests/${iid}`, { target_branch: 'aside', title: 'Aside' });
      expect((await one(loom, iid)).detailed_merge_status).toBe('mergeable');
      await loom.call('PUT', `/merge_requests/${iid}`, { target_branch: 'main' });
      await expectAnew(loom, iid);
    });

    it('asks for it anew when commits came with those of many other branches', async () => {
      const loom = await approved();
      const { iid } = await open(loom, 'feature');
      await approve(loom, iid);
      const others = Array.from({ length: 60 }, (_, index) => `HEAD:refs/heads/a${index}`);
      const folder = temporaryFolder();
      await git(['clone', '--quiet', loom.remote(), folder]);
      await git(['-C', folder, 'push', '--quiet', 'origin', ...others]);
      await git(['-C', folder, 'checkout', '--quiet', 'feature']);
      await git(['-C', folder, 'commit', '--quiet', '--allow-empty', '--message', 'Unseen']);
      await git(['-C', folder, 'push', '--quiet', 'origin', ...others, 'feature']);
      await change(loom, 'main', 'a.txt', 'moved on');
      await expectAnew(loom, iid);
    });
  });

  describe('listed', () => {
    it('narrows by state, branches, people, drafts, search and numbers', async () => {
      const loom = await project();
      for (const name of ['one', 'two', 'three']) await branch(loom, name, { [name]: name });
      await open(loom, 'one', { assignee_ids: [writing.ada.id], reviewer_ids: [writing.ada.id] });
      await open(loom, 'two', { title: 'Draft: Zebra' });
      await open(loom, 'three');
      await loom.call('PUT', '/merge_requests/3', { state_event: 'close' });
      const list = async (query: string) => {
        const { status, body } = await loom.call<MergeRequestBody[]>('GET', `/merge_requests?${query}`);
        return status === 200 ? body.map(({ iid }) => iid) : status;
      };
      expect(await list('')).toEqual([3, 2, 1]);
      expect(await list('state=opened&sort=asc')).toEqual([1, 2]);
      expect(await list('state=locked')).toEqual([]);
      expect(await list('state=odd')).toBe(400);
      expect(await list('iids[]=1&iids[]=3')).toEqual([3, 1]);
      expect(await list('iid=1')).toEqual([3, 2, 1]);
      expect(await list('source_branch=two')).toEqual([2]);
      expect(await list('target_branch=two')).toEqual([]);
      expect(await list('wip=yes')).toEqual([2]);
      expect(await list('search=zebra')).toEqual([2]);
      expect(await list(`assignee_id=${writing.ada.id}`)).toEqual([1]);
      expect(await list('assignee_id=None')).toEqual([3, 2]);
      expect(await list('assignee_id=Any')).toEqual([1]);
      expect(await list('reviewer_username=ada')).toEqual([1]);
      expect(await list('author_username=grace')).toEqual([]);
      expect(await list(`author_id=${writing.ada.id}&author_username=ada`)).toBe(400);
      const { body } = await loom.call<object[]>('GET', '/merge_requests?view=simple');
      expect(Object.keys(body[0]!)).toHaveLength(9);
      expect(body[0]).not.toHaveProperty('subscribed');
    });

    it('of all projects holds those of the caller unless others are asked for', async () => {
      const loom = await project({ visibility: 'private' });
      await branch(loom, 'feature', { b: 'b' });
      const { id } = await open(loom, 'feature');
      const ids = async (query: string, user?: TestUser) => {
        const token = user === undefined ? {} : { token: user.token };
        const { status, body } = await writing.service.call<{ id: number }[]>('GET', `/merge_requests?${query}`, token);
        return status === 200 ? body.map((each) => each.id) : status;
      };
      expect(await ids('per_page=1', writing.ada)).toEqual([id]);
      expect(await ids('', writing.grace)).toEqual([]);
      expect(await ids('')).toBe(401);
      expect(await ids('scope=all&per_page=100', writing.grace)).not.toContain(id);
    });
  });

  describe('since version 3', () => {
    const prepared = async () => {
      const loom = await project();
      await branch(loom, 'one', { one: 'one' });
      await branch(loom, 'two', { two: 'two' });
      return {
        loom,
        first: await open(loom, 'one', { labels: 'a,b' }),
        second: await open(loom, 'two', { labels: 'a' }),
      };
    };

    it('a project’s list is narrowed by `iids`, and `iid[]` narrows nothing', async () => {
      const { loom } = await prepared();
      const list = async (query: string) =>
        (await loom.call<MergeRequestBody[]>('GET', `/merge_requests?${query}`)).body.map(({ iid }) => iid);
      expect([await list('iids[]=2'), await list('iid[]=2')]).toEqual([[2], [2, 1]]);
    });

    it('one is found by its global id at /projects/merge_requests/:id', async () => {
      const { loom, second } = await prepared();
      const { service, ada } = writing;
      const found = await service.call<MergeRequestBody>('GET', `/projects/merge_requests/${second.id}`, {
        token: ada.token,
      });
      expect([found.status, found.body]).toMatchObject([200, { id: second.id, iid: 2, project_id: loom.id }]);
      const lost = await service.call('GET', '/projects/merge_requests/99999999', { token: ada.token });
      expect([lost.status, lost.body]).toEqual([404, { message: '404 Merge Request Not Found' }]);
    });

    it('they are addressed by their number within the project, and by no other id', async () => {
      const { loom, second } = await prepared();
      const PATHS = ['', '/notes', '/award_emoji', '/approvals', '/commits'];
      for (const path of PATHS) {
        expect([path, (await loom.call('GET', `/merge_requests/${second.iid}${path}`)).status]).toEqual([path, 200]);
        expect([path, (await loom.call('GET', `/merge_requests/${second.id}${path}`)).status]).toEqual([path, 404]);
      }
    });

    it('`merge_when_pipeline_succeeds` is the parameter of merging, cancelling and projects', async () => {
      const { loom, first } = await prepared();
      const cancelled = await loom.call('POST', `/merge_requests/${first.iid}/cancel_merge_when_pipeline_succeeds`);
      expect([cancelled.status, cancelled.body]).toEqual([
        201,
        { message: "Can't cancel the automatic merge", status: 'error', http_status: 406 },
      ]);
      // A commit without a pipeline merges at once.
      const merged = await merge(loom, first.iid, { merge_when_pipeline_succeeds: true });
      expect([merged.status, merged.body.state]).toEqual([200, 'merged']);
      const told = { merge_when_pipeline_succeeds: true, only_allow_merge_if_pipeline_succeeds: true };
      const put = async (json: object) => (await loom.call('PUT', '', json)).body;
      expect(await put({ merge_when_pipeline_succeeds: true })).toMatchObject(told);
      expect(await put({ merge_when_build_succeeds: false, description: '' })).toMatchObject(told);
      expect(await put({ only_allow_merge_if_pipeline_succeeds: false })).toMatchObject({
        merge_when_pipeline_succeeds: false,
        only_allow_merge_if_pipeline_succeeds: false,
      });
      const { service, ada } = writing;
      const json = { name: `made-${loom.id}`, only_allow_merge_if_pipeline_succeeds: true };
      expect((await service.call('POST', '/projects', { token: ada.token, json })).body).toMatchObject(told);
    });

    it('`subscribed` is told of one, and of none in a list', async () => {
      const { loom, first } = await prepared();
      expect(await one(loom, first.iid)).toHaveProperty('subscribed', true);
      const { body } = await loom.call<object[]>('GET', '/merge_requests');
      for (const each of body) expect(each).not.toHaveProperty('subscribed');
    });

    it('`labels` finds those that have all of them', async () => {
      const { loom } = await prepared();
      const list = async (labels: string) =>
        (await loom.call<MergeRequestBody[]>('GET', `/merge_requests?labels=${labels}`)).body.map(({ iid }) => iid);
      expect([await list('a'), await list('a,b'), await list('a,b,c')]).toEqual([[2, 1], [1], []]);
    });

    it('every list tells its pages, and comments have no `upvote` or `downvote`', async () => {
      const { loom, first } = await prepared();
      await loom.call('POST', `/merge_requests/${first.iid}/notes`, { body: 'Fine' });
      const LISTS = [
        'commits',
        'diffs',
        'versions',
        'participants',
        'reviewers',
        'closes_issues',
        'notes',
        'pipelines',
      ];
      for (const path of ['', ...LISTS.map((each) => `/${first.iid}/${each}`)]) {
        const { status, headers } = await loom.call('GET', `/merge_requests${path}`);
        const told = ['x-page', 'x-per-page', 'x-total', 'link'].map((name) => headers.has(name));
        expect([path, status, ...told]).toEqual([path, 200, true, true, true, true]);
      }
      const { body } = await loom.call<object[]>('GET', `/merge_requests/${first.iid}/notes`);
      for (const gone of ['upvote', 'downvote']) expect(body[0]).not.toHaveProperty(gone);
    });
  });
});
