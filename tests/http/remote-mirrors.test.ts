import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createFindAddress } from '../../src/adapters/outbound/network/find-address.js';
import { createMayReach } from '../../src/adapters/outbound/network/reachable-hosts.js';
import { openGitStores } from '../../src/adapters/outbound/git/open-git-stores.js';
import type { ProjectId } from '../../src/domain/shared/identifiers.js';
import { MIRROR_TOKENS } from '../../src/infrastructure/composition/mirrors.tokens.js';
import { REPOSITORY_TOKENS } from '../../src/infrastructure/composition/repositories.tokens.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { Elsewhere } from '../support/elsewhere.js';
import { PASSWORD } from '../support/form-browser.js';
import { withGit } from '../support/git.js';
import { addProject, refsOf, remoteOf, storeOf, WorkTree, type TestProject } from '../support/git-service.js';
import { signedIn } from '../support/oauth-client.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { WatchedRounds } from '../support/watched-rounds.js';

interface MirrorBody {
  readonly id: number;
  readonly url: string;
  readonly update_status: string;
  readonly last_error: string | null;
  readonly [field: string]: unknown;
}

/** The command lines of all processes that this user sees. */
const commandLines = (): readonly string[] =>
  readdirSync('/proc').flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') : [];
    } catch {
      return [];
    }
  });

withGit('mirrors that are pushed to', () => {
  describeEachDatabase('mirrors that are pushed to', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;
    let grace: TestUser;
    let rounds: WatchedRounds;
    let serial = 0;

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase(), { outboundAllowlist: ['127.0.0.1'] });
      rounds = new WatchedRounds(service.service.container.get(MIRROR_TOKENS.mirrors).updateMirrors);
      ada = await service.addUser('ada', { password: PASSWORD });
      grace = await service.addUser('grace');
    });
    afterAll(() => service.close());

    const call = <Body = MirrorBody>(method: string, path: string, json?: object, who: TestUser | null = ada) =>
      service.call<Body>(method, path, {
        ...(who === null ? {} : { token: who.token }),
        ...(json === undefined ? {} : { json }),
      });
    const newProject = (fields: object = {}) =>
      addProject(service, ada, { name: `engine-${(serial += 1)}`, ...fields });
    const mirrorTo = (project: TestProject, url: string, fields: object = {}) =>
      call('POST', `/projects/${project.id}/remote_mirrors`, { url, enabled: true, ...fields });
    const stateOf = async (project: TestProject, { id }: Pick<MirrorBody, 'id'>) =>
      (await call('GET', `/projects/${project.id}/remote_mirrors/${id}`)).body;
    const ended = async (project: TestProject, mirror: Pick<MirrorBody, 'id'>) => {
      await until(async () =>
        ['finished', 'failed', 'to_retry'].includes((await stateOf(project, mirror)).update_status),
      );
      await rounds.atRest();
      return stateOf(project, mirror);
    };

    /** A project with a tree of its code, and another one that it is mirrored to. */
    const pair = async (fields: object = {}) => {
      const [source, target] = [await newProject(), await newProject()];
      const tree = await WorkTree.init();
      await tree.commit('a', 'one');
      await tree.git('remote', 'add', 'origin', remoteOf(service, source.path, 'ada', ada.token));
      const mirror = (await mirrorTo(source, remoteOf(service, target.path, 'ada', ada.token), fields)).body;
      // Its default branch is protected, which keeps others from forcing it.
      const push = async (...refs: string[]) => {
        await tree.git('push', '--quiet', 'origin', ...refs);
        return ended(source, mirror);
      };
      const branches = async () =>
        (await refsOf(service, target.id)).rows.map((line) => line.slice(41).replace(/^refs\/(?:heads|tags)\//, ''));
      return { source, target, tree, mirror, push, branches };
    };

    describe('as clients see them', () => {
      it('are added, read, changed, listed and removed; user name and password are masked', async () => {
        const project = await newProject();
        const path = `/projects/${project.id}/remote_mirrors`;
        const made = await call('POST', path, { url: 'https://ada:hush%2Fhush@git.example.com/a/b.git' });
        service.secrets.push('hush/hush', 'hush%2Fhush');
        const shown = {
          id: made.body.id,
          enabled: false,
          url: 'https://*****:*****@git.example.com/a/b.git',
          auth_method: 'password',
          only_protected_branches: false,
          keep_divergent_refs: false,
          update_status: 'none',
          last_error: null,
          last_update_started_at: null,
          last_update_at: null,
          last_successful_update_at: null,
        };
        expect([made.status, made.body]).toEqual([201, shown]);
        const one = `${path}/${made.body.id}`;
        expect((await call('GET', one)).body).toEqual(shown);
        const changed = { ...shown, only_protected_branches: true, keep_divergent_refs: true };
        const put = await call('PUT', one, { only_protected_branches: true, keep_divergent_refs: true });
        expect([put.status, put.body]).toEqual([200, changed]);
        expect((await call('GET', path)).body).toEqual([changed]);
        const posted = await call('POST', one, { keep_divergent_refs: false });
        expect([posted.status, posted.body]).toEqual([200, { ...changed, keep_divergent_refs: false }]);
        expect((await call('POST', `${one}/sync`)).body).toEqual({ message: 'The mirror is disabled' });
        expect((await call('DELETE', one)).status).toBe(204);
        expect((await call('GET', one)).body).toEqual({ message: '404 Mirror Not Found' });
        const open = await mirrorTo(project, 'https://git.example.com/a/b.git');
        expect(open.body.url).toBe('https://git.example.com/a/b.git');
      });

      it('keep user name and password sealed', async () => {
        const project = await newProject();
        await mirrorTo(project, 'https://ada:hush-word@git.example.com/a/b.git');
        const { query } = service.service.database.reader;
        const row = (await query('remote_mirrors').where({ project_id: project.id }).first())!;
        expect(JSON.stringify(row)).not.toContain('hush-word');
        expect(service.service.container.get(TOKENS.secretBox).open(row.sealed_credentials!)).toContain('hush-word');
        service.secrets.push('hush-word');
      });

      it.each([
        ['ssh://git@example.com/a.git', 'must begin with https:// or http://, as git is not spoken over SSH here'],
        ['git@example.com:a/b.git', 'must begin with https:// or http://, as git is not spoken over SSH here'],
        ['file:///etc', 'must be an http or https address'],
        ['ext::sh -c id', 'must be an http or https address'],
        ['--upload-pack=id', 'must be an http or https address'],
        ['http://10.0.0.1/a.git', 'leads to a private or reserved network'],
        ['http://[::1]/a.git', 'leads to a private or reserved network'],
        ['http://0x7f.2/a.git', 'leads to a private or reserved network'],
        ['http://ada:x@169.254.169.254/a.git', 'leads to a private or reserved network'],
        ['https://example.com/a.git?token=x', 'must not have a query or a fragment'],
        ['https://a%3Ab:x@example.com/a.git', 'has a user name or password that HTTP cannot carry'],
        ['https://a:x%0Ay@example.com/a.git', 'has a user name or password that HTTP cannot carry'],
      ])('lead nowhere by %s', async (url, problem) => {
        const project = await newProject();
        const only = service.service.container.get(TOKENS.config).outboundAllowlist;
        expect(only).toEqual(['127.0.0.1']);
        const answer = await mirrorTo(project, url);
        expect([answer.status, answer.body]).toEqual([400, { message: { url: [problem] } }]);
      });

      it('have no pattern of branches and no keys, and say so', async () => {
        const project = await newProject();
        const url = 'https://git.example.com/a.git';
        expect((await mirrorTo(project, url, { mirror_branch_regex: '^main$' })).status).toBe(400);
        expect((await mirrorTo(project, url, { auth_method: 'ssh_public_key' })).status).toBe(400);
      });

      it('are ten at most', async () => {
        const project = await newProject();
        const add = (host: number) => mirrorTo(project, `https://git${host}.example.com/a.git`);
        const statuses = (await Promise.all(Array.from({ length: 12 }, (_, host) => add(host)))).map(
          ({ status }) => status,
        );
        expect(statuses.filter((status) => status === 201)).toHaveLength(10);
        expect(statuses.filter((status) => status === 422)).toHaveLength(2);
      });

      it('are none of the business of guests, developers, strangers and visitors', async () => {
        const people = { guest: 10, developer: 30, maintainer: 40 };
        const project = await newProject({ visibility: 'private' });
        const { id } = (await mirrorTo(project, 'https://git.example.com/a.git', { enabled: false })).body;
        const path = `/projects/${project.id}/remote_mirrors`;
        const routes = [
          ['GET', path],
          ['POST', path, { url: 'https://git.example.com/b.git' }],
          ['GET', `${path}/${id}`],
          ['PUT', `${path}/${id}`, { enabled: false }],
          ['POST', `${path}/${id}`, { enabled: false }],
          ['POST', `${path}/${id}/sync`],
          ['DELETE', `${path}/${id}`],
        ] as const;
        const statusesOf = async (who: TestUser | null) => {
          const statuses: number[] = [];
          for (const [method, at, json] of routes) statuses.push((await call(method, at, json, who)).status);
          return statuses;
        };
        expect(await statusesOf(null)).toEqual(routes.map(() => 401));
        expect(await statusesOf(grace)).toEqual(routes.map(() => 404));
        for (const [name, level] of Object.entries(people)) {
          const member = await service.addUser(`${name}-${project.id}`);
          await call('POST', `/projects/${project.id}/members`, { user_id: member.id, access_level: level });
          const expected = level === 40 ? [200, 201, 200, 200, 200, 400, 204] : routes.map(() => 403);
          expect([name, await statusesOf(member)]).toEqual([name, expected]);
        }
        // One of another project is not there.
        const other = await newProject();
        const mine = (await mirrorTo(other, 'https://git.example.com/a.git')).body;
        expect((await call('DELETE', `${path}/${mine.id}`)).status).toBe(404);
      });
    });

    describe('get', () => {
      it('branches and tags, moved and removed as they are', async () => {
        const { tree, push, branches, target, source } = await pair();
        await tree.git('branch', 'topic');
        await tree.git('tag', 'v1');
        const state = await push('main', 'topic', 'v1');
        expect(state).toMatchObject({ update_status: 'finished', last_error: null });
        expect(state['last_successful_update_at']).not.toBeNull();
        expect(await branches()).toEqual(['main', 'topic', 'v1']);
        await tree.git('checkout', '--quiet', 'topic');
        await tree.commit('a', 'two');
        await tree.git('commit', '--quiet', '--amend', '-m', 'Another');
        await push('+topic', ':v1');
        expect((await refsOf(service, target.id)).rows).toEqual((await refsOf(service, source.id)).rows);
        await push(':topic');
        expect(await branches()).toEqual(['main']);
      });

      it('protected branches alone, and tags, where that is chosen', async () => {
        const { tree, push, branches, source } = await pair({ only_protected_branches: true });
        const protect = (name: string) => call('POST', `/projects/${source.id}/protected_branches`, { name });
        await protect('release/*');
        for (const name of ['topic', 'release/1', 'release/2']) await tree.git('branch', name);
        await tree.git('tag', 'v1');
        await push('main', 'topic', 'release/1', 'release/2', 'v1');
        expect(await branches()).toEqual(['main', 'release/1', 'release/2', 'v1']);
        await call('DELETE', `/projects/${source.id}/repository/branches/release%2F1`);
        await tree.commit('a', 'three');
        await push('main');
        await until(async () => !(await branches()).includes('release/1'));
        expect(await branches()).toEqual(['main', 'release/2', 'v1']);
      });

      it('nothing over what has moved on there, where that is to be kept', async () => {
        const { tree, push, branches, target } = await pair({ keep_divergent_refs: true });
        await tree.git('branch', 'topic');
        await push('main', 'topic');
        const other = tree.copy();
        await other.git('checkout', '--quiet', 'topic');
        await other.commit('b', 'elsewhere');
        await other.git('push', '--quiet', remoteOf(service, target.path, 'ada', ada.token), 'topic', 'topic:more');
        await tree.git('checkout', '--quiet', 'topic');
        await tree.commit('a', 'here');
        await tree.git('branch', 'new');
        const state = await push('topic', 'new');
        expect(state).toMatchObject({
          update_status: 'failed',
          last_error: 'These have diverged, and stay as they are in the mirror:\nrefs/heads/topic',
        });
        expect(await branches()).toEqual(['main', 'more', 'new', 'topic']);
      });

      it('what was pushed before they were added, once somebody says so', async () => {
        const { source, push } = await pair();
        await push('main');
        const late = await newProject();
        const mirror = (await mirrorTo(source, remoteOf(service, late.path, 'ada', ada.token))).body;
        expect(mirror.update_status).toBe('none');
        expect((await call('POST', `/projects/${source.id}/remote_mirrors/${mirror.id}/sync`)).status).toBe(204);
        expect((await ended(source, mirror)).update_status).toBe('finished');
        expect((await refsOf(service, late.id)).rows).toHaveLength(1);
      });

      it('one update of many pushes that come at once', async () => {
        const { source, tree, mirror, push } = await pair();
        await push('main');
        const { remotes } = service.service.container.get(REPOSITORY_TOKENS.gitStores);
        const original = remotes.push.bind(remotes);
        let pushes = 0;
        remotes.push = (...given) => {
          pushes += 1;
          return original(...given);
        };
        await rounds.hold();
        for (let count = 0; count < 4; count += 1) {
          await tree.commit('a', `change ${count}`);
          await tree.git('push', '--quiet', 'origin', 'main');
        }
        expect((await stateOf(source, mirror)).update_status).toBe('scheduled');
        rounds.goOn();
        expect((await ended(source, mirror)).update_status).toBe('finished');
        remotes.push = original;
        expect(pushes).toBe(1);
      });

      it('nothing of a project that is empty: what they have stays', async () => {
        const { source, tree, mirror, target, branches } = await pair();
        await tree.git('push', '--quiet', remoteOf(service, target.path, 'ada', ada.token), 'main:theirs');
        await call('POST', `/projects/${source.id}/remote_mirrors/${mirror.id}/sync`);
        expect((await ended(source, mirror)).update_status).toBe('finished');
        expect(await branches()).toEqual(['theirs']);
      });

      it('nothing of a project that is archived or removed', async () => {
        const { source, tree, mirror, push, target } = await pair();
        await push('main');
        await rounds.hold();
        await tree.commit('a', 'last');
        await tree.git('push', '--quiet', 'origin', 'main');
        await call('POST', `/projects/${source.id}/archive`);
        rounds.goOn();
        const { updateMirrors } = service.service.container.get(MIRROR_TOKENS.mirrors);
        expect(await updateMirrors.runDue()).toBe(0);
        expect((await refsOf(service, target.id)).rows.join()).not.toContain(await tree.head());
        await call('POST', `/projects/${source.id}/unarchive`);
        await until(async () => (await stateOf(source, mirror)).update_status === 'finished');
        await rounds.atRest();
        await rounds.hold();
        await tree.commit('a', 'very last');
        await tree.git('push', '--quiet', 'origin', 'main');
        await call('DELETE', `/projects/${source.id}`);
        rounds.goOn();
        expect(await updateMirrors.runDue()).toBe(0);
        expect((await refsOf(service, target.id)).rows.join()).not.toContain(await tree.head());
      });
    });

    describe('that fail', () => {
      const written = async () => {
        const { source, push } = await pair({ enabled: false });
        const tree = await WorkTree.init();
        await tree.commit('a', 'one');
        await tree.git('push', '--quiet', remoteOf(service, source.path, 'ada', ada.token), 'main');
        return { source, push };
      };
      const updated = async (source: TestProject, url: string) => {
        const mirror = (await mirrorTo(source, url)).body;
        await call('POST', `/projects/${source.id}/remote_mirrors/${mirror.id}/sync`);
        return { mirror, state: await ended(source, mirror) };
      };

      it('say that the password is wrong, without it, and are not tried again', async () => {
        const { source } = await written();
        const target = await newProject({ visibility: 'private' });
        const wrong = 'wrong-word-7c1f';
        service.secrets.push(wrong);
        const { state } = await updated(source, remoteOf(service, target.path, 'ada', wrong));
        expect(state).toMatchObject({
          update_status: 'failed',
          last_error: 'The server refused the user name and password, or asks for some.',
        });
        expect(JSON.stringify(state)).not.toContain(wrong);
        expect(JSON.stringify(service.logger)).not.toContain(wrong);
      });

      it('say what a server refused', async () => {
        const { source } = await written();
        const target = await newProject();
        const theirs = await WorkTree.init();
        await theirs.commit('b', 'theirs');
        // It is the default branch there, which nobody removes.
        await theirs.git('push', '--quiet', remoteOf(service, target.path, 'ada', ada.token), 'main:theirs');
        const { state } = await updated(source, remoteOf(service, target.path, 'ada', ada.token));
        expect(state.update_status).toBe('failed');
        expect(state.last_error).toMatch(/^The server refused these:\nrefs\/heads\/theirs \(.+\)/);
      });

      it('are tried again after a pause, four times, where the server fails', async () => {
        const { source } = await written();
        await Elsewhere.during(
          (_, response) => response.writeHead(503).end(),
          async ({ url, asked }) => {
            const { mirror, state } = await updated(source, url);
            expect(state).toMatchObject({ update_status: 'to_retry', last_error: 'The server failed.' });
            const before = asked.length;
            for (let count = 2; count <= 4; count += 1) {
              service.clock.advance(3_600_000);
              const next = before * count;
              await until(() => Promise.resolve(asked.length >= next));
              await rounds.atRest();
            }
            service.clock.advance(3_600_000);
            await until(async () => (await stateOf(source, mirror)).update_status === 'failed');
          },
        );
      });

      it('follow no redirect', async () => {
        const { source } = await written();
        const target = await newProject();
        await Elsewhere.during(
          (request, response) => {
            const location = `${service.nodeUrl}/${target.path}.git${(request.url ?? '').replace('/x.git', '')}`;
            response.writeHead(302, { Location: location }).end();
          },
          async ({ url }) => {
            const { state } = await updated(source, url);
            expect(state.last_error).toBe('The address leads on to another one. Give the address that it leads to.');
          },
        );
      });

      it('say that nothing answers, and that there is no repository', async () => {
        const { source } = await written();
        const gone = await Elsewhere.start(() => undefined);
        const { url } = gone;
        await gone.close();
        expect((await updated(source, url)).state.last_error).toBe(
          'The server could not be reached, or stopped answering.',
        );
        await Elsewhere.during(
          (_, response) => response.writeHead(200).end('hello'),
          async (elsewhere) => {
            const { state } = await updated(source, elsewhere.url);
            expect(state.last_error).toBe('There is no git repository at this address.');
          },
        );
      });

      it('show the password in no command line, and leave no process behind once they are ended', async () => {
        const { source } = await written();
        const word = 'secret-word-51d0';
        service.secrets.push(word);
        await Elsewhere.during(
          () => undefined,
          async ({ port, asked }) => {
            const url = `http://ada:${word}@127.0.0.1:${port}/x.git`;
            const mirror = (await mirrorTo(source, url)).body;
            await call('POST', `/projects/${source.id}/remote_mirrors/${mirror.id}/sync`);
            await until(() => Promise.resolve(asked.length > 0));
            const lines = commandLines();
            expect(lines.some((line) => line.includes(`remote-http elsewhere http://127.0.0.1:${port}/x.git`))).toBe(
              true,
            );
            expect(lines.some((line) => line.includes(word) || line.includes('Basic'))).toBe(false);
            expect((await stateOf(source, mirror)).update_status).toBe('started');
            // As when the process that starts git is killed with the service.
            process.kill(service.service.container.get(REPOSITORY_TOKENS.gitStores).runnerPid()!, 'SIGKILL');
            expect((await ended(source, mirror)).update_status).toBe('to_retry');
            const store = await storeOf(service, source.id);
            expect(commandLines().filter((line) => line.includes(store) && line.includes(' push '))).toEqual([]);
            await call('PUT', `/projects/${source.id}/remote_mirrors/${mirror.id}`, { enabled: false });
            expect((await stateOf(source, mirror)).update_status).toBe('none');
          },
        );
      });

      it('because their node died are updated by another one once its lease has run out', async () => {
        const { source, mirror, push } = await pair();
        await push('main');
        await rounds.hold();
        await call('POST', `/projects/${source.id}/remote_mirrors/${mirror.id}/sync`);
        const now = service.clock.now();
        const { unitOfWork } = { unitOfWork: service.service.container.get(TOKENS.unitOfWork) };
        const lease = { holder: 'dead', now, until: new Date(now.getTime() + 60_000), exceptProjects: [] };
        const leased = await unitOfWork.execute(({ remoteMirrors }) => remoteMirrors.lease(lease));
        expect(leased?.id).toBe(mirror.id);
        rounds.goOn();
        const { updateMirrors } = service.service.container.get(MIRROR_TOKENS.mirrors);
        expect(await updateMirrors.runDue()).toBe(0);
        service.clock.advance(61_000);
        await until(async () => (await stateOf(source, mirror)).update_status === 'finished');
        const outcome = { status: 'failed', error: 'late', dueAt: null, at: now } as const;
        expect(await unitOfWork.execute(({ remoteMirrors }) => remoteMirrors.end(mirror.id, 'dead', outcome))).toBe(
          false,
        );
      });
    });

    describe('are reached', () => {
      it('nowhere in local networks unless the operator allows it', async () => {
        const closed = await TestService.start(await openTestDatabase());
        try {
          const user = await closed.addUser('ada');
          const project = await addProject(closed, user, { name: 'engine' });
          const json = { url: `${service.nodeUrl}/a.git`, enabled: true };
          const answer = await closed.call('POST', `/projects/${project.id}/remote_mirrors`, {
            token: user.token,
            json,
          });
          expect([answer.status, answer.body]).toEqual([
            400,
            { message: { url: ['leads to a private or reserved network'] } },
          ]);
        } finally {
          await closed.close();
        }
      });

      it('by the very address that was checked, whatever their name leads to', async () => {
        const { source, push } = await pair();
        await push('main');
        const target = await newProject();
        const config = service.service.container.get(TOKENS.config);
        const storesWith = (address: string) =>
          openGitStores({
            directory: config.repositoriesDirectory,
            binary: 'git',
            pushLimit: 1,
            findAddress: createFindAddress(createMayReach(config.outboundAllowlist), () =>
              Promise.resolve([{ address, family: 4 }]),
            ),
          });
        const url = new URL(remoteOf(service, target.path));
        url.hostname = 'mirror.example';
        const remote = { url: url.href, credentials: { username: 'ada', password: ada.token } };
        const repository = await service.service.container
          .get(REPOSITORY_TOKENS.repositories)
          .refReader.findRepository(source.id as ProjectId);
        const { signal } = new AbortController();
        const [reached, refused] = [storesWith('127.0.0.1'), storesWith('10.0.0.1')];
        try {
          const refs = { keepDivergent: false };
          await reached.remotes.push(repository!.store, remote, refs, signal);
          expect(await reached.remotes.branchesOf(remote, signal)).toEqual(['main']);
          await expect(refused.remotes.push(repository!.store, remote, refs, signal)).rejects.toThrow(
            'The address leads to a private or reserved network.',
          );
        } finally {
          reached.close();
          refused.close();
        }
      });
    });

    describe('on their page', () => {
      it('are added, updated and removed; what failed says why', async () => {
        const { source, push, target } = await pair({ enabled: false });
        const tree = await WorkTree.init();
        await tree.commit('a', 'one');
        await tree.git('push', '--quiet', remoteOf(service, source.path, 'ada', ada.token), 'main');
        expect(push).toBeDefined();
        const browser = await signedIn(service, 'ada');
        const page = `/${source.path}/-/settings/mirrors`;
        const url = remoteOf(service, target.path);
        const form = { url, username: 'ada', password: 'wrong-word-2b' };
        service.secrets.push('wrong-word-2b');
        expect((await browser.submit(page, page, form)).headers.get('location')).toBe(page);
        const [, mirror] = (await call<readonly MirrorBody[]>('GET', `/projects/${source.id}/remote_mirrors`)).body;
        expect((await browser.submit(page, `${page}/${mirror!.id}/update`, {})).status).toBe(303);
        await ended(source, mirror!);
        const text = await (await browser.get(page)).text();
        expect(text).toContain('<span class="badge off">Disabled</span>');
        expect(text).toContain('<span class="badge high">Failed');
        expect(text).toContain('The server refused the user name and password, or asks for some.');
        expect(text).toContain('http://*****:*****@127.0.0.1');
        expect(text).not.toContain('wrong-word-2b');
        const refused = await browser.submit(page, page, {
          url: 'https://ada:wrong-word-2b@10.0.0.1/a',
          username: '',
          password: '',
        });
        const shown = await refused.text();
        expect([refused.status, shown.includes('leads to a private'), shown.includes('wrong-word-2b')]).toEqual([
          400,
          true,
          false,
        ]);
        const removal = `${page}/${mirror!.id}/remove`;
        expect((await browser.submit(removal, removal, {})).status).toBe(303);
        expect(await (await browser.get(page)).text()).not.toContain(`/${mirror!.id}/remove`);
      });
    });
  });
});
