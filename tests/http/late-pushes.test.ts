import { randomBytes } from 'node:crypto';
import { NO_OBJECT } from '../../src/domain/repositories/object-id.js';
import { packet } from '../../src/adapters/inbound/git/pkt-line.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AwaitedBodies } from '../support/awaited-bodies.js';
import { describeEachDatabase } from '../support/databases.js';
import { PASSWORD } from '../support/form-browser.js';
import { freePort } from '../support/free-port.js';
import { addProject, refsOf, remoteOf, WorkTree, type TestProject } from '../support/git-service.js';
import { withGit } from '../support/git.js';
import { HalfPush, packsBeingTaken } from '../support/half-push.js';
import { LateRequest } from '../support/late-request.js';
import { SshClient, withSsh } from '../support/ssh-client.js';
import { makeKey } from '../support/ssh-keys.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';

const MAY_NOT_PUSH = 'You are not allowed to push code to this project.';
const ARCHIVED = "You can't push code to an archived project.";
const DECLINED = 'ng refs/heads/late pre-receive hook declined';

interface Place {
  readonly project: TestProject;
  /** A Developer of it. */
  readonly carol: TestUser;
}

withGit('a push that ends late', () => {
  describeEachDatabase('a push that ends late', (openTestDatabase) => {
    let service: TestService;
    let port: number;
    let root: TestUser;
    let ada: TestUser;
    let tree: WorkTree;
    let serial = 0;

    beforeAll(async () => {
      port = await freePort();
      service = await TestService.start(await openTestDatabase(), { sshPort: port });
      root = await service.addUser('root', { admin: true });
      ada = await service.addUser('ada');
      tree = await WorkTree.init();
      await tree.commit('large', randomBytes(1_000_000));
    });
    afterAll(() => service.close());

    const call = async <Body = unknown>(who: TestUser, method: string, path: string, json?: object) => {
      const answer = await service.call<Body>(method, path, {
        token: who.token,
        ...(json === undefined ? {} : { json }),
      });
      expect([path, answer.status < 300]).toEqual([path, true]);
      return answer.body;
    };
    const place = async (): Promise<Place> => {
      const project = await addProject(service, ada, { name: `mill-${(serial += 1)}`, visibility: 'public' });
      const carol = await service.addUser(`carol-${serial}`, { password: PASSWORD });
      await call(ada, 'POST', `/projects/${project.id}/repository/commits`, {
        ...{ branch: 'main', commit_message: 'First' },
        actions: [{ action: 'create', file_path: 'a', content: 'a' }],
      });
      await call(ada, 'POST', `/projects/${project.id}/members`, { user_id: carol.id, access_level: 30 });
      return { project, carol };
    };
    const remove = ({ project, carol }: Place) => call(ada, 'DELETE', `/projects/${project.id}/members/${carol.id}`);
    const block = ({ carol }: Place) => call(root, 'POST', `/users/${carol.id}/block`);

    /** Once the service has let it in, and reads its pack. */
    const begun = async (sent: Promise<HalfPush>): Promise<HalfPush> => {
      const half = await sent;
      await until(() => Promise.resolve(packsBeingTaken(service) === 1));
      return half;
    };
    const halfOf = ({ project, carol }: Place, secret = carol.token) =>
      begun(HalfPush.send(remoteOf(service, project.path, carol.username, secret), tree, 'late'));
    const landedAt = async ({ project }: Place) =>
      (await refsOf(service, project.id)).rows.filter((row) => row.endsWith(' refs/heads/late'));
    const expectDeclined = async (at: Place, half: HalfPush, words = MAY_NOT_PUSH): Promise<void> => {
      const { text } = await half.finish();
      expect(text).toContain(words);
      expect(text).toContain(DECLINED);
      expect(await landedAt(at)).toEqual([]);
    };

    it('lands where nothing has changed meanwhile', async () => {
      const at = await place();
      const { status, text } = await (await halfOf(at)).finish();
      expect([status, text]).toEqual([200, expect.stringContaining('ok refs/heads/late')]);
      expect(await landedAt(at)).toEqual([`${await tree.head()} refs/heads/late`]);
    });

    const DEEDS: readonly (readonly [string, (at: Place) => Promise<unknown>, string])[] = [
      ['was removed from the project', remove, MAY_NOT_PUSH],
      [
        'became a Reporter',
        ({ project, carol }) => call(ada, 'PUT', `/projects/${project.id}/members/${carol.id}`, { access_level: 20 }),
        MAY_NOT_PUSH,
      ],
      ['was blocked', block, MAY_NOT_PUSH],
      ['revoked the token', ({ carol }) => call(carol, 'DELETE', '/personal_access_tokens/self'), MAY_NOT_PUSH],
      ['pushes to what was archived', ({ project }) => call(ada, 'POST', `/projects/${project.id}/archive`), ARCHIVED],
    ];

    it.each(DEEDS)('does not land where its sender %s meanwhile', async (_, deed, words) => {
      const at = await place();
      const half = await halfOf(at);
      await deed(at);
      await expectDeclined(at, half, words);
    });

    it.each([
      ['a password', () => Promise.resolve(PASSWORD)],
      ['a token of an application', ({ carol }: Place) => service.addOAuthToken(carol.username, PASSWORD, 'api')],
    ])('does not land by %s that a new password put an end to meanwhile', async (_, secretOf) => {
      const at = await place();
      const half = await halfOf(at, await secretOf(at));
      await call(root, 'PUT', `/users/${at.carol.id}`, { password: `${PASSWORD}-2` });
      await expectDeclined(at, half);
    });

    it('does not land in a project that is gone', async () => {
      const at = await place();
      const half = await halfOf(at);
      await call(ada, 'DELETE', `/projects/${at.project.id}`);
      expect(await half.finish()).toEqual({ status: 404, text: 'Project Not Found\n' });
    });

    it('makes a project for nobody who was blocked before it said what it brings', async () => {
      const carol = await service.addUser(`carol-${(serial += 1)}`);
      const bodies = new AwaitedBodies(service);
      const late = await LateRequest.begin({
        url: `${service.nodeUrl}/${carol.username}/new.git/git-receive-pack`,
        headers: {
          Authorization: `Basic ${Buffer.from(`oauth2:${carol.token}`).toString('base64')}`,
          'Content-Type': 'application/x-git-receive-pack-request',
        },
        body: `${packet(`${NO_OBJECT} ${await tree.head()} refs/heads/main`).toString()}0000`,
      });
      await bodies.are(1);
      await call(root, 'POST', `/users/${carol.id}/block`);
      expect((await late.finish()).status).toBe(401);
      expect(await call(root, 'GET', `/users/${carol.id}/projects`)).toEqual([]);
    });

    withSsh('a push over SSH that ends late', () => {
      describe('over SSH', () => {
        const personsKey = async ({ carol }: Place) => {
          const key = makeKey();
          const { id } = await call<{ id: number }>(carol, 'POST', '/user/keys', { title: 'test', key: key.line });
          return { client: new SshClient(port, key), path: `/user/keys/${id}` };
        };
        const deployKey = async ({ project }: Place) => {
          const key = makeKey();
          const json = { title: 'robot', key: key.line, can_push: true };
          const keys = `/projects/${project.id}/deploy_keys`;
          const { id } = await call<{ id: number }>(ada, 'POST', keys, json);
          return { client: new SshClient(port, key), path: `${keys}/${id}` };
        };
        const halfBy = ({ project }: Place, client: SshClient) =>
          begun(HalfPush.sendOverSsh(client, project.path, tree, 'late'));

        it.each([
          ['was removed from the project', remove],
          ['was blocked', block],
        ])('does not land where its sender %s meanwhile', async (_, deed) => {
          const at = await place();
          const half = await halfBy(at, (await personsKey(at)).client);
          await deed(at);
          await expectDeclined(at, half);
        });

        it('does not land by a key that was removed meanwhile', async () => {
          const at = await place();
          const { client, path } = await personsKey(at);
          const half = await halfBy(at, client);
          await call(at.carol, 'DELETE', path);
          await expectDeclined(at, half);
        });

        it('does not land by a deploy key that was removed, or may only read, meanwhile', async () => {
          for (const [method, json] of [['DELETE'], ['PUT', { can_push: false }]] as const) {
            const at = await place();
            const { client, path } = await deployKey(at);
            const half = await halfBy(at, client);
            await call(ada, method, path, json);
            await expectDeclined(at, half);
          }
        });

        it('lands by a deploy key that nothing happened to', async () => {
          const at = await place();
          const half = await halfBy(at, (await deployKey(at)).client);
          expect((await half.finish()).text).toContain('ok refs/heads/late');
          expect(await landedAt(at)).toHaveLength(1);
        });
      });
    });
  });
});
