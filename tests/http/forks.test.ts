import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openGitStores } from '../../src/adapters/outbound/git/open-git-stores.js';
import type { StoreKeeper } from '../../src/application/repositories/ports/object-stores.js';
import { BringCommits } from '../../src/application/repositories/operations/bring-commits.js';
import { CopyCode } from '../../src/application/repositories/copy-code.js';
import type { ProjectId } from '../../src/domain/shared/identifiers.js';
import { REPOSITORY_TOKENS } from '../../src/infrastructure/composition/repositories.tokens.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { git, temporaryFolder, withGit } from '../support/git.js';
import { refsOf, remoteOf, storeOf as storeOfProject, WorkTree } from '../support/git-service.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { WatchedRounds } from '../support/watched-rounds.js';

interface ProjectBody {
  readonly id: ProjectId;
  readonly path: string;
  readonly path_with_namespace: string;
  readonly visibility: string;
  readonly default_branch: string | null;
  readonly empty_repo: boolean;
  readonly forks_count: number;
  readonly import_status: string;
  readonly import_error: string | null;
  readonly forked_from_project?: { readonly id: number };
}

withGit('forks', () => {
  describeEachDatabase('forks', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;
    let grace: TestUser;
    let hedy: TestUser;
    let copies: WatchedRounds;
    let serial = 0;
    const directory = temporaryFolder();

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase(), { repositoriesDirectory: directory });
      copies = new WatchedRounds(service.service.container.get(REPOSITORY_TOKENS.repositories).copyCode);
      ada = await service.addUser('ada');
      grace = await service.addUser('grace');
      hedy = await service.addUser('hedy');
    });

    afterAll(() => service.close());

    const call = <Body = ProjectBody>(method: string, path: string, who?: TestUser, json?: object) =>
      service.call<Body>(method, path, {
        ...(who === undefined ? {} : { token: who.token }),
        ...(json === undefined ? {} : { json }),
      });

    const addProject = async (visibility = 'public') => {
      const json = { name: `engine-${(serial += 1)}`, visibility };
      return (await call('POST', '/projects', ada, json)).body;
    };

    /** A project with two branches and a tag. */
    const addCode = async (visibility = 'public') => {
      const project = await addProject(visibility);
      const tree = await WorkTree.init();
      await tree.commit('README.md', `# ${project.path}\n`);
      await tree.git('branch', '-M', 'main');
      await tree.git('tag', '-a', 'v1', '-m', 'One');
      const push = () =>
        tree.git(
          'push',
          '--quiet',
          remoteOf(service, project.path_with_namespace, 'ada', ada.token),
          '--all',
          '--follow-tags',
        );
      await push();
      await tree.git('branch', 'topic');
      await push();
      return { ...project, tree, push };
    };

    const finished = async (id: ProjectId, who: TestUser, state = 'finished'): Promise<ProjectBody> => {
      await until(async () => (await call('GET', `/projects/${id}`, who)).body.import_status === state);
      return (await call('GET', `/projects/${id}`, who)).body;
    };

    const fork = async (id: ProjectId, who: TestUser, json: object = {}) => {
      const { status, body } = await call('POST', `/projects/${id}/fork`, who, json);
      expect([status, body.import_status]).toEqual([201, expect.stringMatching(/scheduled|finished/)]);
      return finished(body.id, who);
    };

    const storeOf = (id: ProjectId) => storeOfProject(service, id);

    const remove = async (id: ProjectId, who: TestUser) => {
      const store = await storeOf(id);
      expect((await call('DELETE', `/projects/${id}`, who)).status).toBe(202);
      await until(async () => {
        await service.service.container.get(TOKENS.jobRunner).runDue();
        await service.service.container.get(REPOSITORY_TOKENS.repositories).keepStores.execute();
        return !existsSync(store);
      });
      await service.service.container.get(REPOSITORY_TOKENS.repositories).copyCode.dropPools();
    };

    const clone = async (project: ProjectBody, who: TestUser) => {
      const folder = join(temporaryFolder(), 'clone');
      await git(['clone', '--quiet', remoteOf(service, project.path_with_namespace, who.username, who.token), folder]);
      return new WorkTree(folder);
    };

    describe('making one', () => {
      it('row "POST /projects/fork/:id": is there at once, and gets branches, tags, default branch and protection', async () => {
        const source = await addCode();
        const made = await fork(source.id, grace);
        expect(made).toMatchObject({
          path_with_namespace: `grace/${source.path}`,
          default_branch: 'main',
          empty_repo: false,
          import_status: 'finished',
          import_error: null,
          forked_from_project: { id: source.id, path_with_namespace: source.path_with_namespace, forks_count: 1 },
        });
        const { rows } = await refsOf(service, source.id);
        await until(async () => (await refsOf(service, made.id)).files.length === rows.length);
        expect(await refsOf(service, made.id)).toEqual({ rows, files: rows, kept: [], problems: [] });
        expect((await (await clone(made, grace)).git('log', '--format=%s')).trim()).toBe('Change README.md');
        expect((await call('POST', `/projects/fork/${source.id}`, grace)).status).toBe(404);
      });

      it('of an empty project is finished at once', async () => {
        const source = await addProject();
        expect(await fork(source.id, grace)).toMatchObject({ import_status: 'finished', empty_repo: true });
      });

      it('takes a place, a name, a path and a description', async () => {
        const source = await addCode();
        const group = await call<{ id: number; full_path: string }>('POST', '/groups', grace, {
          name: `Team ${serial}`,
          path: `team-${(serial += 1)}`,
          visibility: 'public',
        });
        const json = { namespace: group.body.full_path, name: 'Mine', path: `mine-${serial}`, description: 'Better' };
        expect(await fork(source.id, grace, json)).toMatchObject({
          name: 'Mine',
          path_with_namespace: `${group.body.full_path}/mine-${serial}`,
          description: 'Better',
        });
        const byId = { namespace_id: group.body.id, path: `also-${serial}`, name: `also-${serial}` };
        expect(await fork(source.id, grace, byId)).toMatchObject({
          path_with_namespace: `${group.body.full_path}/also-${serial}`,
        });
        const byPath = { namespace_path: group.body.full_path, path: `third-${serial}`, name: `third-${serial}` };
        expect((await fork(source.id, grace, byPath)).path).toBe(`third-${serial}`);
      });

      it('is refused with 409 where the name is taken, and with 404 where the place is not for the caller', async () => {
        const source = await addCode();
        await fork(source.id, grace);
        expect(await call('POST', `/projects/${source.id}/fork`, grace)).toMatchObject({
          status: 409,
          body: { message: expect.objectContaining({}) },
        });
        expect(await call('POST', `/projects/${source.id}/fork`, grace, { namespace: 'nowhere' })).toMatchObject({
          status: 404,
          body: { message: '404 Namespace Not Found' },
        });
        expect(await call('POST', `/projects/${source.id}/fork`, grace, { namespace: 'ada' })).toMatchObject({
          status: 404,
          body: { message: '404 Target Namespace Not Found' },
        });
      });

      it('is for who reads the code: 404 for others, 401 for nobody', async () => {
        const hidden = await addCode('private');
        expect((await call('POST', `/projects/${hidden.id}/fork`, grace)).status).toBe(404);
        await call('POST', `/projects/${hidden.id}/members`, ada, { user_id: grace.id, access_level: 10 });
        expect(await call('POST', `/projects/${hidden.id}/fork`, grace)).toMatchObject({
          status: 404,
          body: { message: '404 Not Found' },
        });
        expect((await call('POST', `/projects/${hidden.id}/fork`)).status).toBe(401);
      });

      it('of an archived project gives one that can be changed', async () => {
        const source = await addCode();
        await call('POST', `/projects/${source.id}/archive`, ada);
        const made = await fork(source.id, grace);
        expect((await call('POST', `/projects/${made.id}/issues`, grace, { title: 'Go on' })).status).toBe(201);
      });
    });

    describe('of one branch', () => {
      /** `main` and `topic` have a commit of their own each. */
      const addBranches = async (visibility = 'public') => {
        const source = await addCode(visibility);
        const main = await source.tree.commit('main.txt', 'of main alone');
        await source.tree.git('checkout', '--quiet', 'topic');
        const topic = await source.tree.commit('topic.txt', 'of topic alone');
        await source.push();
        return { ...source, main, topic };
      };
      const has = (store: string, commit: string) => git(['--git-dir', store, 'cat-file', '-e', commit]);

      it('has that branch alone, protected and by default, and no object of any other', async () => {
        const source = await addBranches();
        const made = await fork(source.id, grace, { branches: 'topic' });
        expect(made).toMatchObject({
          ...{ default_branch: 'topic', empty_repo: false, import_status: 'finished', import_error: null },
          forked_from_project: { id: source.id },
        });
        await until(async () => (await refsOf(service, made.id)).files.length === 1);
        const { rows, files, problems } = await refsOf(service, made.id);
        expect([JSON.stringify(rows).includes('refs/heads/topic'), rows.length, files, problems]).toEqual([
          true,
          1,
          rows,
          [],
        ]);
        const store = await storeOf(made.id);
        await has(store, source.topic);
        await expect(has(store, source.main)).rejects.toThrow();
        expect(existsSync(join(store, 'objects/info/alternates'))).toBe(false);
        expect(await git(['--git-dir', store, 'fsck', '--strict', '--no-dangling'])).toBe('');
        const rules = await call<{ name: string }[]>('GET', `/projects/${made.id}/protected_branches`, grace);
        expect(rules.body.map(({ name }) => name)).toEqual(['topic']);
        expect((await call('GET', `/projects/${made.id}/repository/commits/${source.main}`, grace)).status).toBe(404);
        const statistics = await call<{ statistics: { repository_size: number } }>(
          'GET',
          `/projects/${made.id}?statistics=true`,
          grace,
        );
        expect(statistics.body.statistics.repository_size).toBeGreaterThan(0);
        const tree = await clone(made, grace);
        expect((await tree.git('log', '--format=%s')).split('\n')).toContain('Change topic.txt');
      });

      it('is of all of them, and the tags, where none is named', async () => {
        const source = await addBranches();
        const made = await fork(source.id, grace, { branches: '' });
        expect((await refsOf(service, made.id)).rows).toEqual((await refsOf(service, source.id)).rows);
      });

      it('is refused where the project has no such branch, and nothing is made', async () => {
        const [source, empty] = [await addBranches(), await addProject()];
        for (const [id, branches] of [
          [source.id, 'none'],
          [source.id, 'v1'],
          [source.id, 'refs/heads/main'],
          [source.id, 'main,topic'],
          [source.id, source.main],
          [empty.id, 'main'],
        ])
          expect([branches, await call('POST', `/projects/${id}/fork`, grace, { branches })]).toMatchObject([
            branches,
            { status: 400, body: { message: { branches: ['must name a branch of the project'] } } },
          ]);
        const { body } = await call<object[]>('GET', `/projects/${source.id}/forks`, ada);
        expect(body).toEqual([]);
      });

      it('tells nobody which branches there are who may not read the code', async () => {
        const hidden = await addBranches('private');
        const refused = async (branches: string, who?: TestUser) =>
          call('POST', `/projects/${hidden.id}/fork`, who, { branches });
        expect((await refused('main', grace)).body).toEqual((await refused('none', grace)).body);
        await call('POST', `/projects/${hidden.id}/members`, ada, { user_id: grace.id, access_level: 10 });
        const answers = [await refused('main', grace), await refused('none', grace)];
        expect(answers.map(({ status, body }) => [status, body])).toEqual([
          [404, { message: '404 Not Found' }],
          [404, { message: '404 Not Found' }],
        ]);
        expect([(await refused('main')).status, (await refused('none')).status]).toEqual([401, 401]);
      });

      it('of a source that is pushed to meanwhile is whole, and is forked on', async () => {
        const source = await addBranches();
        await copies.hold();
        const { body } = await call('POST', `/projects/${source.id}/fork`, grace, { branches: 'topic' });
        const later = await source.tree.commit('later.txt', 'later');
        await source.push();
        copies.goOn();
        const made = await finished(body.id, grace);
        await has(await storeOf(made.id), later);
        const next = await fork(made.id, hedy);
        expect(next.default_branch).toBe('topic');
        await (await clone(next, hedy)).git('fsck', '--strict');
      });

      it('fails where the branch is gone meanwhile, and says why', async () => {
        const source = await addBranches();
        await copies.hold();
        const { body } = await call('POST', `/projects/${source.id}/fork`, grace, { branches: 'topic' });
        expect((await call('DELETE', `/projects/${source.id}/repository/branches/topic`, ada)).status).toBe(200);
        copies.goOn();
        const failed = await finished(body.id, grace, 'failed');
        expect(failed.import_error).toBe('The branch that was to be copied is gone.');
      });
    });

    describe('visibility', () => {
      it('is at most that of the source, whatever is asked for', async () => {
        const source = await addCode('internal');
        expect((await fork(source.id, grace, { visibility: 'public' })).visibility).toBe('internal');
        const other = await fork(source.id, hedy, { visibility: 'private' });
        expect(other.visibility).toBe('private');
        expect(await call('PUT', `/projects/${other.id}`, hedy, { visibility: 'public' })).toMatchObject({
          status: 400,
          body: {
            message: { visibility: ['public is not allowed since the fork source project has lower visibility.'] },
          },
        });
        expect((await call('PUT', `/projects/${other.id}`, hedy, { visibility: 'internal' })).status).toBe(200);
      });

      it('of a source that is narrowed tells more visible forks apart from it', async () => {
        const source = await addCode('public');
        const made = await fork(source.id, grace);
        await call('PUT', `/projects/${source.id}`, ada, { visibility: 'private' });
        expect((await call('GET', `/projects/${made.id}`, grace)).body.forked_from_project).toBeUndefined();
        expect((await call('GET', `/projects/${source.id}`, ada)).body.forks_count).toBe(0);
      });

      it('of a source that the caller does not see hides the source', async () => {
        const source = await addCode('private');
        await call('POST', `/projects/${source.id}/members`, ada, { user_id: grace.id, access_level: 20 });
        const made = await fork(source.id, grace);
        expect(made.forked_from_project?.id).toBe(source.id);
        await call('DELETE', `/projects/${source.id}/members/${grace.id}`, ada);
        expect((await call('GET', `/projects/${made.id}`, grace)).body.forked_from_project).toBeUndefined();
      });
    });

    describe('the relation', () => {
      it('is listed with those that the caller sees, and counts no others', async () => {
        const source = await addCode();
        const open = await fork(source.id, grace);
        const hidden = await fork(source.id, hedy, { visibility: 'private' });
        const forks = async (who?: TestUser) =>
          (await call<readonly ProjectBody[]>('GET', `/projects/${source.id}/forks`, who)).body.map(({ id }) => id);
        expect(new Set(await forks(hedy))).toEqual(new Set([open.id, hidden.id]));
        for (const who of [undefined, grace]) expect(await forks(who)).toEqual([open.id]);
        const count = async (who?: TestUser) => (await call('GET', `/projects/${source.id}`, who)).body.forks_count;
        expect([await count(hedy), await count(grace), await count()]).toEqual([2, 1, 1]);
        const parent = (await call('GET', `/projects/${open.id}`, grace)).body.forked_from_project;
        expect(parent).toMatchObject({ id: source.id, forks_count: 1 });
        const listed = (await call<readonly ProjectBody[]>('GET', '/projects?per_page=100')).body;
        expect(listed.find(({ id }) => id === source.id)?.forks_count).toBe(1);
      });

      it('is taken away and given again by the owner', async () => {
        const [source, mine] = [await addCode(), await addProject()];
        expect((await call('DELETE', `/projects/${mine.id}/fork`, ada)).status).toBe(304);
        expect(await call('POST', `/projects/${mine.id}/fork/${source.id}`, ada)).toMatchObject({
          status: 201,
          body: { forked_from_project: { id: source.id } },
        });
        expect(await call('POST', `/projects/${mine.id}/fork/${source.id}`, ada)).toMatchObject({
          status: 409,
          body: { message: 'Project already forked' },
        });
        expect((await call('DELETE', `/projects/${mine.id}/fork`, grace)).status).toBe(403);
        expect((await call('DELETE', `/projects/${mine.id}/fork`, ada)).status).toBe(204);
        expect(await call('POST', `/projects/${source.id}/fork/${source.id}`, ada)).toMatchObject({
          status: 409,
          body: { message: 'Target project cannot be equal to source project' },
        });
      });

      it('ends with the source: the fork stays, whole', async () => {
        const source = await addCode();
        const made = await fork(source.id, grace);
        await remove(source.id, ada);
        const { body } = await call('GET', `/projects/${made.id}`, grace);
        expect(body).toMatchObject({ import_status: 'finished', empty_repo: false });
        expect(body.forked_from_project).toBeUndefined();
        await (await clone(made, grace)).git('fsck', '--strict');
        expect(await git(['--git-dir', await storeOf(made.id), 'fsck', '--strict', '--no-dangling'])).toBe('');
      });
    });

    describe('objects', () => {
      const poolOf = async (id: ProjectId) =>
        join(await storeOf(id), 'objects', readAlternates(await storeOf(id)).trim(), '..');

      it('are shared: a fork has no pack of its own, and its own commits stay out of the source', async () => {
        const source = await addCode();
        const made = await fork(source.id, grace);
        const store = await storeOf(made.id);
        expect(readdirSync(join(store, 'objects/pack')).filter((name) => name.endsWith('.pack'))).toEqual([]);
        const tree = await clone(made, grace);
        const commit = await tree.commit('secret.txt', 'of the fork alone');
        await tree.git('push', '--quiet', 'origin', 'main');
        await expect(git(['--git-dir', await storeOf(source.id), 'cat-file', '-e', commit])).rejects.toThrow();
        await expect(git(['--git-dir', await poolOf(made.id), 'cat-file', '-e', commit])).rejects.toThrow();
      });

      it('of a later fork and of a fork of a fork are those of the source then', async () => {
        const source = await addCode();
        const first = await fork(source.id, grace);
        await source.tree.commit('later.txt', 'later');
        await source.push();
        const second = await fork(source.id, hedy);
        const third = await fork(first.id, ada, { path: `third-${serial}`, name: `third-${serial}` });
        expect(await poolOf(second.id)).toBe(await poolOf(first.id));
        expect(await poolOf(third.id)).toBe(await poolOf(first.id));
        expect((await (await clone(second, hedy)).git('log', '--format=%s')).split('\n')).toContain('Change later.txt');
        for (const { id } of [first, second, third])
          expect(await git(['--git-dir', await storeOf(id), 'fsck', '--strict', '--no-dangling'])).toBe('');
      });

      it('outlive the source, and go with the last fork', async () => {
        const source = await addCode();
        const [one, other] = [await fork(source.id, grace), await fork(source.id, hedy)];
        const pool = await poolOf(one.id);
        await remove(source.id, ada);
        await remove(one.id, grace);
        expect(existsSync(pool)).toBe(true);
        await (await clone(other, hedy)).git('fsck', '--strict');
        await remove(other.id, hedy);
        expect(existsSync(pool)).toBe(false);
      });

      it('stay with the fork when the source lets go of its own packs', async () => {
        const source = await addCode();
        const made = await fork(source.id, grace);
        const store = await storeOf(source.id);
        await git(['--git-dir', store, 'repack', '-a', '-d', '--quiet']);
        await git(['--git-dir', store, 'prune', '--expire=now']);
        expect(await git(['--git-dir', await storeOf(made.id), 'fsck', '--strict', '--no-dangling'])).toBe('');
      });

      it('of a source that is pushed to meanwhile are there for every ref that the fork got', async () => {
        const source = await addCode();
        const busy = (async () => {
          for (let turn = 0; turn < 6; turn += 1) {
            await source.tree.commit('busy.txt', `${turn}`);
            await source.push();
          }
        })();
        const made = await Promise.all([grace, hedy].map((who) => fork(source.id, who)));
        await busy;
        for (const { id } of made)
          expect(await git(['--git-dir', await storeOf(id), 'fsck', '--strict', '--no-dangling'])).toBe('');
      });
    });

    describe('a copy that is killed', () => {
      /** The work of another node, which dies after a step. */
      const dyingAt = (step: 'makePool' | 'create' | 'share' | 'bring', half: boolean) => {
        const { container } = service.service;
        const stores = openGitStores({ directory, binary: 'git', pushLimit: 1_000_000 });
        const { keeper } = stores;
        const killed =
          (name: string) =>
          async (...given: never[]) => {
            if (name !== step || half)
              await (keeper[name as 'share'] as (...all: unknown[]) => Promise<void>).apply(keeper, given);
            if (name === step) throw new Error(`Killed at ${name}.`);
          };
        const dying: StoreKeeper = Object.create(keeper, {
          makePool: { value: killed('makePool') },
          create: { value: killed('create') },
          share: { value: killed('share') },
        }) as StoreKeeper;
        const { refReader: reader, projectRefs } = container.get(REPOSITORY_TOKENS.repositories);
        const copy = new CopyCode({
          unitOfWork: container.get(TOKENS.unitOfWork),
          reader,
          keeper: dying,
          projectRefs,
          bringCommits: {
            execute: async (...given) => {
              await new BringCommits({ ...stores, refs: reader }).execute(...given);
              throw new Error('Killed at bring.');
            },
          },
          mayStillFork: () => Promise.resolve(true),
          secrecy: container.get(TOKENS.secrecy),
          clock: service.clock,
          logger: service.logger,
        });
        return { copy, close: () => stores.close() };
      };

      it.each(
        (['makePool', 'create', 'share'] as const).flatMap((step) => [[step, false] as const, [step, true] as const]),
      )('at %s (after it: %s) is done by whoever comes next, with nothing lost', async (step, half) => {
        const source = await addCode();
        const { copy, close } = dyingAt(step, half);
        // Nobody else does it meanwhile.
        await copies.hold();
        const { body } = await call('POST', `/projects/${source.id}/fork`, grace);
        await copy.runDue();
        close();
        copies.goOn();
        expect((await call('GET', `/projects/${body.id}`, grace)).body).toMatchObject({
          import_status: 'scheduled',
          empty_repo: true,
        });
        const remote = remoteOf(service, body.path_with_namespace, 'grace', grace.token);
        const early = await source.tree.try('push', remote, 'main:early');
        expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('503')]);
        service.clock.advance(60_000);
        const made = await finished(body.id, grace);
        expect((await refsOf(service, made.id)).rows).toEqual((await refsOf(service, source.id)).rows);
        expect(await git(['--git-dir', await storeOf(made.id), 'fsck', '--strict', '--no-dangling'])).toBe('');
      });

      it('with the objects of one branch there is done by whoever comes next', async () => {
        const source = await addCode();
        const { copy, close } = dyingAt('bring', true);
        await copies.hold();
        const { body } = await call('POST', `/projects/${source.id}/fork`, grace, { branches: 'topic' });
        await copy.runDue();
        close();
        copies.goOn();
        service.clock.advance(60_000);
        const made = await finished(body.id, grace);
        expect((await refsOf(service, made.id)).rows).toHaveLength(1);
        expect(await git(['--git-dir', await storeOf(made.id), 'fsck', '--strict', '--no-dangling'])).toBe('');
      });

      it.each<[string, (source: ProjectId) => Promise<{ readonly status: number }>]>([
        ['was removed from the source', (id) => call('DELETE', `/projects/${id}/members/${grace.id}`, ada)],
        [
          'may not read its code any more',
          (id) => call('PUT', `/projects/${id}/members/${grace.id}`, ada, { access_level: 10 }),
        ],
        ['may not fork it any more', (id) => call('PUT', `/projects/${id}`, ada, { forking_access_level: 'disabled' })],
      ])('whose maker %s brings nothing of it, and says why', async (_, lose) => {
        const source = await addCode('private');
        await call('POST', `/projects/${source.id}/members`, ada, { user_id: grace.id, access_level: 20 });
        await copies.hold();
        const { body } = await call('POST', `/projects/${source.id}/fork`, grace);
        expect([200, 204]).toContain((await lose(source.id)).status);
        await source.tree.commit('secret.txt', 'for fewer people');
        await source.push();
        copies.goOn();
        const failed = await finished(body.id, grace, 'failed');
        expect(failed.import_error).toContain('Whoever made the fork may not fork the project any more');
        expect((await refsOf(service, body.id)).rows).toEqual([]);
      });

      it.each<[string, object]>([
        ['a source', { visibility: 'private' }],
        ['the code of a source', { repository_access_level: 'private' }],
      ])('that is more visible than %s which was narrowed meanwhile brings nothing of it', async (_, narrowed) => {
        const source = await addCode('public');
        await call('POST', `/projects/${source.id}/members`, ada, { user_id: grace.id, access_level: 20 });
        await copies.hold();
        const { body } = await call('POST', `/projects/${source.id}/fork`, grace);
        expect(body.visibility).toBe('public');
        expect((await call('PUT', `/projects/${source.id}`, ada, narrowed)).status).toBe(200);
        await source.tree.commit('secret.txt', 'for fewer people');
        await source.push();
        copies.goOn();
        await finished(body.id, grace, 'failed');
        expect((await refsOf(service, body.id)).rows).toEqual([]);
      });

      it('whose maker is blocked brings nothing of the source', async () => {
        const source = await addCode('private');
        const root = await service.addUser('root', { admin: true });
        const ivy = await service.addUser('ivy');
        await call('POST', `/projects/${source.id}/members`, ada, { user_id: ivy.id, access_level: 20 });
        await copies.hold();
        const { body } = await call('POST', `/projects/${source.id}/fork`, ivy);
        expect((await call('POST', `/users/${ivy.id}/block`, root)).status).toBe(201);
        copies.goOn();
        await finished(body.id, root, 'failed');
        expect((await refsOf(service, body.id)).rows).toEqual([]);
      });

      it('whose source is gone meanwhile fails, and says why', async () => {
        const source = await addCode();
        await copies.hold();
        const { body } = await call('POST', `/projects/${source.id}/fork`, grace);
        await remove(source.id, ada);
        copies.goOn();
        const failed = await finished(body.id, grace, 'failed');
        expect(failed.import_error).toBe('The project that was forked is gone.');
      });
    });
  });
});

const readAlternates = (store: string): string => readFileSync(join(store, 'objects/info/alternates'), 'utf8');
