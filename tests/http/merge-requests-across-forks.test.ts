import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ProjectId } from '../../src/domain/shared/identifiers.js';
import { describeEachDatabase } from '../support/databases.js';
import { git, withGit } from '../support/git.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { WrittenProject } from '../support/written-project.js';

interface MergeRequestBody {
  readonly id: number;
  readonly iid: number;
  readonly state: string;
  readonly sha: string;
  readonly source_project_id: number | null;
  readonly detailed_merge_status: string;
  readonly merge_commit_sha: string | null;
}

const WHO = ['visitor', 'stranger', 'guest', 'reporter', 'developer', 'maintainer'] as const;
type Who = (typeof WHO)[number];
const LEVELS: Partial<Readonly<Record<Who, number>>> = { guest: 10, reporter: 20, developer: 30, maintainer: 40 };

withGit('merge requests across forks', () => {
  describeEachDatabase('merge requests across forks', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;
    let grace: TestUser;
    let hedy: TestUser;
    let serial = 0;
    const people = new Map<Who, TestUser>();

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      ada = await service.addUser('ada');
      grace = await service.addUser('grace');
      hedy = await service.addUser('hedy');
      for (const who of WHO) if (who !== 'visitor') people.set(who, await service.addUser(who));
    });

    afterAll(() => service.close());

    const addProject = async (visibility: string) => {
      const project = await WrittenProject.make(service, ada, { name: `loom-${(serial += 1)}`, visibility });
      await project.write('main', { 'README.md': '# Loom\n' });
      return project;
    };

    const call = <Body = unknown>(who: TestUser | undefined, method: string, path: string, json?: object) =>
      service.call<Body>(method, path, {
        ...(who === undefined ? {} : { token: who.token }),
        ...(json === undefined ? {} : { json }),
      });

    const fork = async (of: WrittenProject, who: TestUser, visibility?: string): Promise<ProjectId> => {
      const json = visibility === undefined ? {} : { visibility };
      const { status, body } = await call<{ id: ProjectId }>(who, 'POST', `/projects/${of.id}/fork`, json);
      expect(status).toBe(201);
      await until(
        async () =>
          (await call<{ import_status: string }>(who, 'GET', `/projects/${body.id}`)).body.import_status === 'finished',
      );
      return body.id;
    };

    const write = (who: TestUser, id: ProjectId, branch: string, file: string, more: object = {}) =>
      call<{ id: string }>(who, 'POST', `/projects/${id}/repository/commits`, {
        branch,
        commit_message: `Write ${file}`,
        actions: [{ action: 'create', file_path: file, content: file }],
        ...more,
      });

    const propose = async (from: ProjectId, to: WrittenProject, who: TestUser, branch = 'feature') => {
      const json = { source_branch: branch, target_branch: 'main', target_project_id: to.id, title: 'Take it' };
      const { status, body } = await call<MergeRequestBody>(who, 'POST', `/projects/${from}/merge_requests`, json);
      expect([status, body]).toEqual([201, expect.objectContaining({ iid: expect.any(Number) })]);
      return body;
    };

    it('brings the commits, follows pushes, and merges', async () => {
      const loom = await addProject('public');
      const copy = await fork(loom, grace);
      // The fork is behind: what it has in common lies further back.
      await loom.write('main', { later: 'later' });
      const first = await write(grace, copy, 'feature', 'b', { start_branch: 'main' });
      const opened = await propose(copy, loom, grace);
      expect(opened).toMatchObject({
        source_project_id: copy,
        sha: first.body.id,
        detailed_merge_status: 'mergeable',
        allow_collaboration: false,
      });
      const ref = `refs/merge-requests/${opened.iid}/head`;
      expect(await git(['ls-remote', loom.remote(), ref])).toContain(first.body.id);
      const second = await write(grace, copy, 'feature', 'c');
      const seen = await loom.call<MergeRequestBody>('GET', `/merge_requests/${opened.iid}`);
      expect(seen.body.sha).toBe(second.body.id);
      const { status, body } = await loom.call<MergeRequestBody>('PUT', `/merge_requests/${opened.iid}/merge`, {
        should_remove_source_branch: true,
      });
      expect([status, body.state]).toEqual([200, 'merged']);
      const { body: tree } = await loom.call<{ name: string }[]>('GET', '/repository/tree');
      expect(tree.map(({ name }) => name).sort()).toEqual(['README.md', 'b', 'c', 'later']);
      // Ada may not push to the fork: its branch stays.
      await until(
        async () => (await call(grace, 'GET', `/projects/${copy}/repository/branches/feature`)).status === 200,
      );
      await loom.expectSound();
    });

    it('removes the branch of the fork afterwards, where whoever merges may', async () => {
      const loom = await addProject('public');
      await loom.addMember(grace, 40);
      const copy = await fork(loom, grace);
      await write(grace, copy, 'feature', 'b', { start_branch: 'main' });
      const { iid } = await propose(copy, loom, grace);
      const json = { should_remove_source_branch: true };
      const { status } = await call(grace, 'PUT', `/projects/${loom.id}/merge_requests/${iid}/merge`, json);
      expect(status).toBe(200);
      const branch = `/projects/${copy}/repository/branches/feature`;
      await until(async () => (await call(grace, 'GET', branch)).status === 404);
    });

    it('leaves a branch of the fork that is protected, as in a project of its own, though a developer of the fork wants it gone', async () => {
      const loom = await addProject('public');
      const copy = await fork(loom, grace);
      const developer = people.get('developer')!;
      await call(grace, 'POST', `/projects/${copy}/members`, { user_id: developer.id, access_level: 30 });
      const root = await service.addUser('boss', { admin: true });
      for (const name of ['kept', 'feature']) await write(grace, copy, name, name, { start_branch: 'main' });
      const rule = { name: 'kept', push_access_level: 40 };
      expect((await call(grace, 'POST', `/projects/${copy}/protected_branches`, rule)).status).toBe(201);
      for (const name of ['kept', 'feature']) {
        const { iid } = await propose(copy, loom, developer, name);
        const path = `/projects/${loom.id}/merge_requests/${iid}`;
        const wish = { remove_source_branch: true };
        expect((await call(developer, 'PUT', path, wish)).status).toBe(200);
        expect((await call(root, 'PUT', `${path}/merge`)).status).toBe(200);
      }
      const statusOf = async (name: string) =>
        (await call(grace, 'GET', `/projects/${copy}/repository/branches/${name}`)).status;
      await until(async () => (await statusOf('feature')) === 404);
      expect(await statusOf('kept')).toBe(200);
    });

    it('is rebased by whoever may push to the fork', async () => {
      const loom = await addProject('public');
      const copy = await fork(loom, grace);
      await write(grace, copy, 'feature', 'b', { start_branch: 'main' });
      const { iid } = await propose(copy, loom, grace);
      await loom.write('main', { later: 'later' });
      const refused = await loom.call('PUT', `/merge_requests/${iid}/rebase`);
      expect([refused.status, refused.body]).toEqual([
        403,
        { message: '403 Forbidden - Cannot push to source branch' },
      ]);
      const path = `/projects/${loom.id}/merge_requests/${iid}`;
      expect((await call(grace, 'PUT', `${path}/rebase`)).status).toBe(202);
      const { body } = await call<object>(grace, 'GET', `${path}?include_diverged_commits_count=true`);
      expect(body).toMatchObject({ diverged_commits_count: 0, merge_error: null, detailed_merge_status: 'mergeable' });
    });

    it('is refused between projects that have nothing in common, and to who may not see the target', async () => {
      const [loom, other, secret] = [
        await addProject('public'),
        await addProject('public'),
        await addProject('private'),
      ];
      await loom.write('feature', { b: 'b' }, { start_branch: 'main' });
      const json = { source_branch: 'feature', target_branch: 'main', title: 'No' };
      const unrelated = await loom.call('POST', '/merge_requests', { ...json, target_project_id: other.id });
      expect([unrelated.status, unrelated.body]).toEqual([
        422,
        { message: ['Source project is not a fork of the target project'] },
      ]);
      const copy = await fork(loom, hedy);
      const hidden = await call(hedy, 'POST', `/projects/${copy}/merge_requests`, {
        ...json,
        target_project_id: secret.id,
      });
      expect([hidden.status, hidden.body]).toEqual([404, { message: '404 Project Not Found' }]);
      const elsewhere = await call(hedy, 'POST', `/projects/${loom.id}/merge_requests`, json);
      expect([elsewhere.status, elsewhere.body]).toEqual([403, { message: '403 Forbidden' }]);
    });

    it('shows nothing more of a fork that was told apart, and is opened again by nobody who may not see it', async () => {
      const loom = await addProject('public');
      await loom.addMember(hedy, 30);
      const copy = await fork(loom, grace);
      await write(grace, copy, 'feature', 'b', { start_branch: 'main' });
      const { iid } = await propose(copy, loom, grace);
      const path = `/projects/${loom.id}/merge_requests/${iid}`;
      const change = (who: TestUser, state_event: string) =>
        call<{ message: unknown }>(who, 'PUT', path, { state_event });
      const shown = async () => (await call<{ new_path: string }[]>(undefined, 'GET', `${path}/diffs`)).body;
      await call(grace, 'PUT', `/projects/${copy}`, { visibility: 'private' });
      expect((await change(hedy, 'close')).status).toBe(200);
      const gone = "The source branch 'feature' is gone: push it again before reopening.";
      expect(await change(hedy, 'reopen')).toMatchObject({ status: 400, body: { message: gone } });
      const quick = await call<object>(hedy, 'POST', `${path}/notes`, { body: '/reopen' });
      expect(JSON.stringify(quick.body)).toContain('is gone');
      expect((await change(grace, 'reopen')).status).toBe(200);
      await write(grace, copy, 'feature', 'c');
      await until(async () => (await shown()).length === 2);
      expect((await call(grace, 'DELETE', `/projects/${copy}/fork`)).status).toBe(204);
      const unmergeable = { status: 405, body: { reason: 'commits_status' } };
      expect(await call(loom.owner, 'PUT', `${path}/merge`)).toMatchObject(unmergeable);
      const secret = await write(grace, copy, 'feature', 'secret');
      const seen = await call<MergeRequestBody>(hedy, 'GET', path);
      expect(seen.body).toMatchObject({ state: 'opened', detailed_merge_status: 'commits_status' });
      expect((await shown()).map(({ new_path }) => new_path)).toEqual(['b', 'c']);
      const commit = `/projects/${loom.id}/repository/commits/${secret.body.id}`;
      expect((await call(hedy, 'GET', commit)).status).toBe(404);
      expect(await call(loom.owner, 'PUT', `${path}/merge`)).toMatchObject(unmergeable);
      expect((await change(hedy, 'close')).status).toBe(200);
      expect(await change(grace, 'reopen')).toMatchObject({ status: 400, body: { message: gone } });
      const rebased = await call(grace, 'PUT', `${path}/rebase`);
      expect([rebased.status, rebased.body]).toEqual([
        403,
        { message: '403 Forbidden - The merge request is not open' },
      ]);
    });

    it('is closed when the fork goes, and keeps what it would have changed', async () => {
      const loom = await addProject('public');
      const copy = await fork(loom, grace);
      await write(grace, copy, 'feature', 'b', { start_branch: 'main' });
      const { iid } = await propose(copy, loom, grace);
      await call(grace, 'DELETE', `/projects/${copy}`);
      const read = async () => (await loom.call<MergeRequestBody>('GET', `/merge_requests/${iid}`)).body;
      await until(async () => (await read()).source_project_id === null);
      expect(await read()).toMatchObject({ state: 'closed' });
      const { body } = await loom.call('GET', `/merge_requests/${iid}/diffs`);
      expect(body).toMatchObject([{ new_path: 'b' }]);
    });

    describe.each(['private', 'internal', 'public'])('of a project that is %s', (visibility) => {
      let loom: WrittenProject;
      let opened: MergeRequestBody;

      beforeAll(async () => {
        loom = await addProject(visibility);
        for (const [who, level] of Object.entries(LEVELS)) await loom.addMember(people.get(who as Who)!, level);
        await loom.write('feature', { b: 'b' }, { start_branch: 'main' });
        const json = { source_branch: 'feature', target_branch: 'main', title: 'Take it' };
        opened = (await loom.call<MergeRequestBody>('POST', '/merge_requests', json)).body;
      });

      const reads = (who: Who): boolean => {
        if (['reporter', 'developer', 'maintainer'].includes(who)) return true;
        return visibility === 'public' || (visibility === 'internal' && who !== 'visitor');
      };
      const sees = (who: Who): boolean => reads(who) || who === 'guest';

      const PATHS = ['', '/commits', '/changes', '/diffs', '/raw_diffs', '/versions', '/participants', '/reviewers'];
      const MORE = ['/closes_issues', '/approvals', '/approval_state', '/notes'];

      it.each([...PATHS, ...MORE])('GET …%s: for those who may read the code', async (path) => {
        for (const who of WHO) {
          const { status } = await call(people.get(who), 'GET', `/projects/${loom.id}/merge_requests/1${path}`);
          expect([who, status]).toEqual([who, reads(who) ? 200 : sees(who) ? 403 : 404]);
        }
      });

      it('is in the lists of those who may read the code, and of nobody else', async () => {
        for (const who of WHO) {
          const lists = [`/merge_requests?scope=all&per_page=100`, `/projects/merge_requests/${opened.id}`];
          const [all, single] = await Promise.all(lists.map((path) => call(people.get(who), 'GET', path)));
          const ids = (all?.body as { id: number }[]).map(({ id }) => id);
          expect([who, ids.includes(opened.id)]).toEqual([who, reads(who)]);
          const told = reads(who) ? [200, opened.id] : [404, undefined];
          expect([who, single?.status, (single?.body as { id?: number }).id]).toEqual([who, ...told]);
          if (!reads(who)) expect(single?.body).toEqual({ message: '404 Merge Request Not Found' });
        }
      });

      const CHANGES: readonly (readonly [method: string, path: string, from: readonly Who[], refusal: number])[] = [
        ['PUT', '', ['developer', 'maintainer'], 403],
        ['PUT', '/rebase', ['developer', 'maintainer'], 403],
        ['POST', '/approve', ['developer', 'maintainer'], 401],
        ['PUT', '/merge', ['maintainer'], 401],
        ['DELETE', '', [], 403],
      ];

      it.each(CHANGES)('%s …%s: for %j', async (method, path, from, refusal) => {
        for (const who of WHO) {
          const json = path === '' ? { title: 'Take it' } : { sha: '1'.repeat(40) };
          const { status } = await call(people.get(who), method, `/projects/${loom.id}/merge_requests/1${path}`, json);
          const refused = who === 'visitor' ? 401 : reads(who) ? refusal : sees(who) ? 403 : 404;
          if (from.includes(who)) expect([who, status < 400 || status === 409]).toEqual([who, true]);
          else expect([who, status]).toEqual([who, refused]);
        }
      });
    });
  });
});
