import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { REPOSITORY_TOKENS } from '../../src/infrastructure/composition/repositories.tokens.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { addProject, refsOf, remoteOf, storeOf, WorkTree, type TestProject } from '../support/git-service.js';
import { temporaryFolder, withGit } from '../support/git.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { turnOnTwoFactor } from '../support/two-factor.js';

const DIRECTORY = process.env['GATEHOUSE_TEST_DIRECTORY'] ?? '';
const PASSWORD = 'correct horse battery';
const basic = (name: string, secret: string): Record<string, string> => ({
  Authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`,
});
const packet = (text: string): string => (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text;
const [A, ZEROS] = ['a'.repeat(40), '0'.repeat(40)];

withGit('repositories over HTTP', () => {
  describeEachDatabase('repositories over HTTP', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;
    let project: TestProject;

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase(), { repositoriesDirectory: temporaryFolder() });
      ada = await service.addUser('ada', { password: PASSWORD });
      project = await addProject(service, ada, { name: 'mill' });
      const tree = await WorkTree.init();
      await tree.commit('README.md', '# Mill\n');
      await tree.git('push', '--quiet', remoteOf(service, project.path, 'x', ada.token), 'main');
    });

    afterAll(() => service.close());

    const ask = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(`${service.nodeUrl}${path}`, { redirect: 'manual', ...init });
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
    const adas = () => basic('x', ada.token);
    const post = (service_: string, body: string, headers: Record<string, string> = {}) =>
      ask(`/${project.path}.git/${service_}`, {
        method: 'POST',
        headers: { ...adas(), 'Content-Type': `application/x-${service_}-request`, ...headers },
        body,
      });

    it.each(['git-upload-pack', 'git-receive-pack'])('advertises %s in the type that git looks for', async (name) => {
      const { status, headers, text } = await ask(`/ada/mill.git/info/refs?service=${name}`, { headers: adas() });
      expect([status, headers.get('content-type'), headers.get('cache-control'), headers.get('x-request-id')]).toEqual([
        200,
        `application/x-${name}-advertisement`,
        'no-cache',
        expect.any(String),
      ]);
      expect(text.startsWith(packet(`# service=${name}\n`))).toBe(true);
    });

    it('advertises version 2 at once, and refs as they are asked for', async () => {
      const headers = { ...adas(), 'Git-Protocol': 'version=2' };
      const { text } = await ask('/ada/mill.git/info/refs?service=git-upload-pack', { headers });
      expect(text.startsWith(packet('version 2\n'))).toBe(true);
      const asked = `${packet('command=ls-refs\n')}0001${packet('symrefs\n')}${packet('ref-prefix HEAD\n')}0000`;
      const { rows } = await refsOf(service, project.id);
      const listed = await post('git-upload-pack', asked, { 'Git-Protocol': 'version=2' });
      expect(listed.text).toBe(`${packet(`${rows[0]!.slice(0, 40)} HEAD symref-target:refs/heads/main\n`)}0000`);
    });

    it('lists no refs for a prefix that no database keeps', async () => {
      const prefixes = `${packet('ref-prefix HEAD\n')}${packet('ref-prefix refs/\0\n')}`;
      const asked = `${packet('command=ls-refs\n')}0001${prefixes}0000`;
      const { rows } = await refsOf(service, project.id);
      const { status, text } = await post('git-upload-pack', asked, { 'Git-Protocol': 'version=2' });
      expect([status, text]).toEqual([200, `${packet(`${rows[0]!.slice(0, 40)} HEAD\n`)}0000`]);
    });

    it.each(['command=nonsense\n', 'command=fetch'])(
      'refuses nonsense (%j), and does not take it for a fault of its own',
      async (sent) => {
        const before = service.logger.troubles.length;
        const asked = `${packet(sent)}0001${packet('want nothing\n')}0000`;
        const { status, text } = await post('git-upload-pack', asked, { 'Git-Protocol': 'version=2' });
        expect([status, text]).toEqual([400, 'The request is not in the protocol of git.\n']);
        expect(service.logger.troubles.slice(before)).toEqual([]);
      },
    );

    it.each([
      ['HEAD', '/ada/mill.git/info/refs?service=git-upload-pack', true, 403],
      ['GET', '/ada/mill.git/info/refs', true, 403],
      ['GET', '/ada/mill.git/info/refs', false, 401],
      ['GET', '/ada/mill.git/info/refs?service=git-upload-archive', true, 403],
      ['GET', '/ada/mill.git/git-upload-pack', true, 405],
      ['POST', '/ada/mill.git/git-upload-pack', true, 415],
      ['POST', '/ada/mill.git/ssh-receive-pack', true, 404],
      ['POST', '/ada/mill.git/info/lfs/objects/batch', true, 501],
      ['GET', '/ada/none.git/info/refs?service=git-upload-pack', true, 404],
      ['GET', '/none/none.git/info/refs?service=git-upload-pack', true, 404],
      ['GET', '/none/none.git/info/refs?service=git-receive-pack', true, 404],
      ['GET', '/ada/mill.git/HEAD', true, 404],
      ['GET', '/ada/mill.git/objects/info/packs', true, 404],
    ])('answers %s %s (signed in: %s) with %s', async (method, path, signedIn, expected) => {
      expect((await ask(path, { method, headers: signedIn ? adas() : {} })).status).toBe(expected);
    });

    it('sends git to the address with .git, and nobody else', async () => {
      const { status, headers } = await ask('/ada/mill/info/refs?service=git-upload-pack&x=1');
      expect([status, headers.get('location')]).toEqual([302, '/ada/mill.git/info/refs?service=git-upload-pack&x=1']);
      expect((await ask('/ada/mill/info/refs?service=git-upload-pack', { method: 'POST' })).status).toBe(404);
    });

    it('sends git on from where a project was, and makes none there', async () => {
      const bob = await service.addUser('bob-of-before', { password: PASSWORD });
      const call = (method: string, path: string, json: object) =>
        service.call(method, path, { token: ada.token, json });
      const moved = await addProject(service, ada, { name: 'before' });
      const tree = await WorkTree.init();
      await tree.commit('README.md', '# Before\n');
      const remote = remoteOf(service, moved.path, 'x', ada.token);
      await tree.git('push', '--quiet', remote, 'main');
      await call('PUT', `/projects/${moved.id}`, { path: 'since' });
      await tree.commit('later.txt', 'later\n');
      const push = await tree.try('push', remote, 'main');
      expect([push.code, push.stderr]).toEqual([0, expect.stringContaining('/ada/since.git')]);
      expect(push.stderr).toContain('warning: redirecting to');
      const fetched = await tree.try('ls-remote', remote, 'main');
      expect([fetched.code, fetched.stdout.slice(0, 40)]).toEqual([0, await tree.head()]);
      const asked = '/ada/before.git/info/refs?service=git-receive-pack';
      const answer = await ask(asked, { headers: adas() });
      expect([answer.status, answer.headers.get('location')]).toEqual([301, asked.replace('before', 'since')]);
      const headers = { ...adas(), 'Content-Type': 'application/x-git-receive-pack-request' };
      const direct = await ask('/ada/before.git/git-receive-pack', { method: 'POST', headers, body: '0000' });
      expect([direct.status, direct.text]).toEqual([404, "Project 'ada/before' was moved to 'ada/since'.\n"]);
      // Strangers learn nothing, and who can't read what is elsewhere makes nothing in its place.
      expect((await ask(asked)).status).toBe(401);
      expect((await ask(asked, { headers: basic('x', bob.token) })).status).toBe(404);
      const group = await call('POST', '/groups', { name: 'Far', path: 'far-away' });
      const { id: namespace } = group.body as { id: number };
      await call('PUT', `/projects/${moved.id}/transfer`, { namespace });
      await call('POST', `/groups/${namespace}/members`, { user_id: bob.id, access_level: 50 });
      await service.call('DELETE', `/groups/${namespace}/members/${ada.id}`, { token: bob.token });
      for (const path of ['before', 'since']) {
        const refused = await tree.try('push', remoteOf(service, `ada/${path}`, 'x', ada.token), 'main');
        expect([refused.code, refused.stderr]).toEqual([128, expect.stringContaining('could not be found')]);
        expect((await service.call('GET', `/projects/ada%2F${path}`, { token: ada.token })).status).toBe(404);
      }
    });

    it.each([
      ['a bearer', () => ({ Authorization: `Bearer ${ada.token}` }), true],
      ['a token as the name', () => basic(ada.token, ''), true],
      ['an empty name', () => basic('', ada.token), true],
      ['a wrong token', () => basic('x', 'wrong'), true],
      ['a name that no database keeps', () => basic('a\0b', 'wrong'), true],
      ['what is no Base64', () => ({ Authorization: 'Basic ***' }), true],
    ])('takes no %s', async (_, headers, challenged) => {
      const answer = await ask('/ada/mill.git/info/refs?service=git-upload-pack', { headers: headers() });
      expect([answer.status, answer.headers.has('www-authenticate'), answer.text]).toEqual([
        401,
        challenged,
        'HTTP Basic: Access denied\n',
      ]);
    });

    it('takes no password of who has a second factor, and asks for no other', async () => {
      const bob = await service.addUser('bob', { password: PASSWORD });
      await turnOnTwoFactor(service, bob.id);
      const answer = await ask('/ada/mill.git/info/refs?service=git-upload-pack', { headers: basic('bob', PASSWORD) });
      expect([answer.status, answer.headers.has('www-authenticate')]).toEqual([401, false]);
      const token = await ask('/ada/mill.git/info/refs?service=git-upload-pack', { headers: basic('bob', bob.token) });
      expect(token.status).toBe(404);
    });

    it.each([
      ['what is no packet', 'hello', 400],
      ['a packet that ends early', '00ff', 400],
      ['a command without a ref', packet(`${ZEROS} ${A} \0report-status`), 400],
      ['a command without ids', packet('x y refs/heads/z\0report-status'), 400],
    ])('answers a push of %s with a refusal', async (_, body, expected) => {
      const { status, text } = await post('git-receive-pack', body);
      expect([status, text.includes(DIRECTORY)]).toEqual([expected, false]);
    });

    it('answers a probe with nothing', async () => {
      for (const name of ['git-receive-pack', 'git-upload-pack'])
        expect(await post(name, '0000')).toMatchObject({ status: 200, text: '' });
    });

    it('refuses a push of more refs than it takes, in a way that git shows', async () => {
      const lines = Array.from({ length: 1_001 }, (_, index) =>
        packet(`${ZEROS} ${A} refs/heads/b${index}${index === 0 ? '\0report-status side-band-64k' : ''}`),
      );
      const { status, text } = await post('git-receive-pack', `${lines.join('')}0000`);
      expect([status, text.includes('A push may change 1000 refs at most')]).toEqual([200, true]);
    });

    it('refuses a push whose objects are missing, or broken, and keeps nothing of it', async () => {
      const before = await refsOf(service, project.id);
      const command = `${packet(`${ZEROS} ${A} refs/heads/x\0report-status`)}0000`;
      expect((await post('git-receive-pack', command)).text).toContain('unpack ');
      expect((await post('git-receive-pack', `${command}PACK-is-not-this`)).text).toContain(
        'ng refs/heads/x unpacker error',
      );
      expect(await refsOf(service, project.id)).toEqual(before);
    });

    it('makes good at once what a crash left undone: refs without files', async () => {
      const { container } = service.service;
      const unitOfWork = container.get(TOKENS.unitOfWork);
      const repositories = container.get(REPOSITORY_TOKENS.repositories);
      const repository = (await repositories.refReader.findRepository(project.id))!;
      const main = (await repositories.refReader.findRef(repository.id, 'refs/heads/main'))!;
      await unitOfWork.execute(({ refs }) =>
        refs.move(repository.id, { ref: 'refs/heads/crashed', from: null, to: main }),
      );
      const left = join(await storeOf(service, project.id), 'objects/incoming-left');
      mkdirSync(left);
      utimesSync(left, new Date(0), new Date(0));
      expect((await refsOf(service, project.id)).files).toHaveLength(1);
      await repositories.keepStores.execute();
      const { rows, files } = await refsOf(service, project.id);
      expect([files, existsSync(left)]).toEqual([rows, false]);
      expect(rows).toHaveLength(2);
    });

    it.each(['0', '1', '2'])('lets the files follow before git reads refs there, by version %s', async (version) => {
      const { container } = service.service;
      const unitOfWork = container.get(TOKENS.unitOfWork);
      const { refReader, projectRefs } = container.get(REPOSITORY_TOKENS.repositories);
      const own = await addProject(service, ada, { name: `followed-${version}` });
      const tree = await WorkTree.init();
      await tree.commit('a', 'a');
      const remote = remoteOf(service, own.path, 'x', ada.token);
      await tree.git('push', '--quiet', remote, 'main');
      const head = await tree.commit('b', 'b');
      await tree.git('push', '--quiet', remote, 'HEAD:refs/heads/first');
      const repository = (await refReader.findRepository(own.id))!;
      const tip = (await refReader.findRef(repository.id, 'refs/heads/first'))!;
      const move = (ref: string, from: string | null, to: typeof tip | null) =>
        unitOfWork.execute(({ refs }) => refs.move(repository.id, { ref, from, to }));
      // Nothing in the files leads to the commit from then on.
      await move('refs/heads/first', head, null);
      await projectRefs.execute(repository);
      await projectRefs.settle();
      await move('refs/heads/again', null, tip);
      // Nothing of it is there twice.
      const packs = async () => readdirSync(join(await storeOf(service, own.id), 'objects/pack')).sort();
      const before = await packs();
      const tag = { tag_name: `v${version}`, ref: 'again' };
      const tagged = await service.call('POST', `/projects/${own.id}/repository/tags`, { token: ada.token, json: tag });
      expect([tagged.status, await packs()]).toEqual([201, before]);

      const newest = await tree.commit('c', 'c');
      await tree.git('push', '--quiet', remote, 'HEAD:refs/heads/newest');
      await projectRefs.settle();
      await move('refs/heads/here', null, tip);
      const clone = await WorkTree.init();
      const protocol = ['-c', `protocol.version=${version}`];
      await clone.git(...protocol, 'fetch', '--quiet', '--shallow-exclude=here', remote, 'newest');
      expect((await clone.git('rev-list', 'FETCH_HEAD')).trim()).toBe(newest);

      await move('refs/heads/once-more', null, tip);
      const { body } = await service.call<{ name: string }[]>(
        'GET',
        `/projects/${own.id}/repository/commits/${head}/refs`,
        { token: ada.token },
      );
      expect(body.map(({ name }) => name)).toEqual(['again', 'here', 'newest', 'once-more', `v${version}`]);
    });

    it('removes the folder of a project that is removed, after the project', async () => {
      const gone = await addProject(service, ada, { name: 'gone' });
      const tree = await WorkTree.init();
      await tree.commit('a', 'a');
      await tree.git('push', '--quiet', remoteOf(service, gone.path, 'x', ada.token), 'main');
      const { container } = service.service;
      const { refReader, keepStores, projectRefs } = container.get(REPOSITORY_TOKENS.repositories);
      const folder = await storeOf(service, gone.id);
      expect(existsSync(folder)).toBe(true);
      await service.call('DELETE', `/projects/${gone.id}`, { token: ada.token });
      expect((await ask(`/${gone.path}.git/info/refs?service=git-upload-pack`, { headers: adas() })).status).toBe(404);
      await container.get(TOKENS.jobRunner).runDue();
      await container.get(TOKENS.jobLoop).stop();
      await projectRefs.settle();
      await keepStores.execute();
      expect(existsSync(folder)).toBe(false);
      const later = new Date(service.clock.now().getTime() + 60_000);
      expect(await refReader.orphans(later, 10)).toEqual([]);
    });

    it('answers 503 while the folder of a repository is gone, and names nothing of the machine', async () => {
      const lost = await addProject(service, ada, { name: 'lost' });
      const tree = await WorkTree.init();
      const head = await tree.commit('a', 'a');
      const remote = remoteOf(service, lost.path, 'x', ada.token);
      await tree.git('push', '--quiet', remote, 'main');
      rmSync(await storeOf(service, lost.id), { recursive: true });
      const cloned = await tree.try('clone', remote, join(temporaryFolder(), 'clone'));
      expect([cloned.code, cloned.stderr]).toEqual([128, expect.stringContaining('error: 503')]);
      expect(cloned.stderr).not.toContain('@hashed');
      const { status, headers, text } = await ask(`/${lost.path}.git/git-upload-pack`, {
        method: 'POST',
        headers: { ...adas(), 'Content-Type': 'application/x-git-upload-pack-request', 'Git-Protocol': 'version=2' },
        body: `${packet('command=fetch\n')}0001${packet(`want ${head}\n`)}${packet('done\n')}0000`,
      });
      expect([status, headers.get('retry-after'), text]).toEqual([
        503,
        '5',
        'Repositories are out of reach. Try again later.\n',
      ]);
    });
  });

  describeEachDatabase('a service on a machine without git', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase(), { gitBinary: '/nonexistent/git' });
      ada = await service.addUser('ada');
    });

    afterAll(() => service.close());

    it('does everything else, answers 503 for repositories, and says in its readiness what is missing', async () => {
      const project = await addProject(service, ada, { name: 'mill' });
      for (const name of ['git-upload-pack', 'git-receive-pack']) {
        const response = await fetch(`${service.nodeUrl}/${project.path}.git/info/refs?service=${name}`, {
          headers: basic('x', ada.token),
        });
        expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
        expect(await response.text()).not.toContain('nonexistent');
      }
      const readiness = await fetch(`${service.nodeUrl}/-/readiness`);
      expect([readiness.status, await readiness.json()]).toEqual([
        200,
        {
          status: 'ok',
          checks: {
            database: 'ok',
            repositories: {
              status: 'failed',
              reason: 'git was not found. Set GIT_BINARY to a git of version 2.39.1 or newer.',
            },
          },
        },
      ]);
      await service.call('GET', `/projects/${project.id}`, { token: ada.token });
    });
  });
});
