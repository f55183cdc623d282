import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KEY_TOKENS } from '../../src/infrastructure/composition/keys.tokens.js';
import { DeafSshClient } from '../support/deaf-ssh-client.js';
import { describeEachDatabase } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { addProject, refsOf, storeOf, WorkTree, type TestProject } from '../support/git-service.js';
import { temporaryFolder, tryGit, tryProgram, withGit } from '../support/git.js';
import { signedIn } from '../support/oauth-client.js';
import { SshClient, withSsh } from '../support/ssh-client.js';
import { makeKey, type TestKey } from '../support/ssh-keys.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';

const NOT_FOUND = "The project you were looking for could not be found or you don't have permission to view it.";

const packet = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text;

/** What has come so far. */
const collected = (stream: NodeJS.ReadableStream): { readonly text: string } => {
  const all = { text: '' };
  stream.on('data', (chunk: Buffer) => (all.text += chunk.toString('latin1')));
  return all;
};

const suite = (): void => {
  describeEachDatabase('git over SSH', (openTestDatabase) => {
    let databaseUrl: string;
    let service: TestService;
    let port: number;
    let root: TestUser;
    let ada: TestUser;
    let eve: TestUser;
    let adasClient: SshClient;
    let serial = 0;

    const call = <Body = { id: number }>(method: string, path: string, json?: object, who = ada) =>
      service.call<Body>(method, path, { token: who.token, ...(json === undefined ? {} : { json }) });
    const addKey = async (who: TestUser, key: TestKey = makeKey(), fields: object = {}): Promise<SshClient> => {
      const { status } = await call('POST', '/user/keys', { title: 'test', key: key.line, ...fields }, who);
      expect(status).toBe(201);
      return new SshClient(port, key);
    };
    const addDeployKey = async (project: TestProject, canPush: boolean) => {
      const key = makeKey();
      const { body } = await call('POST', `/projects/${project.id}/deploy_keys`, {
        title: 'robot',
        key: key.line,
        can_push: canPush,
      });
      return { client: new SshClient(port, key), id: body.id };
    };

    beforeAll(async () => {
      databaseUrl = await openTestDatabase();
      port = await freePort();
      service = await TestService.start(databaseUrl, { sshPort: port });
      root = await service.addUser('root', { admin: true });
      [ada, eve] = [await service.addUser('ada'), await service.addUser('eve')];
      adasClient = await addKey(ada);
    });
    afterAll(() => service.close());

    const newProject = (fields: object = {}) => addProject(service, ada, { name: `mill-${(serial += 1)}`, ...fields });
    /** A project with two commits that came over SSH, and their work tree. */
    const pushed = async (fields: object = {}) => {
      const project = await newProject(fields);
      const tree = await WorkTree.init();
      await tree.commit('README.md', '# Mill\n', 'First');
      await tree.commit('a.txt', 'a\n', 'Second');
      const push = await adasClient.git(['push', adasClient.remote(project.path), 'main'], tree.folder);
      expect([push.code, push.stderr]).toEqual([0, expect.stringContaining('main -> main')]);
      return { project, tree };
    };
    const clone = async (client: SshClient, path: string, ...options: string[]) => {
      const folder = join(temporaryFolder(), 'clone');
      const result = await client.git(['clone', ...options, client.remote(path), folder]);
      return { ...result, folder, tree: new WorkTree(folder) };
    };

    it('has its address on the page of a project', async () => {
      const { project } = await pushed({ visibility: 'public' });
      const page = await (await fetch(`${service.url}/${project.path}`)).text();
      expect(page).toContain(`value="${adasClient.remote(project.path).replace('127.0.0.1', 'localhost')}"`);
    });

    it('pushes and clones, by every version of the protocol, and rows are files', async () => {
      const { project, tree } = await pushed();
      for (const version of ['0', '1', '2']) {
        const cloned = await clone(adasClient, project.path, '-c', `protocol.version=${version}`);
        expect([version, cloned.code, cloned.stderr]).toEqual([version, 0, expect.any(String)]);
        expect(await cloned.tree.head()).toBe(await tree.head());
      }
      const { rows, files, problems } = await refsOf(service, project.id);
      expect([problems, files]).toEqual([[], rows]);
    });

    it('fetches what came later, shallow and partial, by versions 0 and 2', async () => {
      const { project, tree } = await pushed();
      for (const version of ['0', '2']) {
        const config = ['-c', `protocol.version=${version}`];
        const shallow = await clone(adasClient, project.path, ...config, '--depth=1');
        expect(await shallow.tree.git('rev-list', '--count', 'HEAD')).toBe('1\n');
        const deepened = await adasClient.git([...config, 'fetch', '--unshallow'], shallow.folder);
        const commits = await tree.git('rev-list', '--count', 'HEAD');
        expect([deepened.code, await shallow.tree.git('rev-list', '--count', 'HEAD')]).toEqual([0, commits]);
        const partial = await clone(adasClient, project.path, ...config, '--filter=blob:none', '--no-checkout');
        expect((await adasClient.git([...config, 'checkout', 'main'], partial.folder)).code).toBe(0);
        const whole = await clone(adasClient, project.path, ...config);
        await tree.commit(`later-${version}.txt`, 'b\n', 'Later');
        await adasClient.git(['push', adasClient.remote(project.path), 'main'], tree.folder);
        const fetched = await adasClient.git([...config, 'pull', '--ff-only'], whole.folder);
        expect([fetched.code, existsSync(join(whole.folder, `later-${version}.txt`))]).toEqual([0, true]);
      }
    });

    it('serves a renamed project at its former address, tells the new one, and makes none there', async () => {
      const { project, tree } = await pushed();
      const since = `since-${serial}`;
      await call('PUT', `/projects/${project.id}`, { path: since });
      const notice = expect.stringContaining(
        `remote: Project '${project.path}' was moved to 'ada/${since}'.\nremote:\nremote: Please update your Git remote:\n`,
      );
      await tree.commit('later.txt', 'later\n', 'Later');
      const push = await adasClient.git(['push', adasClient.remote(project.path), 'main'], tree.folder);
      expect([push.code, push.stderr]).toEqual([0, notice]);
      expect(push.stderr).toContain(`git remote set-url origin ssh://git@`);
      for (const version of ['0', '2']) {
        const cloned = await clone(adasClient, project.path, '-c', `protocol.version=${version}`);
        expect([cloned.code, cloned.stderr, await cloned.tree.head()]).toEqual([0, notice, await tree.head()]);
      }
      const found = await call('GET', `/projects/${encodeURIComponent(project.path)}`);
      expect(found.body.id).toBe(project.id);
      const evesClient = await addKey(eve);
      const refused = await clone(evesClient, project.path);
      expect([refused.code, refused.stderr]).toEqual([128, expect.stringContaining(NOT_FOUND)]);
    });

    it('tells after a push where a merge request for the branch is made', async () => {
      const { project, tree } = await pushed();
      await tree.commit('b.txt', 'b\n', 'Third');
      const { stderr } = await adasClient.git(['push', adasClient.remote(project.path), 'main:topic'], tree.folder);
      expect(stderr).toContain('remote: To create a merge request for topic, visit:');
      expect(stderr).toContain(`${project.path}/-/merge_requests/new?merge_request%5Bsource_branch%5D=topic`);
    });

    it('clones an empty project', async () => {
      const project = await newProject();
      for (const version of ['0', '2'])
        expect((await clone(adasClient, project.path, '-c', `protocol.version=${version}`)).code).toBe(0);
    });

    it('takes deletions, tags, push options, and 8 MB that can’t be compressed', async () => {
      const { project, tree } = await pushed();
      const bytes = randomBytes(8 * 1024 * 1024);
      await tree.commit('big.bin', bytes);
      await tree.git('tag', '-a', '-m', 'Tagged', 'v1');
      const remote = adasClient.remote(project.path);
      expect(
        (await adasClient.git(['push', '-o', 'ci.skip', remote, 'main', 'v1', 'main:topic'], tree.folder)).code,
      ).toBe(0);
      expect((await adasClient.git(['push', remote, ':topic'], tree.folder)).code).toBe(0);
      const cloned = await clone(adasClient, project.path);
      expect(readFileSync(join(cloned.folder, 'big.bin')).equals(bytes)).toBe(true);
      expect(await cloned.tree.git('tag')).toBe('v1\n');
      expect(await cloned.tree.git('branch', '-r')).not.toContain('topic');
    });

    it('makes a private project where there is none yet', async () => {
      const tree = await WorkTree.init();
      await tree.commit('README.md', 'x\n');
      const path = `ada/new-${(serial += 1)}`;
      const push = await adasClient.git(['push', adasClient.remote(path), 'main'], tree.folder);
      expect([push.code, push.stderr]).toEqual([
        0,
        expect.stringContaining(`The private project ${path} was successfully created.`),
      ]);
      expect(push.stderr).toContain(`git remote add origin ssh://git@localhost:${port}/${path}.git`);
    });

    it('takes keys of every kind', async () => {
      const { project } = await pushed();
      for (const key of [makeKey('rsa'), makeKey('ecdsa', 256), makeKey('ecdsa', 384), makeKey('ecdsa', 521)]) {
        const client = await addKey(ada, key);
        expect([key.bare.split(' ')[0], (await clone(client, project.path)).code]).toEqual([key.bare.split(' ')[0], 0]);
      }
    });

    it('is where the address of a project says', async () => {
      const project = await newProject();
      const { body } = await call<{ ssh_url_to_repo: string }>('GET', `/projects/${project.id}`);
      expect(body.ssh_url_to_repo).toBe(`ssh://git@localhost:${port}/${project.path}.git`);
    });

    describe('refuses', () => {
      const refusalOf = async (client: SshClient, path: string) => {
        const { code, stderr } = await clone(client, path);
        return [code, /ERROR: (.*)/.exec(stderr)?.[1] ?? stderr];
      };
      const pushRefusal = async (client: SshClient, path: string, tree: WorkTree) => {
        const { code, stderr } = await client.git(['push', client.remote(path), 'HEAD:refs/heads/other'], tree.folder);
        return [code, /ERROR: (.*)/.exec(stderr)?.[1] ?? stderr];
      };

      it('a key that nobody has, and another name than git', async () => {
        const { project } = await pushed();
        const stranger = new SshClient(port, makeKey());
        expect((await clone(stranger, project.path)).stderr).toContain('Permission denied (publickey)');
        const { code } = await adasClient.ssh('ada@127.0.0.1');
        expect(code).toBe(255);
      });

      it('a key that was removed or has expired, and who is blocked', async () => {
        const { project } = await pushed({ visibility: 'public' });
        const expiring = await addKey(eve, makeKey(), {
          expires_at: new Date(service.clock.now().getTime() + 60_000).toISOString(),
        });
        expect((await clone(expiring, project.path)).code).toBe(0);
        service.clock.advance(61_000);
        expect(await refusalOf(expiring, project.path)).toEqual([128, 'Your SSH key has expired.']);
        const mallory = await service.addUser(`mallory${(serial += 1)}`);
        const client = await addKey(mallory);
        await call('POST', `/users/${mallory.id}/block`, undefined, root);
        expect(await refusalOf(client, project.path)).toEqual([128, 'Your account has been blocked.']);
        expect((await client.ssh('-T', 'git@127.0.0.1')).code).toBe(1);
      });

      it('the next request of a conversation that is open when its key or the right to read is taken away', async () => {
        const { project } = await pushed();
        await call('POST', `/projects/${project.id}/members`, { user_id: eve.id, access_level: 20 });
        const request = `${packet('command=ls-refs\n')}0001${packet('peel\n')}0000`;
        const refusalAfter = async (takeAway: (key: number) => Promise<unknown>) => {
          const client = await addKey(eve);
          const keys = await call<{ id: number }[]>('GET', '/user/keys?per_page=100', undefined, eve);
          const reading = client.start(
            ...['-o', 'SetEnv=GIT_PROTOCOL=version=2', 'git@127.0.0.1', `git-upload-pack '${project.path}.git'`],
          );
          const [answers, errors] = [collected(reading.stdout), collected(reading.stderr)];
          reading.stdin.write(request);
          await until(() => Promise.resolve(answers.text.includes('refs/heads/main')));
          const before = answers.text;
          await takeAway(keys.body.at(-1)!.id);
          reading.stdin.write(request);
          const [code] = (await once(reading, 'close')) as [number];
          return [code, answers.text === before, /ERROR: (.*)/.exec(errors.text)?.[1]];
        };
        const byKey = await refusalAfter((key) => call('DELETE', `/user/keys/${key}`, undefined, eve));
        expect(byKey).toEqual([1, true, 'Your SSH key has been removed.']);
        const byRight = await refusalAfter(() => call('DELETE', `/projects/${project.id}/members/${eve.id}`));
        expect(byRight).toEqual([1, true, NOT_FOUND]);
      });

      it('what isn’t there and what one may not see, in the same words; and what one may not do', async () => {
        const { project, tree } = await pushed();
        const client = await addKey(eve);
        expect(await refusalOf(client, project.path)).toEqual([128, NOT_FOUND]);
        expect(await refusalOf(client, 'ada/not-there')).toEqual([128, NOT_FOUND]);
        expect(await pushRefusal(client, project.path, tree)).toEqual([128, NOT_FOUND]);
        await call('POST', `/projects/${project.id}/members`, { user_id: eve.id, access_level: 20 });
        expect((await clone(client, project.path)).code).toBe(0);
        expect(await pushRefusal(client, project.path, tree)).toEqual([
          128,
          'You are not allowed to push code to this project.',
        ]);
      });

      it('what is out of reach, by every version of the protocol, and names nothing of the machine', async () => {
        const { project } = await pushed();
        rmSync(await storeOf(service, project.id), { recursive: true });
        for (const version of ['0', '2']) {
          const { code, stderr } = await clone(adasClient, project.path, '-c', `protocol.version=${version}`);
          expect([version, code, stderr]).toEqual([version, 128, expect.stringContaining('out of reach')]);
          expect(stderr).not.toContain('@hashed');
        }
      });

      it('what rules forbid, in the words of a push over HTTP', async () => {
        const { project, tree } = await pushed();
        const push = await adasClient.git(['push', adasClient.remote(project.path), ':main'], tree.folder);
        expect([push.code, push.stderr]).toEqual([1, expect.stringContaining('pre-receive hook declined')]);
        expect(push.stderr).toContain('The default branch of a project cannot be deleted.');
      });

      it('other commands, what can’t be read, subsystems, and forwarding', async () => {
        const { project } = await pushed();
        const ask = async (...argv: string[]) => {
          const { code, stderr, stdout } = await adasClient.ssh('git@127.0.0.1', ...argv);
          return [code, stdout, /ERROR: (.*)/.exec(stderr)?.[1]];
        };
        expect(await ask('ls /')).toEqual([128, '', 'Unknown command: ls /']);
        expect(await ask("git-upload-pack 'a' --upload-pack=x")).toEqual([
          128,
          '',
          expect.stringMatching(/^Failed to parse/),
        ]);
        expect(await ask('git-upload-pack $(id)')).toEqual([128, '', expect.stringMatching(/^Failed to parse/)]);
        expect(await ask(`git-upload-pack '${project.path}/../../etc'`)).toEqual([1, '', expect.any(String)]);
        const sftp = await adasClient.ssh('-s', 'git@127.0.0.1', 'sftp');
        expect(sftp.code).not.toBe(0);
        const forward = await adasClient.ssh('-N', '-W', '127.0.0.1:22', 'git@127.0.0.1');
        expect(forward.code).not.toBe(0);
      });
    });

    describe('with a deploy key', () => {
      it('reads its project, and pushes where it may, in the name of who made it', async () => {
        const { project, tree } = await pushed();
        const { client, id } = await addDeployKey(project, false);
        expect((await clone(client, project.path)).code).toBe(0);
        const push = () => client.git(['push', client.remote(project.path), 'HEAD:refs/heads/robot'], tree.folder);
        const refused = await push();
        expect(refused.stderr).toContain('ERROR: This deploy key does not have write access to this project.');
        await call('PUT', `/projects/${project.id}/deploy_keys/${id}`, { can_push: true });
        expect((await push()).code).toBe(0);
        const { body } = await call<{ author_username: string; push_data: { ref: string } }[]>(
          'GET',
          `/projects/${project.id}/events?action=pushed`,
        );
        expect([body[0]?.author_username, body[0]?.push_data.ref]).toEqual(['ada', 'robot']);
      });

      it('that was added in the pages pushes where the page says so', async () => {
        const { project, tree } = await pushed();
        const settings = `/${project.path}/-/settings/deploy_keys`;
        const browser = await signedIn(service, ada.username);
        const key = makeKey();
        const client = new SshClient(port, key);
        const push = () => client.git(['push', client.remote(project.path), 'HEAD:refs/heads/robot'], tree.folder);
        await browser.submit(settings, settings, { act: 'add', title: 'robot', key: key.line });
        expect((await clone(client, project.path)).code).toBe(0);
        expect((await push()).stderr).toContain('This deploy key does not have write access to this project.');
        const [, one = ''] =
          new RegExp(`href="(${settings}/\\d+)"`).exec(await (await browser.get(settings)).text()) ?? [];
        await browser.submit(one, one, { title: 'robot', can_push: 'true' });
        expect((await push()).code).toBe(0);
        await browser.submit(`${one}/remove`, `${one}/remove`, {});
        expect((await clone(client, project.path)).code).toBe(128);
      });

      it('sees no other project but public ones, and makes none', async () => {
        const [{ project, tree }, other, open] = [
          await pushed(),
          await pushed(),
          await pushed({ visibility: 'public' }),
        ];
        const { client } = await addDeployKey(project, true);
        expect((await clone(client, other.project.path)).stderr).toContain(NOT_FOUND);
        expect((await clone(client, open.project.path)).code).toBe(0);
        const made = await client.git(['push', client.remote('ada/made-by-robot'), 'main'], tree.folder);
        expect([made.code, made.stderr]).toEqual([128, expect.stringContaining(NOT_FOUND)]);
        const foreign = await client.git(['push', client.remote(open.project.path), 'HEAD:refs/heads/x'], tree.folder);
        expect(foreign.stderr).toContain('This deploy key does not have write access to this project.');
      });

      it('pushes no more once who made it is blocked, and no further than they may', async () => {
        const project = await newProject();
        const tree = await WorkTree.init();
        await tree.commit('README.md', 'x\n');
        const maker = await service.addUser(`maker${(serial += 1)}`);
        await call('POST', `/projects/${project.id}/members`, { user_id: maker.id, access_level: 40 });
        const key = makeKey();
        await call('POST', `/projects/${project.id}/deploy_keys`, { title: 'x', key: key.line, can_push: true }, maker);
        const client = new SshClient(port, key);
        const push = (ref: string) =>
          client.git(['push', client.remote(project.path), `HEAD:refs/heads/${ref}`], tree.folder);
        expect((await push('main')).code).toBe(0);
        await call('DELETE', `/projects/${project.id}/members/${maker.id}`);
        await tree.commit('b.txt', 'b\n');
        expect((await push('main')).stderr).toContain('You are not allowed to push code to protected branches');
        await call('POST', `/projects/${project.id}/protected_branches`, { name: 'open', push_access_level: 30 });
        expect((await push('open')).stderr).toContain('You are not allowed to create protected branches');
        expect((await push('topic')).code).toBe(0);
        await call('POST', `/projects/${project.id}/members`, { user_id: maker.id, access_level: 30 });
        expect((await push('open')).code).toBe(0);
        await call('POST', `/users/${maker.id}/block`, undefined, root);
        expect((await push('more')).stderr).toContain('This deploy key does not have write access');
      });
    });

    describe('without a command', () => {
      it('welcomes people by name and machines as Anonymous, and gives nobody a terminal', async () => {
        const project = await newProject();
        const { client } = await addDeployKey(project, false);
        const { code, stdout } = await adasClient.ssh('-T', 'git@127.0.0.1');
        expect([code, stdout.trim()]).toEqual([0, 'Welcome to GitLab, @ada!']);
        expect((await adasClient.ssh('-tt', 'git@127.0.0.1')).stderr).toContain('PTY allocation request failed');
        expect((await client.ssh('-T', 'git@127.0.0.1')).stdout.trim()).toBe('Welcome to GitLab, Anonymous!');
      });
    });

    it('notes when a key was last used', async () => {
      const client = await addKey(eve);
      await client.ssh('-T', 'git@127.0.0.1');
      await service.service.container.get(KEY_TOKENS.keys).keyUses.flush();
      const { body } = await call<{ last_used_at: string | null }[]>('GET', '/user/keys?per_page=100', undefined, eve);
      expect(body.at(-1)?.last_used_at).toBe(service.clock.now().toISOString());
    });

    it('shows the same host keys after a restart, of each algorithm one', async () => {
      const scan = async (): Promise<readonly string[]> => {
        const { stdout } = await tryProgram('ssh-keyscan', ['-T', '120', '-p', String(port), '127.0.0.1']);
        return stdout
          .split('\n')
          .filter((line) => line !== '' && !line.startsWith('#'))
          .map((line) => line.split(' ').slice(1).join(' '))
          .sort();
      };
      const before = await scan();
      expect(before.map((line) => line.split(' ')[0])).toEqual(['ecdsa-sha2-nistp256', 'ssh-ed25519', 'ssh-rsa']);
      await service.close();
      service = await TestService.start(databaseUrl, { sshPort: port });
      expect(await scan()).toEqual(before);
    });

    it('outlives clients that send what is no SSH, break off, or say nothing', async () => {
      const send = async (bytes: Buffer): Promise<void> => {
        const socket = connect(port, '127.0.0.1');
        socket.on('error', () => undefined);
        await once(socket, 'connect');
        socket.write(bytes);
        setTimeout(() => socket.destroy(), 100);
        await once(socket, 'close');
      };
      await Promise.all([
        send(Buffer.from('GET / HTTP/1.1\r\n\r\n')),
        send(Buffer.concat([Buffer.from('SSH-2.0-x\r\n'), randomBytes(4_096)])),
        send(Buffer.concat([Buffer.from('SSH-2.0-x\r\n'), Buffer.alloc(64, 0xff)])),
        send(randomBytes(100_000)),
        send(Buffer.alloc(0)),
      ]);
      expect((await adasClient.ssh('-T', 'git@127.0.0.1')).code).toBe(0);
    });

    describe('of a client that asks on and on, and reads no answer', () => {
      const linesOf = () => service.logger.lines.filter(({ message }) => message === 'ssh command').length;
      const deafClient = async () => {
        const { project, tree } = await pushed();
        // Long answers, so that few fill what may wait for it.
        for (let tag = 0; tag < 50; tag += 1) await tree.git('tag', `v${tag}`);
        await adasClient.git(['push', '--tags', adasClient.remote(project.path)], tree.folder);
        const key = makeKey();
        await addKey(ada, key);
        return DeafSshClient.start(port, key, `git-upload-pack '${project.path}.git'`);
      };

      it('ends the command with the connection', async () => {
        const client = await deafClient();
        const before = linesOf();
        await client.ask(2_000);
        expect(linesOf()).toBe(before);
        client.leave();
        await until(() => Promise.resolve(linesOf() > before));
      });

      it('ends the connection once it sends more than it was let', async () => {
        const client = await deafClient();
        await client.ask(2_000);
        client.ignoreWindow();
        // Twice what may wait unread, for as much again may have been taken up at once by whoever reads it, and then some.
        await Promise.all([client.ended(), client.ask(400_000)]);
      });
    });

    it('lets a push end that runs when the service is told to stop', async () => {
      await service.close();
      // On a busy machine what is left of it may take longer than a stop usually waits.
      service = await TestService.startWith(databaseUrl, { sshPort: port }, { drainLimitMs: 120_000 });
      const { project, tree } = await pushed();
      await tree.commit('big.bin', randomBytes(1024 * 1024));
      const objects = join(await storeOf(service, project.id), 'objects');
      // Half of it comes before the service is told to stop, and half of it afterwards.
      const [sender, sign] = [join(temporaryFolder(), 'ssh'), join(temporaryFolder(), 'goes')];
      const halves = `{ head -c 500000; until [ -e '${sign}' ]; do sleep 0.1; done; cat; }`;
      writeFileSync(sender, `#!/bin/sh\n${halves} | ${adasClient.command} "$@"\n`, { mode: 0o755 });
      const env = { GIT_SSH_COMMAND: sender };
      const push = tryGit(['push', adasClient.remote(project.path), 'main'], { cwd: tree.folder, env });
      await until(() => Promise.resolve(readdirSync(objects).some((name) => name.startsWith('incoming-'))));
      const closed = service.close();
      writeFileSync(sign, '');
      await closed;
      const { code, stderr } = await push;
      service = await TestService.start(databaseUrl, { sshPort: port });
      expect([code, stderr]).toEqual([0, expect.stringContaining('main -> main')]);
      expect((await refsOf(service, project.id)).rows).toEqual([`${await tree.head()} refs/heads/main`]);
    });
  });
};

withGit('git over SSH', () => withSsh('git over SSH', suite));
