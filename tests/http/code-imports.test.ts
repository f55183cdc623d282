import { execFileSync } from 'node:child_process';
import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createFindAddress } from '../../src/adapters/outbound/network/find-address.js';
import { HttpRemoteSource } from '../../src/adapters/outbound/network/http-remote-source.js';
import { packet } from '../../src/adapters/outbound/network/packet-lines.js';
import { createMayReach } from '../../src/adapters/outbound/network/reachable-hosts.js';
import type { ProjectId } from '../../src/domain/shared/identifiers.js';
import { CODE_IMPORTS } from '../../src/infrastructure/composition/code-imports.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { Elsewhere } from '../support/elsewhere.js';
import { PASSWORD } from '../support/form-browser.js';
import { withGit } from '../support/git.js';
import { addProject, refsOf, remoteOf, WorkTree } from '../support/git-service.js';
import { signedIn } from '../support/oauth-client.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { WatchedRounds } from '../support/watched-rounds.js';

interface ProjectBody {
  readonly id: ProjectId;
  readonly path_with_namespace: string;
  readonly import_status: string;
  readonly import_error: string | null;
  readonly default_branch: string | null;
}

/** Answers as a server does that has these refs, which all lead to one commit. */
const serving =
  (names: readonly string[], id: string, pack: Buffer = Buffer.alloc(0)): RequestListener =>
  (request, response) => {
    const kind = request.method === 'GET' ? 'advertisement' : 'result';
    response.setHeader('Content-Type', `application/x-git-upload-pack-${kind}`);
    if (kind === 'result') {
      const band = Buffer.concat([Buffer.from((pack.length + 5).toString(16).padStart(4, '0')), Buffer.of(1), pack]);
      return void response.end(Buffer.concat([Buffer.from(packet('NAK\n')), band, Buffer.from('0000')]));
    }
    const lines = names.map((name, index) => packet(`${id} ${name}${index === 0 ? '\0side-band-64k' : ''}\n`));
    response.end(`${packet('# service=git-upload-pack\n')}0000${lines.join('')}0000`);
  };

/** All that a commit needs. */
const packOf = ({ folder }: WorkTree, id: string): Buffer =>
  execFileSync('git', ['pack-objects', '--revs', '--stdout', '--quiet'], { cwd: folder, input: `${id}\n` });

withGit('code that is imported', () => {
  describeEachDatabase('code that is imported', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;
    let rounds: WatchedRounds;
    let serial = 0;

    beforeAll(async () => {
      const bounds = { outboundAllowlist: ['127.0.0.1'], gitPushLimitBytes: 200_000 };
      service = await TestService.start(await openTestDatabase(), bounds);
      rounds = new WatchedRounds(service.service.container.get(CODE_IMPORTS).importCode);
      ada = await service.addUser('ada', { password: PASSWORD });
    });
    afterAll(() => service.close());

    const call = <Body = ProjectBody>(method: string, path: string, json?: object, who: TestUser | null = ada) =>
      service.call<Body>(method, path, {
        ...(who === null ? {} : { token: who.token }),
        ...(json === undefined ? {} : { json }),
      });
    const importFrom = (url: string, fields: object = {}) =>
      call('POST', '/projects', { name: `import-${(serial += 1)}`, import_url: url, ...fields });
    const ended = async (id: number) => {
      await until(async () =>
        ['finished', 'failed'].includes((await call('GET', `/projects/${id}/import`)).body.import_status),
      );
      return (await call('GET', `/projects/${id}`)).body;
    };

    let administrator: Promise<TestUser> | undefined;
    const root = () => (administrator ??= service.addUser('root', { admin: true, scopes: ['api', 'sudo'] }));

    /** A private project with a branch, a topic and two tags, whose default branch is not `main`. */
    const source = async () => {
      const project = await addProject(service, ada, { name: `source-${(serial += 1)}`, visibility: 'private' });
      const tree = await WorkTree.init();
      await tree.commit('a', 'one');
      await tree.git('branch', '-m', 'trunk');
      await tree.git('tag', 'v1');
      await tree.git('tag', '-a', 'v2', '-m', 'Second');
      await tree.git('push', '--quiet', remoteOf(service, project.path, 'ada', ada.token), 'trunk', 'v1', 'v2');
      await tree.git('branch', 'main');
      await tree.git('push', '--quiet', remoteOf(service, project.path, 'ada', ada.token), 'main');
      return { project, tree, url: remoteOf(service, project.path, 'ada', ada.token) };
    };

    describe('from a repository elsewhere', () => {
      it('brings branches, tags and the default branch, and tells of no push', async () => {
        const { project, url } = await source();
        const made = await importFrom(url);
        expect(made.status).toBe(201);
        // It may have begun, and be over, by the time of the answer.
        expect(['scheduled', 'started', 'finished']).toContain(made.body.import_status);
        const { id } = made.body;
        expect(await ended(id)).toMatchObject({
          import_status: 'finished',
          import_error: null,
          default_branch: 'trunk',
        });
        const [there, here] = [await refsOf(service, project.id), await refsOf(service, id)];
        expect(here.rows).toEqual(there.rows);
        expect(here.files).toEqual(there.files);
        expect([here.rows.length, here.problems]).toEqual([4, []]);
        expect((await call('GET', `/projects/${id}/repository/files/a/raw?ref=trunk`)).status).toBe(200);
        expect((await call<object[]>('GET', `/projects/${id}/protected_branches`)).body).toMatchObject([
          { name: 'trunk' },
        ]);
        expect((await call<object[]>('GET', `/projects/${id}/events?action=pushed`)).body).toEqual([]);
        expect((await call('GET', `/projects/${id}/import`)).body).toMatchObject({
          import_type: 'git',
          import_status: 'finished',
        });
        const { query } = service.service.database.reader;
        expect(await query('code_imports').where({ project_id: id })).toEqual([]);
      });

      it('brings no branch and no tag of a name that a push could not bring', async () => {
        const tree = await WorkTree.init();
        const sha = await tree.commit('a', 'one');
        const like = 'ab'.repeat(20);
        const odd = ['heads/-x', 'heads/a..b', `heads/${like}`, 'heads/refs/heads/a', `tags/${like}`, 'keep/1', 'x'];
        const names = ['heads/main', 'tags/v1', ...odd].map((name) => `refs/${name}`);
        await Elsewhere.during(serving(names, sha, packOf(tree, sha)), async ({ url }) => {
          const { id } = (await importFrom(url)).body;
          expect(await ended(id)).toMatchObject({ import_status: 'finished', default_branch: 'main' });
          expect((await refsOf(service, id)).rows.map((row) => row.slice(41))).toEqual([
            'refs/heads/main',
            'refs/tags/v1',
          ]);
        });
      });

      it('leaves a rule that protects the branch already as it is', async () => {
        const { url } = await source();
        await rounds.hold();
        const { id } = (await importFrom(url)).body;
        const rule = { name: 'trunk', push_access_level: 30, merge_access_level: 30 };
        expect((await call('POST', `/projects/${id}/protected_branches`, rule)).status).toBe(201);
        rounds.goOn();
        expect(await ended(id)).toMatchObject({ import_status: 'finished', default_branch: 'trunk' });
        expect((await call<object[]>('GET', `/projects/${id}/protected_branches`)).body).toMatchObject([
          { name: 'trunk', push_access_levels: [{ access_level: 30 }] },
        ]);
      });

      it('brings nothing of one that is empty', async () => {
        const empty = await addProject(service, ada, { name: `empty-${(serial += 1)}` });
        const made = await importFrom(remoteOf(service, empty.path, 'ada', ada.token));
        expect(await ended(made.body.id)).toMatchObject({ import_status: 'finished', default_branch: null });
      });

      it('refuses pushes until it is there, with 503', async () => {
        const { url, tree } = await source();
        await rounds.hold();
        const made = await importFrom(url);
        const push = await tree.try('push', remoteOf(service, made.body.path_with_namespace, 'ada', ada.token), 'main');
        expect([push.code === 0, push.stderr]).toEqual([false, expect.stringContaining('503')]);
        rounds.goOn();
        expect((await ended(made.body.id)).import_status).toBe('finished');
      });

      it('goes on with another node once the lease of one that died has run out', async () => {
        const { url } = await source();
        await rounds.hold();
        const { id } = (await importFrom(url)).body;
        const now = service.clock.now();
        const lease = { holder: 'dead', now, until: new Date(now.getTime() + 60_000), exceptUsers: [] };
        const work = service.service.container.get(TOKENS.unitOfWork);
        expect((await work.execute(({ codeImports }) => codeImports.lease(lease)))?.projectId).toBe(id);
        rounds.goOn();
        expect(await service.service.container.get(CODE_IMPORTS).importCode.runDue()).toBe(0);
        service.clock.advance(61_000);
        expect((await ended(id)).import_status).toBe('finished');
        expect(await work.execute(({ codeImports }) => codeImports.end(id, 'dead'))).toBe(false);
      });

      it('brings nothing for somebody who was removed from the group meanwhile, and asks nobody for it', async () => {
        await call('POST', '/groups', { name: 'Weavers', path: 'weavers' });
        const asker = await service.addUser(`asker-${(serial += 1)}`);
        const group = (await call('GET', '/groups/weavers')).body.id;
        await call('POST', '/groups/weavers/members', { user_id: asker.id, access_level: 40 });
        await rounds.hold();
        await Elsewhere.during(serving([], ''), async ({ url, asked }) => {
          const json = { name: `import-${serial}`, namespace_id: group, import_url: url };
          const { status, body } = await call('POST', '/projects', json, asker);
          expect(status).toBe(201);
          expect((await call('DELETE', `/groups/weavers/members/${asker.id}`)).status).toBe(204);
          rounds.goOn();
          expect((await ended(body.id)).import_error).toBe(
            'Whoever asked for the code may not push to the project any more.',
          );
          expect(asked).toEqual([]);
        });
      });

      it('brings nothing for somebody who lost their rights while the server sent it', async () => {
        const asker = await service.addUser(`asker-${(serial += 1)}`);
        const tree = await WorkTree.init();
        const sha = await tree.commit('a', 'one');
        const answer = serving(['refs/heads/main'], sha, packOf(tree, sha));
        const slow: RequestListener = (request, response) => {
          if (request.method === 'GET') return void answer(request, response);
          void root()
            .then((admin) => call('POST', `/users/${asker.id}/block`, {}, admin))
            .then(() => answer(request, response));
        };
        await Elsewhere.during(slow, async ({ url }) => {
          const json = { name: `import-${serial}`, visibility: 'public', import_url: url };
          const { id } = (await call('POST', '/projects', json, asker)).body;
          expect(await ended(id)).toMatchObject({ import_status: 'failed', default_branch: null });
          expect((await refsOf(service, id)).rows).toEqual([]);
        });
      });

      it('leaves nothing of a project that is removed meanwhile', async () => {
        const { url } = await source();
        await rounds.hold();
        const { id } = (await importFrom(url)).body;
        expect((await call('DELETE', `/projects/${id}`)).status).toBe(202);
        rounds.goOn();
        const { query } = service.service.database.reader;
        await until(async () => (await query('code_imports').where({ project_id: id })).length === 0);
      });
    });

    describe('that fails', () => {
      it('keeps user name and password sealed while they are needed, and no longer', async () => {
        const { project } = await source();
        const word = 'wrong-word-90ab';
        service.secrets.push(word);
        await rounds.hold();
        const { id } = (await importFrom(remoteOf(service, project.path, 'ada', word))).body;
        const { query } = service.service.database.reader;
        const before = (await query('code_imports').where({ project_id: id }).first())!;
        expect([JSON.stringify(before).includes(word), before.sealed_credentials === null]).toEqual([false, false]);
        rounds.goOn();
        const failed = await ended(id);
        expect(failed).toMatchObject({
          import_status: 'failed',
          import_error: 'The server refused the user name and password, or asks for some.',
        });
        expect((await query('code_imports').where({ project_id: id }).first())?.sealed_credentials).toBeNull();
        expect(JSON.stringify(failed)).not.toContain(word);
      });

      it('is tried again on its page, with another password', async () => {
        const { project } = await source();
        const made = (await importFrom(remoteOf(service, project.path, 'ada', 'wrong-word-90ab'))).body;
        await ended(made.id);
        const browser = await signedIn(service, 'ada');
        const page = `/${made.path_with_namespace}/-/import`;
        expect(await (await browser.get(`/${made.path_with_namespace}`)).text()).toContain(`href="${page}"`);
        const form = { import_url: remoteOf(service, project.path), username: 'ada', password: ada.token };
        const sent = await browser.submit(page, page, form);
        expect([sent.status, sent.headers.get('location')]).toEqual([303, `/${made.path_with_namespace}`]);
        expect((await ended(made.id)).import_status).toBe('finished');
        expect((await browser.get(page)).status).toBe(404);
      });

      it('is tried again once, where two say so at once', async () => {
        const { project } = await source();
        const made = (await importFrom(remoteOf(service, project.path, 'ada', 'wrong-word-90ab'))).body;
        await ended(made.id);
        await rounds.hold();
        const browser = await signedIn(service, 'ada');
        const page = `/${made.path_with_namespace}/-/import`;
        const token = await browser.formToken('/projects/new');
        const known = { username: 'ada', password: ada.token };
        const form = { authenticity_token: token, import_url: remoteOf(service, project.path), ...known };
        const sent = [browser.post(page, form), browser.post(page, form)];
        expect((await Promise.all(sent)).map(({ status }) => status).sort()).toEqual([303, 400]);
        rounds.goOn();
        expect((await ended(made.id)).import_status).toBe('finished');
      });

      it('alone where its user name and password can’t be opened any more, and leaves others their turn', async () => {
        const { url } = await source();
        await rounds.hold();
        const spoilt = (await importFrom(url)).body;
        const { database } = service.service;
        await database.transact(({ query }) =>
          query('code_imports').where({ project_id: spoilt.id }).update({ sealed_credentials: 'of another key' }),
        );
        const other = (await importFrom(url)).body;
        rounds.goOn();
        expect((await ended(other.id)).import_status).toBe('finished');
        expect(await ended(spoilt.id)).toMatchObject({
          import_status: 'failed',
          import_error: 'Its user name and password can’t be read any more. Give them anew.',
        });
      });

      describe.each<[string, string, (id: number, asker: TestUser) => Promise<{ status: number }>]>([
        [
          'the project is archived',
          'The project was archived meanwhile.',
          (id, asker) => call('POST', `/projects/${id}/archive`, undefined, asker),
        ],
        [
          'whoever asked is blocked',
          'Whoever asked for the code is blocked.',
          async (_id, { id }) => call('POST', `/users/${id}/block`, undefined, await root()),
        ],
      ])('as %s', (_what, problem, hinder) => {
        /** A project of somebody else that Ada owns as well. */
        const asked = async (url: string) => {
          const asker = await service.addUser(`asker-${(serial += 1)}`);
          const { id } = (await call('POST', '/projects', { name: 'asked-for', import_url: url }, asker)).body;
          await call('POST', `/projects/${id}/members`, { user_id: ada.id, access_level: 40 }, asker);
          return { id, hindered: async () => (await hinder(id, asker)).status };
        };
        const refused = { import_status: 'failed', import_error: problem };

        it('before it begins: the server is not asked', async () => {
          await Elsewhere.during(serving([], ''), async (elsewhere) => {
            await rounds.hold();
            const { id, hindered } = await asked(elsewhere.url);
            expect(await hindered()).toBe(201);
            rounds.goOn();
            expect(await ended(id)).toMatchObject(refused);
            expect(elsewhere.asked).toEqual([]);
          });
        });

        it('while it goes on: nothing of what came is kept', async () => {
          const tree = await WorkTree.init();
          const sha = await tree.commit('a', 'one');
          const answer = serving(['refs/heads/main'], sha, packOf(tree, sha));
          let goOn: (() => void) | undefined;
          const waiting: RequestListener = (request, response) => {
            if (request.method === 'GET') answer(request, response);
            else goOn = () => answer(request, response);
          };
          await Elsewhere.during(waiting, async ({ url }) => {
            const { id, hindered } = await asked(url);
            await until(() => Promise.resolve(goOn !== undefined));
            expect(await hindered()).toBe(201);
            goOn!();
            expect(await ended(id)).toMatchObject({ ...refused, default_branch: null });
            expect((await refsOf(service, id)).rows).toEqual([]);
          });
        });
      });

      it.each<[string, number, object, string]>([
        ['a redirect', 302, { Location: 'http://127.0.0.1:1/' }, 'The address leads on to another one.'],
        ['no repository', 404, {}, 'There is no repository at this address'],
        ['a page', 200, { 'Content-Type': 'text/html' }, 'There is no git repository at this address.'],
      ])('says so: %s', async (_what, status, headers, problem) => {
        await Elsewhere.during(
          (_, response) => response.writeHead(status, headers as Record<string, string>).end('hello'),
          async ({ url, asked }) => {
            const { id } = (await importFrom(url)).body;
            expect((await ended(id)).import_error).toContain(problem);
            expect(asked).toEqual(['GET /x.git/info/refs?service=git-upload-pack']);
          },
        );
      });

      it('is tried again by itself where the server fails, three times', async () => {
        await Elsewhere.during(
          (_, response) => response.writeHead(500).end(),
          async ({ url, asked }) => {
            const { id } = (await importFrom(url)).body;
            for (let count = 1; count <= 4; count += 1) {
              await until(() => Promise.resolve(asked.length >= count));
              await rounds.atRest();
              service.clock.advance(600_000);
            }
            expect((await ended(id)).import_error).toBe('The server failed.');
            expect(asked).toHaveLength(4);
          },
        );
      });

      it('lets go of a server that has more to send than anybody reads', async () => {
        let closed = false;
        const endless: RequestListener = (request, response) => {
          if (request.method === 'GET') return serving(['refs/heads/main'], 'a'.repeat(40))(request, response);
          response.setHeader('Content-Type', 'application/x-git-upload-pack-result');
          response.write(packet(`\u0001PACK${'x'.repeat(1_000)}`));
          const drip = setInterval(() => response.write(packet('\u0002')), 20);
          response.on('close', () => {
            clearInterval(drip);
            closed = true;
          });
        };
        await Elsewhere.during(endless, async ({ url }) => {
          const { id } = (await importFrom(url)).body;
          expect((await ended(id)).import_status).toBe('failed');
          await until(() => Promise.resolve(closed));
        });
      });

      it('because it is larger than a push may be, or no pack', async () => {
        const { url, tree, project } = await source();
        const { randomBytes } = await import('node:crypto');
        await tree.commit('big', randomBytes(150_000));
        await tree.git('push', '--quiet', remoteOf(service, project.path, 'ada', ada.token), 'trunk');
        await tree.commit('big', randomBytes(150_000));
        await tree.git('push', '--quiet', remoteOf(service, project.path, 'ada', ada.token), 'trunk');
        const { id } = (await importFrom(url)).body;
        expect((await ended(id)).import_error).toBe('The push is larger than 200000 bytes, which is the limit here.');
        expect((await refsOf(service, id)).rows).toEqual([]);
        const line = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text;
        const listed = `${'a'.repeat(40)} refs/heads/main\0side-band-64k\n`;
        await Elsewhere.during(
          (request, response) => {
            const kind = request.method === 'GET' ? 'advertisement' : 'result';
            response.setHeader('Content-Type', `application/x-git-upload-pack-${kind}`);
            if (kind === 'result') response.end(`${line('NAK\n')}${line('\u0001PACKnone')}0000`);
            else response.end(`${line('# service=git-upload-pack\n')}0000${line(listed)}0000`);
          },
          async (elsewhere) => {
            const other = (await importFrom(elsewhere.url)).body;
            const { import_error: error } = await ended(other.id);
            expect(error).not.toBeNull();
            expect(error).not.toContain('/');
          },
        );
      });

      it.each([
        ['ssh://git@example.com/a.git', 'must begin with https:// or http://, as git is not spoken over SSH here'],
        ['http://10.0.0.1/a.git', 'leads to a private or reserved network'],
        ['file:///etc', 'must be an http or https address'],
      ])('is refused from %s', async (url, problem) => {
        const answer = await importFrom(url);
        expect([answer.status, answer.body]).toEqual([400, { message: { import_url: [problem] } }]);
      });

      it('is refused beside a first README', async () => {
        expect((await importFrom('https://example.com/a.git', { initialize_with_readme: true })).status).toBe(400);
      });
    });

    describe('is seen', () => {
      it('by whoever sees the project, and tried again by its Maintainers alone', async () => {
        const { project } = await source();
        const made = (await importFrom(remoteOf(service, project.path, 'ada', 'wrong'), { visibility: 'private' }))
          .body;
        await ended(made.id);
        const path = `/projects/${made.id}/import`;
        const stranger = await service.addUser(`stranger-${made.id}`, { password: PASSWORD });
        expect((await call('GET', path, undefined, null)).status).toBe(401);
        expect((await call('GET', path, undefined, stranger)).status).toBe(404);
        const page = `/${made.path_with_namespace}/-/import`;
        const browser = await signedIn(service, stranger.username);
        expect((await browser.get(page)).status).toBe(404);
        await call('POST', `/projects/${made.id}/members`, { user_id: stranger.id, access_level: 30 });
        expect((await call('GET', path, undefined, stranger)).status).toBe(200);
        expect((await browser.get(page)).status).toBe(403);
        const token = await browser.formToken('/projects/new');
        const form = { authenticity_token: token, import_url: 'https://example.com/a.git' };
        expect((await browser.post(page, form)).status).toBe(403);
        expect(await (await browser.get(`/${made.path_with_namespace}`)).text()).not.toContain(`href="${page}"`);
      });

      it('on the page that makes a project, which asks for user name and password apart', async () => {
        const { project } = await source();
        const browser = await signedIn(service, 'ada');
        const page = await (await browser.get('/projects/new')).text();
        const [, namespace = ''] = /<option value="(\d+)"/.exec(page) ?? [];
        const form = {
          ...{ name: `By page ${(serial += 1)}`, path: `by-page-${serial}`, description: '', visibility: 'private' },
          ...{ namespace_id: namespace, import_url: remoteOf(service, project.path) },
          ...{ username: 'ada', password: ada.token },
        };
        const sent = await browser.submit('/projects/new', '/projects/new', form);
        expect([sent.status, sent.headers.get('location')]).toEqual([303, `/ada/by-page-${serial}`]);
        const made = await call('GET', `/projects/ada%2Fby-page-${serial}`);
        expect((await ended(made.body.id)).import_status).toBe('finished');
        const refused = await browser.submit('/projects/new', '/projects/new', {
          ...form,
          ...{ name: 'Inside', path: 'inside', import_url: 'http://ada:hush-word-77@10.0.0.1/a' },
        });
        const text = await refused.text();
        expect([refused.status, text.includes('leads to a private'), text.includes('hush-word-77')]).toEqual([
          400,
          true,
          false,
        ]);
      });
    });

    it('goes to the very address that was checked, whatever its name leads to', async () => {
      const { project } = await source();
      const mayReach = createMayReach(['127.0.0.1']);
      const sourceAt = (address: string) =>
        new HttpRemoteSource({
          findAddress: createFindAddress(mayReach, () => Promise.resolve([{ address, family: 4 }])),
        });
      const url = new URL(remoteOf(service, project.path));
      url.hostname = 'code.example';
      const remote = { url: url.href, credentials: { username: 'ada', password: ada.token } };
      const { signal } = new AbortController();
      const { refs, head } = await sourceAt('127.0.0.1').refsOf(remote, signal);
      expect([[...refs.keys()].sort(), head]).toEqual([
        ['refs/heads/main', 'refs/heads/trunk', 'refs/tags/v1', 'refs/tags/v2'],
        'refs/heads/trunk',
      ]);
      await expect(sourceAt('10.0.0.1').refsOf(remote, signal)).rejects.toThrow('private or reserved network');
    });
  });
});
