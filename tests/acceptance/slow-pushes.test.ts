import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeAnyDatabase } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { addProject, refsOf, remoteOf, storeOf, WorkTree } from '../support/git-service.js';
import { temporaryFolder, tryGit, withGit } from '../support/git.js';
import { HalfPush, packsBeingTaken } from '../support/half-push.js';
import { SshClient, withSsh } from '../support/ssh-client.js';
import { makeKey } from '../support/ssh-keys.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';

const TOO_SLOW = 'The push came too slowly: less than 16 KiB arrived in 1 seconds. Push it again.';
/** As many as there are places for packs, at least. */
const MANY = Math.max(availableParallelism() * 4, 16) + 2;

const suite = (): void => {
  describeAnyDatabase('pushes that stand still', (openTestDatabase) => {
    let databaseUrl: string;
    let service: TestService;
    let port: number;
    let ada: TestUser;
    let tree: WorkTree;
    let serial = 0;

    beforeAll(async () => {
      [databaseUrl, port] = [await openTestDatabase(), await freePort()];
      service = await TestService.start(databaseUrl, { sshPort: port, gitPushStallSeconds: 1 });
      ada = await service.addUser('ada');
      tree = await WorkTree.init();
      await tree.commit('large', randomBytes(1_000_000));
    });
    afterAll(() => service.close());

    const newProject = async (owner = ada) => {
      const project = await addProject(service, owner, { name: `mill-${(serial += 1)}` });
      return { ...project, remote: remoteOf(service, project.path, 'oauth2', owner.token) };
    };
    type Project = Awaited<ReturnType<typeof newProject>>;
    const push = (remote: string) => tryGit(['push', '--quiet', remote, 'main'], { cwd: tree.folder });

    /** No branch, no child, and nothing of what came; and the whole push is taken afterwards. */
    const expectNothingLeft = async ({ id, remote }: Project): Promise<void> => {
      await until(() => Promise.resolve(packsBeingTaken(service) === 0));
      const objects = join(await storeOf(service, id), 'objects');
      await until(() => Promise.resolve(!readdirSync(objects).some((name) => name.startsWith('incoming-'))));
      expect((await refsOf(service, id)).rows).toEqual([]);
      expect((await push(remote)).code).toBe(0);
      const { rows, files, problems } = await refsOf(service, id);
      expect([rows, problems]).toEqual([[`${await tree.head()} refs/heads/main`], []]);
      expect(files).toEqual(rows);
    };

    it('are refused over HTTP in words, and leave nothing behind', async () => {
      const project = await newProject();
      const half = await HalfPush.send(project.remote, tree, 'main');
      expect(await half.answer).toEqual({ status: 408, text: expect.stringContaining(TOO_SLOW) });
      await expectNothingLeft(project);
    });

    it('are refused over SSH in words, and leave nothing behind', async () => {
      const project = await newProject();
      const key = makeKey();
      await service.call('POST', '/user/keys', { token: ada.token, json: { title: 'test', key: key.line } });
      const client = new SshClient(port, key);
      const [sender, sign] = [join(temporaryFolder(), 'ssh'), join(temporaryFolder(), 'goes')];
      const half = `{ head -c 500000; until [ -e '${sign}' ]; do sleep 0.1; done; }`;
      const whole = `${half} | { ${client.command} "$@"; code=$?; : > '${sign}'; exit $code; }`;
      writeFileSync(sender, `#!/bin/sh\n${whole}\n`, { mode: 0o755 });
      const env = { GIT_SSH_COMMAND: sender };
      const { code, stderr } = await tryGit(['push', client.remote(project.path), 'main'], { cwd: tree.folder, env });
      expect([code === 0, stderr]).toEqual([false, expect.stringContaining(TOO_SLOW)]);
      await expectNothingLeft(project);
    });

    describe('for longer than anybody waits', () => {
      beforeAll(async () => {
        await service.close();
        service = await TestService.start(databaseUrl, { gitPushStallSeconds: 9_999 });
      });

      it('leave nothing behind where the client has left', async () => {
        const project = await newProject();
        const half = await HalfPush.send(project.remote, tree, 'main');
        await until(() => Promise.resolve(packsBeingTaken(service) === 1));
        half.breakOff();
        await expectNothingLeft(project);
      });

      it('of one person, however many, hold up nobody else', async () => {
        const [hers, grace] = [await newProject(), await service.addUser('grace')];
        const sent = Array.from({ length: MANY }, (_, index) => HalfPush.send(hers.remote, tree, `b${index}`));
        const halves = await Promise.all(sent);
        await until(() => Promise.resolve(packsBeingTaken(service) > 1));
        const theirs = await newProject(grace);
        expect((await push(theirs.remote)).code).toBe(0);
        expect((await tryGit(['clone', '--quiet', theirs.remote, join(temporaryFolder(), 'clone')])).code).toBe(0);
        expect(packsBeingTaken(service)).toBeLessThanOrEqual(MANY / 2);
        halves.forEach((half) => half.breakOff());
        await expectNothingLeft(hers);
      });
    });
  });
};

withGit('pushes that stand still', () => withSsh('pushes that stand still', suite));
