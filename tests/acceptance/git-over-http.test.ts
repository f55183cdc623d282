import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { addProject, refsOf, remoteOf, WorkTree, type TestProject } from '../support/git-service.js';
import { git, removeFolder, temporaryFolder, tryGit, withGit } from '../support/git.js';
import { TestService, type TestUser } from '../support/test-service.js';

const PASSWORD = 'correct horse battery';
const NOT_FOUND = "The project you were looking for could not be found or you don't have permission to view it.";

withGit('git over HTTP', () => {
  describeEachDatabase('git over HTTP', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;
    let eve: TestUser;
    const projects: TestProject[] = [];
    let serial = 0;

    let written: Promise<WorkTree>;
    const write = async (): Promise<WorkTree> => {
      const tree = await WorkTree.init();
      await tree.commit('README.md', '# Mill\n', 'First');
      await tree.commit('a.txt', 'a\n', 'Second\n\nwith a body');
      return tree;
    };

    beforeAll(async () => {
      written = write();
      service = await TestService.start(await openTestDatabase());
      ada = await service.addUser('ada', { password: PASSWORD });
      eve = await service.addUser('eve');
    });

    // After every test, whatever it did: the store is sound, and files say what rows say.
    afterEach(async () => {
      for (const { id } of projects.splice(0)) {
        const { rows, files, problems } = await refsOf(service, id);
        expect(problems).toEqual([]);
        expect(files).toEqual(rows);
      }
    });

    afterAll(() => service.close());

    const newProject = async (fields: object = {}): Promise<TestProject> => {
      const project = await addProject(service, ada, { name: `mill-${(serial += 1)}`, ...fields });
      projects.push(project);
      return project;
    };
    const adasRemote = (path: string): string => remoteOf(service, path, 'oauth2', ada.token);

    /** A project whose default branch has two commits, and the work tree that they come from. */
    const pushed = async (fields: object = {}) => {
      const project = await newProject(fields);
      const tree = (await written).copy();
      await tree.git('remote', 'add', 'origin', adasRemote(project.path));
      await tree.git('push', '--quiet', 'origin', 'main');
      return { project, tree };
    };
    const clone = async (url: string, ...options: string[]): Promise<WorkTree> => {
      const folder = join(temporaryFolder(), 'clone');
      await git(['clone', '--quiet', ...options, url, folder]);
      return new WorkTree(folder);
    };
    const addMember = (project: TestProject, user: TestUser, level: number) =>
      service.call('POST', `/projects/${project.id}/members`, {
        token: ada.token,
        json: { user_id: user.id, access_level: level },
      });
    const eventsOf = async (project: TestProject) => {
      const { body } = await service.call<{ action_name: string; push_data?: Record<string, unknown> }[]>(
        'GET',
        `/projects/${project.id}/events?action=pushed`,
        { token: ada.token },
      );
      return body.map(({ action_name, push_data }) => ({ action_name, ...push_data }));
    };

    describe('a first push', () => {
      it('gives a project its default branch, protects it, and is in the feed', async () => {
        const project = await newProject();
        const empty = await service.call<object>('GET', `/projects/${project.id}`, { token: ada.token });
        expect(empty.body).toMatchObject({ empty_repo: true, default_branch: null });
        const tree = await WorkTree.init();
        await tree.commit('README.md', '# Mill\n', 'First');
        const head = await tree.commit('a.txt', 'a\n', 'Second');
        await tree.git('push', '--quiet', adasRemote(project.path), 'main', 'main:topic');
        const { body } = await service.call<object>('GET', `/projects/${project.id}`, { token: ada.token });
        expect(body).toMatchObject({
          empty_repo: false,
          default_branch: 'main',
          http_url_to_repo: `${service.url}/${project.path}.git`,
        });
        expect(await eventsOf(project)).toEqual(
          expect.arrayContaining([
            {
              action_name: 'pushed new',
              action: 'created',
              commit_count: 2,
              ref_type: 'branch',
              ref: 'main',
              commit_from: '0'.repeat(40),
              commit_to: head,
              commit_title: 'Second',
            },
          ]),
        );
        const { files } = await refsOf(service, project.id);
        expect(files).toEqual([`${head} refs/heads/main`, `${head} refs/heads/topic`]);
      });

      it('is cloned by every version of the protocol, byte for byte', async () => {
        const { project, tree } = await pushed();
        for (const version of ['0', '1', '2']) {
          const cloned = await clone(adasRemote(project.path), '-c', `protocol.version=${version}`);
          expect(await cloned.head()).toBe(await tree.head());
          expect(readFileSync(join(cloned.folder, 'a.txt'), 'utf8')).toBe('a\n');
        }
      });

      it('makes a private project where there is none yet', async () => {
        const tree = await WorkTree.init();
        await tree.commit('README.md', 'x\n');
        const { stderr, code } = await tree.try('push', adasRemote('ada/brand-new'), 'main');
        expect([code, stderr]).toEqual([
          0,
          expect.stringContaining('The private project ada/brand-new was successfully created.'),
        ]);
        const { body } = await service.call<{ id: TestProject['id']; visibility: string }>(
          'GET',
          '/projects/ada%2Fbrand-new',
          {
            token: ada.token,
          },
        );
        expect(body.visibility).toBe('private');
        projects.push({ id: body.id, path: 'ada/brand-new' });
        const taken = await tree.try('push', adasRemote('eve/brand-new'), 'main');
        expect(taken.stderr).toContain(NOT_FOUND);
        const reserved = await tree.try('push', adasRemote('ada/blob'), 'main');
        expect(reserved.stderr).toContain('Could not create project: path is a reserved name');
      });
    });

    describe('cloning', () => {
      it('of an empty project gives an empty work tree', async () => {
        const project = await newProject();
        for (const version of ['0', '2']) {
          const cloned = await clone(adasRemote(project.path), '-c', `protocol.version=${version}`);
          expect(await cloned.git('branch', '--show-current')).toBe('main\n');
        }
      });

      it('may be shallow, and deepen later', async () => {
        const { project } = await pushed();
        const cloned = await clone(adasRemote(project.path), '--depth=1');
        expect(await cloned.git('rev-list', '--count', 'HEAD')).toBe('1\n');
        await cloned.git('fetch', '--quiet', '--unshallow');
        expect(await cloned.git('rev-list', '--count', 'HEAD')).toBe('2\n');
      });

      it('may leave blobs out, and get them when they are needed', async () => {
        const { project } = await pushed();
        const cloned = await clone(adasRemote(project.path), '--filter=blob:none', '--no-checkout');
        await cloned.git('checkout', '--quiet', 'main');
        expect(existsSync(join(cloned.folder, 'a.txt'))).toBe(true);
      });

      it('follows what is pushed later, and what is removed', async () => {
        const { project, tree } = await pushed();
        const cloned = await clone(adasRemote(project.path));
        const head = await tree.commit('b.txt', 'b\n');
        await tree.git('push', '--quiet', 'origin', 'main', 'main:short-lived');
        await cloned.git('fetch', '--quiet');
        expect((await cloned.git('rev-parse', 'origin/main')).trim()).toBe(head);
        await tree.git('push', '--quiet', 'origin', ':short-lived');
        await cloned.git('fetch', '--quiet', '--prune');
        expect(await cloned.git('branch', '-r')).not.toContain('short-lived');
      });

      it('finds its way without .git in the address', async () => {
        const { project } = await pushed();
        const cloned = await clone(adasRemote(project.path).replace(/\.git$/, ''));
        expect(existsSync(join(cloned.folder, 'README.md'))).toBe(true);
      });

      it('works in projects however deep, for who may see them', async () => {
        const group = await service.call<{ id: number }>('POST', '/groups', {
          token: ada.token,
          json: { name: 'top', path: 'top' },
        });
        const inner = await service.call<{ id: number }>('POST', '/groups', {
          token: ada.token,
          json: { name: 'in', path: 'in', parent_id: group.body.id },
        });
        const { project } = await pushed({ namespace_id: inner.body.id });
        expect(project.path).toMatch(/^top\/in\//);
        await clone(adasRemote(project.path));
      });
    });

    describe('pushing', () => {
      it('counts the commits that a branch got, and tells the newest', async () => {
        const { project, tree } = await pushed();
        const before = await tree.head();
        await tree.commit('b.txt', 'b\n', 'Third');
        const after = await tree.commit('c.txt', 'c\n', 'x'.repeat(80));
        await tree.git('push', '--quiet', 'origin', 'main');
        await tree.git('push', '--quiet', 'origin', 'main:same');
        await tree.git('push', '--quiet', 'origin', ':same');
        const [removed, created, moved] = await eventsOf(project);
        expect(moved).toMatchObject({
          action_name: 'pushed',
          commit_count: 2,
          commit_from: before,
          commit_to: after,
          commit_title: `${'x'.repeat(67)}...`,
        });
        expect(created).toMatchObject({ action_name: 'pushed new', commit_count: 0, ref: 'same' });
        expect(removed).toMatchObject({
          action_name: 'deleted',
          commit_count: 0,
          ref: 'same',
          commit_to: '0'.repeat(40),
          commit_title: '',
        });
      });

      it('takes tags, plain and annotated, and shows what an annotated one leads to', async () => {
        const { project, tree } = await pushed();
        await tree.git('tag', 'light');
        await tree.git('tag', '-a', 'v1', '-m', 'One');
        await tree.git('push', '--quiet', 'origin', '--tags');
        const listed = await tree.git('ls-remote', 'origin');
        const head = await tree.head();
        expect(listed).toContain(`${head}\trefs/tags/light\n`);
        expect(listed).toContain(`${head}\trefs/tags/v1^{}\n`);
        expect(
          (await eventsOf(project)).filter(({ ref_type }: Record<string, unknown>) => ref_type === 'tag'),
        ).toHaveLength(2);
        await tree.git('push', '--quiet', 'origin', ':light');
      });

      it('of many refs is one entry of the feed', async () => {
        const { project, tree } = await pushed();
        await tree.git('push', '--quiet', 'origin', ...[1, 2, 3, 4, 5].map((number) => `main:many/${number}`));
        const [bulk] = await eventsOf(project);
        expect(bulk).toMatchObject({ action_name: 'pushed new', ref: '', ref_count: 5, commit_count: 0 });
      });

      it('forces a branch that is not protected, and keeps what it lost', async () => {
        const { project, tree } = await pushed();
        const lost = await tree.head();
        await tree.git('push', '--quiet', 'origin', 'main:topic');
        await tree.git('commit', '--quiet', '--amend', '-m', 'Other');
        const plain = await tree.try('push', 'origin', 'main:topic');
        expect(plain.stderr).toContain('non-fast-forward');
        await tree.git('push', '--quiet', '--force', 'origin', 'main:topic');
        expect((await refsOf(service, project.id)).kept).toEqual([lost]);
        const forced = await tree.try('push', '--force', 'origin', 'main');
        expect(forced.code).toBe(1);
        expect(forced.stderr).toContain(
          'remote: You are not allowed to force push code to a protected branch on this project.',
        );
        expect(forced.stderr).toContain('! [remote rejected] main -> main (pre-receive hook declined)');
      });

      it('is refused whole when a rule refuses one ref', async () => {
        const { project, tree } = await pushed();
        const { stderr } = await tree.try('push', 'origin', 'main:new-one', ':main');
        expect(stderr).toContain('remote: The default branch of a project cannot be deleted.');
        expect(stderr.match(/pre-receive hook declined/g)).toHaveLength(2);
        expect((await refsOf(service, project.id)).rows).toHaveLength(1);
      });

      it('moves all refs or none when it is atomic', async () => {
        const { project, tree } = await pushed();
        await tree.git('push', '--quiet', 'origin', 'main:a');
        const { code } = await tree.try('push', '--atomic', 'origin', 'main:b', 'main:a/c');
        expect(code).toBe(1);
        const names = async () => (await refsOf(service, project.id)).rows.map((row) => row.slice(41));
        expect(await names()).toEqual(['refs/heads/a', 'refs/heads/main']);
        await tree.try('push', 'origin', 'main:b', 'main:a/c');
        expect(await names()).toEqual(['refs/heads/a', 'refs/heads/b', 'refs/heads/main']);
      });

      it('takes push options', async () => {
        const { tree } = await pushed();
        await tree.commit('b.txt', 'b\n');
        await tree.git('push', '--quiet', '-o', 'ci.skip', '-o', 'ci.variable=A=B', 'origin', 'main');
      });

      it('takes what is large, in pieces and compressed', async () => {
        const { project, tree } = await pushed();
        const bytes = Buffer.alloc(6_000_000);
        for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32LE(Math.imul(at, 2_654_435_761) >>> 0, at);
        await tree.commit('large', bytes);
        await tree.git('-c', 'http.postBuffer=100000', 'push', '--quiet', 'origin', 'main');
        const cloned = await clone(adasRemote(project.path));
        expect(readFileSync(join(cloned.folder, 'large')).equals(bytes)).toBe(true);
      });

      it.each(['refs/keep/1', 'refs/merge-requests/1/head', 'refs/heads/-x'])('refuses %s', async (ref) => {
        const { tree } = await pushed();
        expect((await tree.try('push', 'origin', `main:${ref}`)).code).toBe(1);
      });

      it('takes notes as they are, and tells nobody of them', async () => {
        const { project, tree } = await pushed();
        const before = await eventsOf(project);
        await tree.git('notes', 'add', '-m', 'Released', 'main');
        await tree.git('push', '--quiet', 'origin', 'refs/notes/*');
        const other = await clone(adasRemote(project.path));
        await other.git('fetch', '--quiet', 'origin', 'refs/notes/*:refs/notes/*');
        expect(await other.git('notes', 'show', 'main')).toBe('Released\n');
        expect(await eventsOf(project)).toEqual(before);
        await addMember(project, eve, 20);
        const eves = await clone(remoteOf(service, project.path, 'eve', eve.token));
        await eves.git('notes', 'add', '-m', 'No', 'main');
        const { stderr } = await eves.try('push', 'origin', 'refs/notes/commits');
        expect(stderr).toContain('remote: You are not allowed to push code to this project.');
        await tree.git('push', '--quiet', 'origin', ':refs/notes/commits');
        expect(await tree.git('ls-remote', 'origin', 'refs/notes/*')).toBe('');
      });

      it('refuses a branch that looks like a commit', async () => {
        const { tree } = await pushed();
        const { stderr } = await tree.try('push', 'origin', `main:refs/heads/${'a'.repeat(40)}`);
        expect(stderr).toContain('remote: You cannot create a branch with a SHA-1 or SHA-256 branch name.');
      });

      it('lets developers push to branches that are not protected alone', async () => {
        const { project } = await pushed();
        await addMember(project, eve, 30);
        const tree = await clone(remoteOf(service, project.path, 'eve', eve.token));
        await tree.commit('b.txt', 'b\n');
        const { stderr } = await tree.try('push', 'origin', 'main');
        expect(stderr).toContain('remote: You are not allowed to push code to protected branches on this project.');
        await tree.git('push', '--quiet', 'origin', 'main:eves');
      });
    });

    describe('a push beyond the limit', () => {
      it('is refused in words, and leaves nothing', async () => {
        const small = await TestService.start(await openTestDatabase(), { gitPushLimitBytes: 1_000_000 });
        try {
          const bob = await small.addUser('bob');
          const project = await addProject(small, bob, { name: 'small' });
          const tree = await WorkTree.init();
          const bytes = Buffer.alloc(3_000_000);
          for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32LE(Math.imul(at, 2_654_435_761) >>> 0, at);
          await tree.commit('large', bytes);
          const { code, stderr } = await tree.try('push', remoteOf(small, project.path, 'x', bob.token), 'main');
          expect(code).not.toBe(0);
          expect(stderr).toContain('The push is larger than 1000000 bytes, which is the limit here.');
          expect((await refsOf(small, project.id)).rows).toEqual([]);
        } finally {
          await small.close();
        }
      });
    });

    describe('who may', () => {
      it.each([
        [
          'a guest',
          10,
          'You are not allowed to download code from this project.',
          'You are not allowed to push code to this project.',
        ],
        ['a reporter', 20, undefined, 'You are not allowed to push code to this project.'],
        ['a stranger', 0, NOT_FOUND, NOT_FOUND],
      ])('tells %s of a private project what they may', async (_, level, onFetch, onPush) => {
        const { project, tree } = await pushed();
        if (level > 0) await addMember(project, eve, level);
        const remote = remoteOf(service, project.path, 'eve', eve.token);
        const fetched = await tree.try('ls-remote', remote);
        if (onFetch === undefined) expect(fetched.code).toBe(0);
        else expect(fetched.stderr).toContain(`remote: ${onFetch}`);
        expect((await tree.try('push', remote, 'main:eves')).stderr).toContain(`remote: ${onPush}`);
      });

      it('lets anybody clone a public project, and nobody unknown push to it', async () => {
        const { project, tree } = await pushed({ visibility: 'public' });
        const cloned = await clone(remoteOf(service, project.path));
        expect(await cloned.head()).toBe(await tree.head());
        const { stderr } = await cloned.try('push', 'origin', 'main:x');
        expect(stderr).toContain('could not read Username');
        await clone(remoteOf(service, project.path, 'eve', eve.token));
      });

      it('tells somebody unknown nothing of what is there', async () => {
        const { project } = await pushed();
        const answers = await Promise.all(
          [project.path, 'ada/missing', 'nobody/missing'].map(async (path) => {
            const response = await fetch(`${service.nodeUrl}/${path}.git/info/refs?service=git-upload-pack`);
            return [response.status, response.headers.get('www-authenticate'), await response.text()];
          }),
        );
        expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
          new Set([JSON.stringify([401, 'Basic realm="Gatehouse"', 'HTTP Basic: Access denied\n'])]),
        );
      });

      it('takes passwords, but not wrong ones', async () => {
        const { project } = await pushed();
        await clone(remoteOf(service, project.path, 'ada', PASSWORD));
        const { stderr } = await tryGit(['ls-remote', remoteOf(service, project.path, 'ada', 'wrong')]);
        expect(stderr).toContain('Authentication failed');
      });

      it('takes tokens for what their scopes say', async () => {
        const { project, tree } = await pushed();
        const remote = async (scopes: Parameters<TestService['addToken']>[1]) =>
          remoteOf(service, project.path, 'x', await service.addToken(ada.id, scopes));
        const reading = await remote(['read_repository']);
        await clone(reading);
        expect((await tree.try('push', reading, 'main:x')).stderr).toContain(
          'remote: You are not allowed to push code to this project.',
        );
        await tree.git('push', '--quiet', await remote(['write_repository']), 'main:x');
        expect((await tryGit(['ls-remote', await remote(['read_user'])])).stderr).toContain(
          'remote: You are not allowed to download code from this project.',
        );
        const oauth = await service.addOAuthToken('ada', PASSWORD, 'write_repository');
        await tree.git('push', '--quiet', remoteOf(service, project.path, 'oauth2', oauth), 'main:y');
      });

      it('takes no push to an archived project', async () => {
        const { project, tree } = await pushed();
        await service.service.container
          .get(TOKENS.unitOfWork)
          .execute(({ projects: rows }) => rows.update(project.id, { archived: true }, service.clock.now()));
        expect((await tree.try('push', 'origin', 'main:x')).stderr).toContain(
          "remote: You can't push code to an archived project.",
        );
      });
    });

    describe('the default branch', () => {
      it('is one that is there, and where a clone begins', async () => {
        const { project, tree } = await pushed();
        await tree.git('push', '--quiet', 'origin', 'main:trunk');
        const change = (branch: string) =>
          service.call('PUT', `/projects/${project.id}`, { token: ada.token, json: { default_branch: branch } });
        const refused = await change('missing');
        expect([refused.status, refused.body]).toEqual([
          400,
          { message: { base: ["Could not change HEAD: branch 'missing' does not exist"] } },
        ]);
        expect((await change('trunk')).status).toBe(200);
        const cloned = await clone(adasRemote(project.path));
        expect(await cloned.git('branch', '--show-current')).toBe('trunk\n');
      });
    });

    describe('at once', () => {
      it('takes twenty pushes and twenty clones, and loses none that it said ok to', async () => {
        const { project } = await pushed();
        const trees = await Promise.all(Array.from({ length: 20 }, () => clone(adasRemote(project.path))));
        const heads = await Promise.all(trees.map((tree, index) => tree.commit(`file-${index}`, `${index}\n`)));
        const results = await Promise.all([
          ...trees.map((tree, index) => tree.try('push', 'origin', `main:at-once/${index}`)),
          ...trees.map(() => tryGit(['clone', '--quiet', adasRemote(project.path), join(temporaryFolder(), 'clone')])),
        ]);
        expect(results.filter(({ code }) => code !== 0).map(({ stderr }) => stderr)).toEqual([]);
        const { rows } = await refsOf(service, project.id);
        for (const [index, head] of heads.entries()) expect(rows).toContain(`${head} refs/heads/at-once/${index}`);
        trees.forEach(({ folder }) => removeFolder(folder));
      });

      it('lets one of many win who push to one branch', async () => {
        const { project } = await pushed();
        const trees = await Promise.all(Array.from({ length: 6 }, () => clone(adasRemote(project.path))));
        await Promise.all(trees.map((tree, index) => tree.commit(`file-${index}`, `${index}\n`)));
        const results = await Promise.all(trees.map((tree) => tree.try('push', 'origin', 'main')));
        expect(results.filter(({ code }) => code === 0)).toHaveLength(1);
        const winner = trees[results.findIndex(({ code }) => code === 0)]!;
        expect((await refsOf(service, project.id)).rows).toEqual([`${await winner.head()} refs/heads/main`]);
      });
    });
  });
});
