import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ProjectId } from '../../src/domain/shared/identifiers.js';
import { MIRROR_TOKENS } from '../../src/infrastructure/composition/mirrors.tokens.js';
import { REPOSITORY_TOKENS } from '../../src/infrastructure/composition/repositories.tokens.js';
import { pushesFollowed } from '../support/ci-runner.js';
import { describeEachDatabase } from '../support/databases.js';
import { Elsewhere } from '../support/elsewhere.js';
import { PASSWORD } from '../support/form-browser.js';
import { withGit } from '../support/git.js';
import { addProject, refsOf, remoteOf, WorkTree } from '../support/git-service.js';
import { signedIn } from '../support/oauth-client.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { WatchedRounds } from '../support/watched-rounds.js';

interface PullBody {
  readonly enabled: boolean;
  readonly url: string;
  readonly update_status: string;
  readonly last_error: string | null;
  readonly last_update_at: string | null;
  readonly last_successful_update_at: string | null;
  readonly [field: string]: unknown;
}

interface ProjectBody {
  readonly id: ProjectId;
  readonly path_with_namespace: string;
  readonly mirror: boolean;
}

const MINUTE_MS = 60_000;
const REFUSED = 'The server refused the user name and password, or asks for some.';

withGit('projects that follow a repository elsewhere', () => {
  describeEachDatabase('projects that follow a repository elsewhere', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;
    let root: TestUser;
    let rounds: WatchedRounds;
    let serial = 0;

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase(), { outboundAllowlist: ['127.0.0.1'] });
      rounds = new WatchedRounds(service.service.container.get(MIRROR_TOKENS.mirrors).updatePullMirrors);
      ada = await service.addUser('ada', { password: PASSWORD });
      root = await service.addUser('root', { admin: true, scopes: ['api', 'sudo'] });
    });
    afterAll(() => service.close());

    const call = <Body = PullBody>(method: string, path: string, json?: object, who: TestUser | null = ada) =>
      service.call<Body>(method, path, {
        ...(who === null ? {} : { token: who.token }),
        ...(json === undefined ? {} : { json }),
      });
    /** What is due is done by then, by this round or by one that the service has begun. */
    const runDue = async () => {
      await service.service.container.get(MIRROR_TOKENS.mirrors).updatePullMirrors.runDue();
      await rounds.atRest();
    };
    const pullOf = (id: number) => `/projects/${id}/mirror/pull`;
    const stateOf = async (id: number) => (await call('GET', pullOf(id))).body;
    const ended = async (id: number) => {
      await until(async () => ['finished', 'failed'].includes((await stateOf(id)).update_status));
      return stateOf(id);
    };
    /** Updates it now, and answers what came of it. */
    const update = async (id: number) => {
      expect((await call('POST', pullOf(id))).status).toBe(200);
      return ended(id);
    };
    const newProject = async (fields: object = {}) =>
      addProject(service, ada, { name: `p-${(serial += 1)}`, ...fields });

    /** A project with code, and a working tree that pushes to it. */
    const source = async () => {
      const project = await newProject({ visibility: 'private' });
      const tree = await WorkTree.init();
      const url = remoteOf(service, project.path, 'ada', ada.token);
      const push = async (...refs: string[]) => void (await tree.git('push', '--quiet', '--force', url, ...refs));
      await tree.commit('a', 'one');
      await push('main');
      return { project, tree, url, push };
    };
    /** A project that follows such a one, and has its code. */
    const pair = async (fields: object = {}) => {
      const from = await source();
      const into = await newProject();
      expect((await call('PUT', pullOf(into.id), { url: from.url, ...fields })).status).toBe(200);
      expect(await ended(into.id)).toMatchObject({ update_status: 'finished', last_error: null });
      return { ...from, into };
    };
    const unfollow = async (id: number) => {
      const browser = await signedIn(service, 'ada');
      const { path_with_namespace: path } = (await call<ProjectBody>('GET', `/projects/${id}`)).body;
      const end = `/${path}/-/settings/mirrors/pull/remove`;
      expect((await browser.submit(end, end, {})).status).toBe(303);
    };
    const branchesOf = async (id: number) => (await refsOf(service, id as ProjectId)).rows;
    const eventsOf = async (id: number) => (await call<object[]>('GET', `/projects/${id}/events?action=pushed`)).body;
    /** A tree of the project that follows, which people push to. */
    const copyOf = async (path: string) => {
      const url = remoteOf(service, path, 'ada', ada.token);
      const tree = await WorkTree.init();
      await tree.git('fetch', '--quiet', url, 'main');
      await tree.git('checkout', '--quiet', '-B', 'main', 'FETCH_HEAD');
      return { tree, push: () => tree.git('push', '--quiet', url, 'HEAD:main') };
    };

    describe('get what is new there', () => {
      it('branches, tags and a default branch at first, and then what is moved', async () => {
        const { into, tree, push, project } = await pair();
        expect(await branchesOf(into.id)).toEqual(await branchesOf(project.id));
        await tree.commit('a', 'two');
        await tree.git('branch', 'topic');
        await tree.git('tag', '-a', 'v1', '-m', 'First');
        await push('main', 'topic', 'v1');
        expect(await update(into.id)).toMatchObject({ update_status: 'finished', last_error: null });
        const [there, here] = [
          await refsOf(service, project.id as ProjectId),
          await refsOf(service, into.id as ProjectId),
        ];
        expect([here.rows, here.problems]).toEqual([there.rows, []]);
        expect(here.rows).toHaveLength(3);
        // A branch that leads to what is here already.
        await tree.git('branch', 'again');
        await push('again');
        expect(await update(into.id)).toMatchObject({ update_status: 'finished', last_error: null });
        expect(await branchesOf(into.id)).toEqual(await branchesOf(project.id));
        // What is gone there stays.
        await push(':topic');
        await update(into.id);
        expect((await branchesOf(into.id)).some((row) => row.endsWith('refs/heads/topic'))).toBe(true);
      });

      it('with the default branch that is one there, where there was none', async () => {
        const { project, tree, url, push } = await source();
        await tree.git('branch', 'develop');
        await push('develop');
        await call('PUT', `/projects/${project.id}`, { default_branch: 'develop' });
        const into = await newProject();
        await call('PUT', pullOf(into.id), { url });
        await ended(into.id);
        const { default_branch: branch } = (await call<{ default_branch: string }>('GET', `/projects/${into.id}`)).body;
        expect(branch).toBe('develop');
        const rules = (await call<{ name: string }[]>('GET', `/projects/${into.id}/protected_branches`)).body;
        expect(rules.map(({ name }) => name)).toEqual(['develop']);
      });

      it('every 30 minutes by itself', async () => {
        const { into, tree, push, project } = await pair();
        await tree.commit('a', 'two');
        await push('main');
        service.clock.advance(29 * MINUTE_MS);
        await runDue();
        expect(await branchesOf(into.id)).not.toEqual(await branchesOf(project.id));
        service.clock.advance(2 * MINUTE_MS);
        await until(async () => String(await branchesOf(into.id)) === String(await branchesOf(project.id)));
      });

      it('without anybody being told, or as after a push where that is asked for', async () => {
        const quiet = await pair();
        expect(await eventsOf(quiet.into.id)).toEqual([]);
        const loud = await pair({ mirror_trigger_builds: true });
        expect(await eventsOf(loud.into.id)).not.toEqual([]);
        for (const { tree, push, into } of [quiet, loud]) {
          await tree.commit('.gitlab-ci.yml', 'build: { script: make }');
          await push('main');
          await update(into.id);
        }
        const pipelines = async (id: number) => (await call<object[]>('GET', `/projects/${id}/pipelines`)).body.length;
        await until(async () => (await pipelines(loud.into.id)) === 1);
        expect([await pipelines(quiet.into.id), await eventsOf(quiet.into.id)]).toEqual([0, []]);
      });

      it('and close issues of the project alone, whoever set it up', async () => {
        const other = await newProject({ visibility: 'public' });
        const { tree, push, into } = await pair({ mirror_trigger_builds: true });
        await tree.commit('b', 'b', `Closes ${other.path}#1, closes #1`);
        await push('main');
        // What whoever pushed there closes is closed before there is anything here.
        await pushesFollowed(service);
        for (const { id } of [other, into]) await call('POST', `/projects/${id}/issues`, { title: 'Leak' });
        await update(into.id);
        const standing = async (id: number) => {
          const { state } = (await call<{ state: string }>('GET', `/projects/${id}/issues/1`)).body;
          return [state, (await call<object[]>('GET', `/projects/${id}/issues/1/notes`)).body.length];
        };
        await until(async () => (await standing(into.id))[0] === 'closed');
        expect(await standing(other.id)).toEqual(['opened', 0]);
      });

      it('but for what no push may bring, which keeps nothing else away', async () => {
        const { into, tree, push } = await pair();
        await tree.git('branch', 'topic');
        await push('topic');
        await update(into.id);
        expect((await call('PUT', `/projects/${into.id}`, { default_branch: 'topic' })).status).toBe(200);
        await tree.git('tag', 'topic');
        const head = await tree.commit('a', 'two');
        await push('main', 'refs/tags/topic');
        expect(await update(into.id)).toMatchObject({
          update_status: 'finished',
          last_error: 'These could not be moved:\nrefs/tags/topic (You cannot use default branch name to create a tag)',
        });
        expect((await branchesOf(into.id)).map((row) => row.slice(41))).toEqual([
          'refs/heads/main',
          'refs/heads/topic',
        ]);
        expect((await branchesOf(into.id))[0]).toContain(head);
        // Nor is it tried less often for that where nothing else is new.
        expect((await update(into.id)).update_status).toBe('finished');
      });

      it('of protected branches alone where that is asked for, and tags', async () => {
        const { into, tree, push } = await pair({ only_mirror_protected_branches: true });
        await tree.git('branch', 'topic');
        await tree.git('tag', 'v1');
        await push('topic', 'v1');
        await update(into.id);
        expect((await branchesOf(into.id)).map((row) => row.slice(41))).toEqual(['refs/tags/v1']);
        const rule = { name: 'main', push_access_level: 0 };
        await call('POST', `/projects/${into.id}/protected_branches`, rule);
        await update(into.id);
        expect((await branchesOf(into.id)).map((row) => row.slice(41))).toEqual(['refs/heads/main', 'refs/tags/v1']);
      });
    });

    describe('keep what people push', () => {
      it('and say which branches and tags have diverged, until they are to give way', async () => {
        const { into, tree, push } = await pair();
        const copy = await copyOf(into.path);
        await copy.tree.commit('mine', 'mine');
        await copy.push();
        // What is ahead here alone has not diverged.
        expect(await update(into.id)).toMatchObject({ update_status: 'finished', last_error: null });
        const mine = await branchesOf(into.id);
        await tree.commit('a', 'theirs');
        await push('main');
        expect(await update(into.id)).toMatchObject({
          update_status: 'finished',
          last_error: 'These have diverged, and stay as they are here:\nrefs/heads/main',
        });
        expect(await branchesOf(into.id)).toEqual(mine);
        await call('PUT', pullOf(into.id), { mirror_overwrites_diverged_branches: true });
        expect(await ended(into.id)).toMatchObject({ update_status: 'finished', last_error: null });
        expect((await branchesOf(into.id))[0]).toContain((await tree.git('rev-parse', 'main')).trim());
      });
    });

    describe('are set', () => {
      it('with the project, whose first code comes as that of an import', async () => {
        const { url, project } = await source();
        const fields = { name: `p-${(serial += 1)}`, import_url: url, mirror: true, mirror_trigger_builds: true };
        const made = await call<ProjectBody>('POST', '/projects', fields);
        expect([made.status, made.body.mirror]).toEqual([201, true]);
        const imported = () => call<{ import_status: string }>('GET', `/projects/${made.body.id}/import`);
        await until(async () => (await imported()).body.import_status === 'finished');
        const shown = await stateOf(made.body.id);
        expect(shown).toEqual({
          ...{ enabled: true, url: url.replace(/\/\/[^@]*@/, '//*****:*****@'), mirror_trigger_builds: true },
          ...{ only_mirror_protected_branches: false, mirror_overwrites_diverged_branches: false },
          ...{ mirror_branch_regex: null, update_status: 'scheduled', last_error: null },
          ...{ last_update_started_at: null, last_update_at: null, last_successful_update_at: null },
        });
        expect(await branchesOf(made.body.id)).toEqual(await branchesOf(project.id));
        const off = await call<ProjectBody>('PUT', `/projects/${made.body.id}`, { mirror: false });
        expect([off.status, off.body.mirror]).toEqual([200, false]);
        expect((await call('POST', pullOf(made.body.id))).body).toEqual({ message: 'The mirror is disabled' });
        const { query } = service.service.database.reader;
        const row = await query('pull_mirrors').where({ project_id: made.body.id }).first();
        expect(JSON.stringify(row)).not.toContain(ada.token);
      });

      it('later, by the project or by themselves; what can not be is refused, and changes nothing', async () => {
        const { url } = await source();
        const into = await newProject();
        expect((await call('GET', pullOf(into.id))).body).toEqual({ message: 'The project is not mirrored' });
        expect((await call('POST', pullOf(into.id))).body).toEqual({ message: 'The project is not mirrored' });
        for (const [path, json, field] of [
          [pullOf(into.id), { enabled: true }, 'url'],
          [pullOf(into.id), { url: 'http://10.0.0.1/a' }, 'url'],
          [`/projects/${into.id}`, { mirror: true }, 'import_url'],
          [`/projects/${into.id}`, { mirror: true, import_url: 'ssh://git@example.com/a' }, 'import_url'],
          [pullOf(into.id), { url, mirror_branch_regex: '^x' }, 'mirror_branch_regex'],
        ] as const) {
          const { status, body } = await call<{ message: object }>('PUT', path, json);
          expect([status, Object.keys(body.message)]).toEqual([400, [field]]);
        }
        const before = (await call<{ name: string }>('GET', `/projects/${into.id}`)).body.name;
        for (const json of [
          { mirror: true, import_url: url, path: '!' },
          { mirror: true, import_url: 'ssh://git@example.com/a', name: 'changed' },
          { mirror: true, name: 'changed' },
        ]) {
          expect((await call('PUT', `/projects/${into.id}`, json)).status).toBe(400);
          expect((await call('GET', pullOf(into.id))).body).toEqual({ message: 'The project is not mirrored' });
          expect((await call<{ name: string }>('GET', `/projects/${into.id}`)).body.name).toBe(before);
        }
        expect((await call('PUT', `/projects/${into.id}`, { mirror: false })).status).toBe(200);
        expect((await call('GET', pullOf(into.id))).status).toBe(400);
        const without = { name: `p-${(serial += 1)}`, mirror: true };
        expect((await call('POST', '/projects', without)).status).toBe(400);
        const set = await call<ProjectBody>('PUT', `/projects/${into.id}`, { mirror: true, import_url: url });
        expect([set.status, set.body.mirror]).toEqual([200, true]);
        expect((await ended(into.id)).update_status).toBe('finished');
      });

      it('by Maintainers alone', async () => {
        const { url } = await source();
        const into = await newProject({ visibility: 'private' });
        const routes = [
          ['PUT', pullOf(into.id), { url }],
          ['GET', pullOf(into.id)],
          ['POST', pullOf(into.id)],
          ['PUT', `/projects/${into.id}`, { mirror: true, import_url: url }],
        ] as const;
        const statusesOf = async (who: TestUser | null) => {
          const statuses: number[] = [];
          for (const [method, at, json] of routes) statuses.push((await call(method, at, json, who)).status);
          return statuses;
        };
        expect(await statusesOf(null)).toEqual([401, 401, 401, 401]);
        expect(await statusesOf(await service.addUser(`grace-${into.id}`))).toEqual([404, 404, 404, 404]);
        for (const level of [10, 20, 30, 40]) {
          const member = await service.addUser(`member-${level}-${into.id}`);
          await call('POST', `/projects/${into.id}/members`, { user_id: member.id, access_level: level });
          expect([level, await statusesOf(member)]).toEqual([
            level,
            level === 40 ? [200, 200, 200, 200] : [403, 403, 403, 403],
          ]);
        }
      });
    });

    it.each([
      ['changes it', (id: number, url: string) => call('PUT', pullOf(id), { url, enabled: false })],
      ['ends it', (id: number) => unfollow(id)],
    ])('get nothing of what was on its way as somebody %s', async (_, change) => {
      const { into, tree, push, url } = await pair();
      const before = await branchesOf(into.id);
      const { landChanges } = service.service.container.get(REPOSITORY_TOKENS.repositories);
      const connected = landChanges.connected.bind(landChanges);
      await tree.commit('a', 'two');
      await push('main');
      const spy = jest.spyOn(landChanges, 'connected').mockImplementationOnce(async (...asked) => {
        await change(into.id, url);
        return connected(...asked);
      });
      await call('POST', pullOf(into.id));
      await until(() => Promise.resolve(spy.mock.calls.length === 1));
      spy.mockRestore();
      await rounds.atRest();
      expect(await branchesOf(into.id)).toEqual(before);
    });

    describe('that fail', () => {
      it('say why, wait longer each time, and stop after 14 times in a row', async () => {
        const answer: RequestListener = (_, response) => response.writeHead(401).end();
        await Elsewhere.during(answer, async ({ url, asked }) => {
          const into = await newProject();
          await call('PUT', pullOf(into.id), { url });
          expect(await ended(into.id)).toMatchObject({ update_status: 'failed', last_error: REFUSED });
          for (let count = 2; count <= 14; count += 1) {
            service.clock.advance(Math.min(24 * 60, 30 * 2 ** (count - 2)) * MINUTE_MS - 1_000);
            await runDue();
            expect(asked).toHaveLength(count - 1);
            service.clock.advance(2_000);
            await runDue();
            expect(asked).toHaveLength(count);
            await ended(into.id);
          }
          const last = await ended(into.id);
          expect(last.last_error).toBe(`${REFUSED}\nIt failed 14 times in a row, and is not tried again by itself.`);
          service.clock.advance(30 * 24 * 60 * MINUTE_MS);
          await runDue();
          expect(asked).toHaveLength(14);
          expect((await update(into.id)).last_error).toBe(REFUSED);
          await call('PUT', pullOf(into.id), { enabled: false });
        });
      });

      it('as whoever set them up is blocked, or no longer a Maintainer, ask nobody', async () => {
        const maintainer = await service.addUser(`keeper-${(serial += 1)}`);
        const into = await newProject();
        await call('POST', `/projects/${into.id}/members`, { user_id: maintainer.id, access_level: 40 });
        const from = await source();
        await call('PUT', pullOf(into.id), { url: from.url }, maintainer);
        expect((await ended(into.id)).update_status).toBe('finished');
        const problem = 'Whoever set this up may no longer do so in this project.';
        await call('PUT', `/projects/${into.id}/members/${maintainer.id}`, { access_level: 30 });
        expect(await update(into.id)).toMatchObject({ update_status: 'failed', last_error: problem });
        await call('PUT', `/projects/${into.id}/members/${maintainer.id}`, { access_level: 40 });
        expect((await update(into.id)).update_status).toBe('finished');
        await call('POST', `/users/${maintainer.id}/block`, undefined, root);
        expect(await update(into.id)).toMatchObject({ update_status: 'failed', last_error: problem });
      });

      it('leave archived projects alone until they are none', async () => {
        const { into, tree, push, project } = await pair();
        await tree.commit('a', 'two');
        await push('main');
        await call('POST', `/projects/${into.id}/archive`);
        expect((await call('POST', pullOf(into.id))).status).toBe(403);
        service.clock.advance(31 * MINUTE_MS);
        await runDue();
        expect(await branchesOf(into.id)).not.toEqual(await branchesOf(project.id));
        await call('POST', `/projects/${into.id}/unarchive`);
        await until(async () => String(await branchesOf(into.id)) === String(await branchesOf(project.id)));
      });
    });

    it('are set, updated and ended on the page of mirrors', async () => {
      const { project } = await source();
      const into = await newProject();
      const browser = await signedIn(service, 'ada');
      const page = `/${into.path}/-/settings/mirrors`;
      const follow = `${page}/pull`;
      const form = { pull_url: remoteOf(service, project.path), username: 'ada', password: ada.token };
      expect(await (await browser.get(page)).text()).toContain(`href="${follow}"`);
      const sent = await browser.submit(follow, follow, form);
      expect([sent.status, sent.headers.get('location')]).toEqual([303, page]);
      expect((await ended(into.id)).update_status).toBe('finished');
      const shown = await (await browser.get(page)).text();
      expect(shown).toContain('<span class="badge on">Up to date</span>');
      expect(shown).toContain('http://*****:*****@127.0.0.1');
      expect(shown).not.toContain(ada.token);
      expect((await browser.submit(page, `${follow}/update`, {})).status).toBe(303);
      await ended(into.id);
      // Whoever types no other URL, user name and password leaves those that are there.
      const changed = { pull_url: form.pull_url, username: '', password: '', triggers_builds: 'true' };
      expect((await browser.submit(follow, follow, changed)).status).toBe(303);
      expect(await ended(into.id)).toMatchObject({ update_status: 'finished', mirror_trigger_builds: true });
      const refused = await browser.submit(follow, follow, { ...changed, pull_url: 'http://ada:hush-77@10.0.0.1/a' });
      const text = await refused.text();
      expect([refused.status, text.includes('leads to a private'), text.includes('hush-77')]).toEqual([
        400,
        true,
        false,
      ]);
      const wrong = { ...changed, username: 'ada', password: 'wrong-word-2b' };
      expect((await browser.submit(follow, follow, wrong)).status).toBe(303);
      expect((await ended(into.id)).update_status).toBe('failed');
      expect(await (await browser.get(page)).text()).toContain('<span class="badge high">Failed</span>');
      const end = `${follow}/remove`;
      expect((await browser.submit(end, end, {})).status).toBe(303);
      expect((await call('GET', pullOf(into.id))).status).toBe(400);
    });
  });
});
