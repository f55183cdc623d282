import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Forbidden } from '../../src/domain/shared/domain-error.js';
import type { ProjectId } from '../../src/domain/shared/identifiers.js';
import { REPOSITORY_TOKENS } from '../../src/infrastructure/composition/repositories.tokens.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { WORKSPACE_TOKENS } from '../../src/infrastructure/composition/workspace.tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { git, temporaryFolder, tryGit, withGit } from '../support/git.js';
import { storeOf } from '../support/git-service.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { WrittenProject, type ShownCommit } from '../support/written-project.js';

interface ComparisonBody {
  readonly message?: string;
  readonly commits: readonly { readonly id: string }[];
  readonly diffs: readonly { readonly new_path: string; readonly deleted_file: boolean }[];
  readonly compare_same_ref: boolean;
}

type CommitAnswer = ShownCommit & { readonly message: string };

withGit('code of one project in another', () => {
  describeEachDatabase('code of one project in another', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;
    let grace: TestUser;
    let hedy: TestUser;
    let serial = 0;

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      [ada, grace, hedy] = [
        await service.addUser('ada'),
        await service.addUser('grace'),
        await service.addUser('hedy'),
      ];
    });

    afterAll(() => service.close());

    const call = <Body = unknown>(who: TestUser | undefined, method: string, path: string, json?: object) =>
      service.call<Body>(method, path, {
        ...(who === undefined ? {} : { token: who.token }),
        ...(json === undefined ? {} : { json }),
      });

    const addProject = async (visibility = 'public', who = ada) => {
      const project = await WrittenProject.make(service, who, { name: `loom-${(serial += 1)}`, visibility });
      await project.write('main', { 'README.md': '# Loom\n' });
      return project;
    };

    const fork = async (of: ProjectId, who: TestUser, json: object = {}): Promise<ProjectId> => {
      const { status, body } = await call<{ id: ProjectId }>(who, 'POST', `/projects/${of}/fork`, json);
      expect(status).toBe(201);
      await until(
        async () =>
          (await call<{ import_status: string }>(who, 'GET', `/projects/${body.id}`)).body.import_status === 'finished',
      );
      return body.id;
    };

    const write = (who: TestUser, id: ProjectId, branch: string, file: string, more: object = {}) =>
      call<CommitAnswer>(who, 'POST', `/projects/${id}/repository/commits`, {
        branch,
        commit_message: `Write ${file}`,
        actions: [{ action: 'create', file_path: file, content: `${file}\n` }],
        ...more,
      });

    const written = async (...args: Parameters<typeof write>): Promise<ShownCommit> => {
      const { status, body } = await write(...args);
      expect([status, body]).toEqual([201, expect.objectContaining({ id: expect.any(String) })]);
      return body;
    };

    const compare = async (
      who: TestUser | undefined,
      id: ProjectId,
      query: Readonly<Record<string, string | number>>,
    ) => {
      const text = new URLSearchParams(
        Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
      );
      const { status, body } = await call<ComparisonBody>(
        who,
        'GET',
        `/projects/${id}/repository/compare?${text.toString()}`,
      );
      return { status, ...body };
    };

    const filesOf = async (who: TestUser, id: ProjectId, branch: string) => {
      const { body } = await call<{ name: string }[]>(who, 'GET', `/projects/${id}/repository/tree?ref=${branch}`);
      return body.map(({ name }) => name).sort();
    };

    const outside = async (who: TestUser, id: ProjectId) => {
      const { body } = await call<{ path_with_namespace: string }>(who, 'GET', `/projects/${id}`);
      const message = `403 Forbidden - Project is not included in the fork network for ${body.path_with_namespace}`;
      return [403, { message }];
    };

    const soundness = async (id: ProjectId) => {
      const { container } = service.service;
      const { refReader } = container.get(REPOSITORY_TOKENS.repositories);
      const repository = await refReader.findRepository(id);
      return container.get(REPOSITORY_TOKENS.gitStores).keeper.check(repository!.store);
    };

    const has = async (id: ProjectId, object: string) =>
      (await tryGit(['--git-dir', await storeOf(service, id), 'cat-file', '-e', object])).code === 0;

    const removed = async (who: TestUser, id: ProjectId) => {
      const store = await storeOf(service, id);
      expect((await call(who, 'DELETE', `/projects/${id}`)).status).toBe(202);
      await until(async () => {
        await service.service.container.get(TOKENS.jobRunner).runDue();
        await service.service.container.get(REPOSITORY_TOKENS.repositories).keepStores.execute();
        return !existsSync(store);
      });
    };

    describe('a commit', () => {
      it('begins where a branch or a commit of the source, of a fork, or of another fork is', async () => {
        const loom = await addProject();
        const copy = await fork(loom.id, grace);
        const twin = await fork(loom.id, hedy);
        const ahead = await loom.write('main', { later: 'later' });
        const { path_with_namespace: path } = (
          await call<{ path_with_namespace: string }>(ada, 'GET', `/projects/${loom.id}`)
        ).body;
        for (const [branch, start_project] of [
          ['by-id', loom.id],
          ['by-path', path],
        ] as const) {
          const made = await written(grace, copy, branch, 'new', { start_branch: 'main', start_project });
          expect(made).toMatchObject({ parent_ids: [ahead.id], stats: { additions: 1, deletions: 0 } });
          expect(await filesOf(grace, copy, branch)).toEqual(['README.md', 'later', 'new']);
        }
        const ours = await written(grace, copy, 'topic', 'ours', { start_branch: 'main' });
        const upstream = await written(ada, loom.id, 'taken', 'theirs', { start_sha: ours.id, start_project: copy });
        expect(upstream.parent_ids).toEqual([ours.id]);
        // The branch that isn't told is called as the one to come.
        expect((await written(hedy, twin, 'topic', 'more', { start_project: copy })).parent_ids).toEqual([ours.id]);
        for (const id of [loom.id, copy, twin]) expect(await soundness(id)).toEqual([]);
        const folder = join(temporaryFolder(), 'clone');
        await git(['clone', '--quiet', '--branch=taken', loom.remote(), folder]);
        expect((await git(['log', '--format=%s'], { cwd: folder })).split('\n').slice(0, 3)).toEqual([
          'Write theirs',
          'Write ours',
          'Write README.md',
        ]);
      });

      it('takes the place of a branch by force alone, and knows what its files were', async () => {
        const loom = await addProject();
        const copy = await fork(loom.id, grace);
        const before = await loom.write('main', { later: 'later' });
        const from = { start_branch: 'main', start_project: loom.id };
        await written(grace, copy, 'topic', 'a', { start_branch: 'main' });
        const { status, body } = await write(grace, copy, 'topic', 'b', from);
        expect([status, body.message]).toEqual([
          400,
          "A branch called 'topic' already exists. Switch to that branch in order to make changes",
        ]);
        expect((await written(grace, copy, 'topic', 'b', { ...from, force: true })).parent_ids).toEqual([before.id]);
        expect(await filesOf(grace, copy, 'topic')).toEqual(['README.md', 'b', 'later']);
        await loom.commit('main', 'Change it', [{ action: 'update', file_path: 'later', content: 'still later' }]);
        const actions = [{ action: 'delete', file_path: 'later', last_commit_id: before.id }];
        const stale = await write(grace, copy, 'stale', '', { ...from, actions });
        expect([stale.status, stale.body.message]).toEqual([
          400,
          'The file has changed since you started editing it: later',
        ]);
      });

      it('of an empty project begins it with the code of another', async () => {
        const loom = await addProject();
        const empty = await WrittenProject.make(service, grace, {
          name: `loom-${(serial += 1)}`,
          visibility: 'public',
        });
        expect((await call(grace, 'POST', `/projects/${empty.id}/fork/${loom.id}`)).status).toBe(201);
        const made = await written(grace, empty.id, 'main', 'a', { start_branch: 'main', start_project: loom.id });
        expect(made.parent_ids).toEqual([await loom.head('main')]);
        await empty.expectSound();
      });

      it('stays whole when the project that it began in is gone', async () => {
        const loom = await addProject();
        const copy = await fork(loom.id, grace);
        const twin = await fork(loom.id, hedy);
        // What both had at the fork is shared; this came later.
        await loom.write('main', { later: 'later' });
        const made = await written(grace, copy, 'topic', 'a', { start_branch: 'main', start_project: loom.id });
        const again = await written(hedy, twin, 'again', 'b', { start_sha: made.id, start_project: copy });
        await removed(ada, loom.id);
        await removed(grace, copy);
        expect(again.parent_ids).toEqual([made.id]);
        expect(await filesOf(hedy, twin, 'again')).toEqual(['README.md', 'a', 'b', 'later']);
        expect(await soundness(twin)).toEqual([]);
      });

      it('says what it cannot find there', async () => {
        const loom = await addProject();
        const copy = await fork(loom.id, grace);
        const refused = async (more: object) => {
          const { status, body } = await write(grace, copy, 'topic', 'a', { start_project: loom.id, ...more });
          return [status, body.message];
        };
        const own = await written(grace, copy, 'own', 'a', { start_branch: 'main' });
        expect(await refused({})).toEqual([400, "Cannot find start_branch 'topic'"]);
        expect(await refused({ start_branch: 'own' })).toEqual([400, "Cannot find start_branch 'own'"]);
        expect(await refused({ start_sha: own.id })).toEqual([400, `Cannot find start_sha '${own.id}'`]);
        expect(await refused({ start_sha: 'main' })).toEqual([400, "Invalid start_sha 'main'"]);
      });

      it('begins in no project that is not of one network, whether it is there or not', async () => {
        const loom = await addProject();
        const copy = await fork(loom.id, grace);
        const [open, secret] = [await addProject('public'), await addProject('private')];
        const from = (start_project: unknown) =>
          write(grace, copy, 'topic', 'a', { start_branch: 'main', start_project });
        for (const other of [open.id, secret.id, secret.project.path, 999_999, 'nobody/nothing']) {
          const { status, body } = await from(other);
          expect([status, body]).toEqual(await outside(grace, copy));
        }
        expect((await write(grace, copy, 'own', 'a', { start_branch: 'main', start_project: copy })).status).toBe(201);
        // What was one is none any more.
        await call(grace, 'DELETE', `/projects/${copy}/fork`);
        const { status, body } = await from(loom.id);
        expect([status, body]).toEqual(await outside(grace, copy));
      });

      it('begins in no private fork for who may not read its code', async () => {
        const loom = await addProject();
        const secret = await fork(loom.id, grace, { visibility: 'private' });
        const hidden = await written(grace, secret, 'hidden', 'hidden', { start_branch: 'main' });
        const from = (more: object) =>
          write(ada, loom.id, 'topic', 'a', { start_branch: 'hidden', start_project: secret, ...more });
        const unseen = await from({});
        expect([unseen.status, unseen.body]).toEqual(await outside(ada, loom.id));
        await call(grace, 'POST', `/projects/${secret}/members`, { user_id: ada.id, access_level: 10 });
        for (const more of [{}, { start_branch: undefined, start_sha: hidden.id }]) {
          const { status, body } = await from(more);
          expect([status, body]).toEqual([403, { message: '403 Forbidden' }]);
        }
        expect(await has(loom.id, hidden.id)).toBe(false);
        await call(grace, 'PUT', `/projects/${secret}/members/${ada.id}`, { access_level: 20 });
        expect((await from({})).status).toBe(201);
      });

      it('tells no two forks of a project that the caller does not see that they are of one network', async () => {
        const loom = await addProject('private');
        for (const user of [grace, hedy]) await loom.addMember(user, 30);
        const [copy, twin] = [await fork(loom.id, grace), await fork(loom.id, hedy)];
        await call(grace, 'POST', `/projects/${copy}/members`, { user_id: hedy.id, access_level: 30 });
        const from = () =>
          write(hedy, twin, `topic-${(serial += 1)}`, 'a', { start_branch: 'main', start_project: copy });
        expect((await from()).status).toBe(201);
        await loom.call('DELETE', `/members/${hedy.id}`);
        const { status, body } = await from();
        expect([status, body]).toEqual(await outside(hedy, twin));
      });

      it('that is refused leaves nothing of the other project', async () => {
        const loom = await addProject();
        await loom.addMember(grace, 30);
        const secret = await fork(loom.id, grace, { visibility: 'private' });
        const hidden = await written(grace, secret, 'hidden', 'hidden', { start_branch: 'main' });
        const { status, body } = await write(grace, loom.id, 'main', 'a', {
          ...{ start_branch: 'hidden', start_project: secret },
          force: true,
        });
        expect([status, body.message]).toEqual([403, '403 Forbidden - You are not allowed to push into this branch']);
        expect(await has(loom.id, hidden.id)).toBe(false);
      });

      it('is refused to who has lost the right to read the other project meanwhile, and leaves nothing', async () => {
        const loom = await addProject();
        const secret = await fork(loom.id, grace, { visibility: 'private' });
        const hidden = await written(grace, secret, 'hidden', 'hidden', { start_branch: 'main' });
        await call(grace, 'POST', `/projects/${secret}/members`, { user_id: ada.id, access_level: 20 });
        const { container } = service.service;
        const { access, forkNetwork } = container.get(WORKSPACE_TOKENS.workspace);
        const { id, username } = ada;
        const actor = { kind: 'user', id, username, admin: false, credential: { kind: 'session' } } as const;
        const place = await access.project(actor, String(loom.id), 'push_code');
        const find = async () => {
          const code = await forkNetwork.codeOf(actor, place.project, String(secret));
          if (code === undefined) throw new Forbidden();
          return code;
        };
        const startProject = { code: await find(), requireStill: find };
        await call(grace, 'DELETE', `/projects/${secret}/members/${ada.id}`);
        const writer = { id, admin: false, name: username, email: 'ada@example.com' };
        const { commitActions } = container.get(REPOSITORY_TOKENS.repositories);
        await expect(
          commitActions.execute(place, writer, {
            ...{ branch: 'topic', startBranch: 'hidden', startProject },
            ...{ message: 'Take it', actions: [] },
          }),
        ).rejects.toBeInstanceOf(Forbidden);
        expect(await has(loom.id, hidden.id)).toBe(false);
        expect(await loom.head('topic')).toBeUndefined();
      });
    });

    describe('a comparison', () => {
      it('begins in the source, in a fork, or in another fork, and writes nothing', async () => {
        const loom = await addProject();
        const copy = await fork(loom.id, grace);
        const twin = await fork(loom.id, hedy);
        const theirs = await loom.write('main', { theirs: 'theirs' });
        const ours = await written(grace, copy, 'topic', 'ours', { start_branch: 'main' });
        for (const [who, id] of [
          [grace, loom.id],
          [undefined, twin],
        ] as const) {
          const found = await compare(who, copy, { from: 'main', to: 'topic', from_project_id: id });
          expect(found).toMatchObject({ status: 200, commits: [{ id: ours.id }], compare_same_ref: false });
          expect(found.diffs.map(({ new_path }) => new_path)).toEqual(['ours']);
        }
        const straight = await compare(grace, copy, {
          ...{ from: 'main', to: 'topic', straight: 'true' },
          from_project_id: loom.id,
        });
        expect(straight.diffs).toMatchObject([{ new_path: 'ours' }, { new_path: 'theirs', deleted_file: true }]);
        const back = await compare(ada, loom.id, { from: 'topic', to: 'main', from_project_id: copy });
        expect(back).toMatchObject({ status: 200, commits: [{ id: theirs.id }], diffs: [{ new_path: 'theirs' }] });
        const same = await compare(ada, copy, { from: theirs.id, to: 'main', from_project_id: loom.id });
        expect(same).toMatchObject({ status: 200, commits: [], diffs: [] });
        expect(await has(loom.id, ours.id)).toBe(false);
        expect(await has(copy, theirs.id)).toBe(false);
      });

      it('looks for each side in its own project', async () => {
        const loom = await addProject();
        const copy = await fork(loom.id, grace);
        await loom.write('theirs', { a: 'a' }, { start_branch: 'main' });
        await written(grace, copy, 'ours', 'b', { start_branch: 'main' });
        const from_project_id = loom.id;
        expect(await compare(grace, copy, { from: 'theirs', to: 'ours', from_project_id })).toMatchObject({
          status: 200,
        });
        for (const sides of [
          { from: 'ours', to: 'ours' },
          { from: 'theirs', to: 'theirs' },
        ])
          expect(await compare(grace, copy, { ...sides, from_project_id })).toEqual({
            status: 404,
            message: '404 Ref Not Found',
          });
      });

      it('begins in no project that is not of one network, whether it is there or not', async () => {
        const loom = await addProject();
        const copy = await fork(loom.id, grace);
        const secret = await fork(copy, grace, {
          visibility: 'private',
          path: `secret-${(serial += 1)}`,
          name: 'Secret',
        });
        const [open, hidden] = [await addProject('public'), await addProject('private')];
        for (const [who, id, other] of [
          [grace, copy, open.id],
          [grace, copy, hidden.id],
          [grace, copy, 999_999],
          [ada, copy, secret],
        ] as const)
          expect(await compare(who, id, { from: 'main', to: 'main', from_project_id: other })).toEqual({
            status: 400,
            message: `Target project id:${other} is not a fork of project id:${id}`,
          });
      });

      it('begins in no code that the caller may not read', async () => {
        const loom = await addProject('private');
        await loom.addMember(grace, 30);
        const copy = await fork(loom.id, grace);
        await loom.call('PUT', `/members/${grace.id}`, { access_level: 10 });
        expect(await compare(grace, copy, { from: 'main', to: 'main', from_project_id: loom.id })).toEqual({
          status: 403,
          message: "403 Forbidden - You don't have access to this fork's parent project",
        });
        await loom.call('DELETE', `/members/${grace.id}`);
        expect(await compare(grace, copy, { from: 'main', to: 'main', from_project_id: loom.id })).toEqual({
          status: 400,
          message: `Target project id:${loom.id} is not a fork of project id:${copy}`,
        });
      });
    });
  });
});
