import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { pushesFollowed } from '../support/ci-runner.js';
import { describeEachDatabase } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { addProject, WorkTree } from '../support/git-service.js';
import { withGit } from '../support/git.js';
import { SshClient, withSsh } from '../support/ssh-client.js';
import { makeKey } from '../support/ssh-keys.js';
import { TestService, type TestUser } from '../support/test-service.js';

withGit('what commits say that a machine pushed', () =>
  withSsh('what commits say that a machine pushed', () =>
    describeEachDatabase('what commits say that a machine pushed', (openTestDatabase) => {
      let service: TestService;
      let port: number;
      let root: TestUser;
      let ada: TestUser;

      beforeAll(async () => {
        port = await freePort();
        service = await TestService.start(await openTestDatabase(), { sshPort: port });
        root = await service.addUser('root', { admin: true });
        ada = await service.addUser('ada');
      });
      afterAll(() => service.close());

      const call = async <Body>(who: TestUser, method: string, path: string, json?: object) => {
        const { status, body } = await service.call<Body>(method, path, {
          token: who.token,
          ...(json === undefined ? {} : { json }),
        });
        expect([path, status < 300]).toEqual([path, true]);
        return body;
      };
      const openIssue = (projectId: number) =>
        call<{ iid: number }>(ada, 'POST', `/projects/${projectId}/issues`, { title: 'Leak' });
      const standing = async (projectId: number) => {
        const issue = `/projects/${projectId}/issues/1`;
        const { state } = await call<{ state: string }>(ada, 'GET', issue);
        const notes = await call<object[]>(ada, 'GET', `${issue}/notes`);
        return [state, notes.length];
      };

      it('concerns the project of its key alone, whoever made that key', async () => {
        const [own, other] = [
          await addProject(service, ada, { name: 'own', visibility: 'public' }),
          await addProject(service, ada, { name: 'other', visibility: 'public' }),
        ];
        for (const { id } of [own, other]) await openIssue(id);
        const tree = await WorkTree.init();
        await tree.commit('README.md', '# Own\n');
        for (const maker of [ada, root]) {
          const key = makeKey();
          const json = { title: 'robot', key: key.line, can_push: true };
          await call(maker, 'POST', `/projects/${own.id}/deploy_keys`, json);
          const client = new SshClient(port, key);
          await tree.commit('a.txt', maker.username, `Closes ${other.path}#1, and see ${own.path}#1`);
          const { code, stderr } = await client.git(['push', client.remote(own.path), 'main'], tree.folder);
          expect([code, stderr]).toEqual([0, expect.stringContaining('main')]);
          await pushesFollowed(service);
        }
        expect(await standing(other.id)).toEqual(['opened', 0]);
        expect(await standing(own.id)).toEqual(['opened', 2]);
        await tree.commit('b.txt', 'b', 'Closes #1');
        const key = makeKey();
        await call(ada, 'POST', `/projects/${own.id}/deploy_keys`, { title: 'x', key: key.line, can_push: true });
        const client = new SshClient(port, key);
        expect((await client.git(['push', client.remote(own.path), 'main'], tree.folder)).code).toBe(0);
        await pushesFollowed(service);
        expect((await standing(own.id))[0]).toBe('closed');
      });
    }),
  ),
);
