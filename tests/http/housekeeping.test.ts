import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { REPOSITORY_TOKENS } from '../../src/infrastructure/composition/repositories.tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { git, temporaryFolder, withGit } from '../support/git.js';
import { addProject, refsOf, remoteOf, storeOf, WorkTree, type TestProject } from '../support/git-service.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** As many as it takes for a store to be packed. */
const PUSHES = 20;

withGit('housekeeping of repositories', () => {
  describeEachDatabase('housekeeping of repositories', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      ada = await service.addUser('ada');
    });

    afterAll(() => service.close());

    /** As the service does it by the clock. */
    const keepHouse = () => {
      const { housekeeping } = service.service.container.get(REPOSITORY_TOKENS.repositories);
      return housekeeping.execute(new AbortController().signal);
    };

    const packsOf = async (project: TestProject): Promise<string[]> =>
      readdirSync(join(await storeOf(service, project.id), 'objects/pack')).filter((name) => name.endsWith('.pack'));

    const objectsOf = async (project: TestProject): Promise<string[]> =>
      (
        await git([
          '--git-dir',
          await storeOf(service, project.id),
          'cat-file',
          '--batch-all-objects',
          '--batch-check=%(objectname)',
        ])
      )
        .trim()
        .split('\n');

    const metric = async (labels: string): Promise<number> => {
      const text = await (await fetch(`${service.nodeUrl}/-/metrics`)).text();
      return Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`gatehouse_housekeeping_total{${labels}}`))
          ?.split(' ')[1],
      );
    };

    const addTree = async (name: string): Promise<{ project: TestProject; tree: WorkTree }> => {
      const project = await addProject(service, ada, { name });
      const tree = await WorkTree.init();
      await tree.git('remote', 'add', 'origin', remoteOf(service, project.path, 'ada', ada.token));
      return { project, tree };
    };

    const pushTimes = async (tree: WorkTree, times: number): Promise<void> => {
      for (let count = 0; count < times; count += 1) {
        await tree.commit(`file-${count}`, `${count}\n`);
        await tree.git('push', '--quiet', 'origin', 'main');
      }
    };

    const commitByApi = (project: TestProject, path: string) =>
      service.call('POST', `/projects/${project.id}/repository/files/${path}`, {
        token: ada.token,
        json: { branch: 'main', content: path, commit_message: path },
      });

    /** Each is as much to keep house of as a push, and costs a fraction. */
    const commitTimes = async (project: TestProject, name: string, times = PUSHES): Promise<void> => {
      for (let count = 0; count < times; count += 1)
        expect((await commitByApi(project, `${name}-${count}`)).status).toBe(201);
    };

    describe('a repository that many pushes came to', () => {
      it('is packed into few files, counted, and whole', async () => {
        const { project, tree } = await addTree('many');
        await pushTimes(tree, PUSHES - 1);
        await keepHouse();
        expect(await packsOf(project)).toHaveLength(PUSHES - 1);
        const done = await metric('work="gathered",outcome="done"');
        await commitByApi(project, 'by-api');
        await keepHouse();
        expect(await metric('work="gathered",outcome="done"')).toBe(done + 1);
        await keepHouse();
        expect(await metric('work="gathered",outcome="done"')).toBe(done + 1);
        service.clock.advance(3 * HOUR_MS);
        await keepHouse();
        expect(await packsOf(project)).toHaveLength(1);
        const { rows, files, problems } = await refsOf(service, project.id);
        expect([rows, problems]).toEqual([files, []]);
      });

      it('is rid of replaced packs after two hours, however often it is packed meanwhile', async () => {
        const project = await addProject(service, ada, { name: 'restless' });
        await commitTimes(project, 'file');
        await keepHouse();
        const replaced = await packsOf(project);
        for (let hour = 0; hour < 2; hour += 1) {
          service.clock.advance(HOUR_MS + 1);
          await commitTimes(project, `h${hour}`);
          await keepHouse();
        }
        service.clock.advance(HOUR_MS);
        await keepHouse();
        const left = await packsOf(project);
        expect(replaced.filter((name) => left.includes(name)).length).toBeLessThanOrEqual(1);
      });

      it('is pushed to and cloned from all the while, and loses nothing', async () => {
        const project = await addProject(service, ada, { name: 'busy' });
        await commitTimes(project, 'file');
        const pushers = await Promise.all([1, 2].map(() => WorkTree.init()));
        const stop = new AbortController();
        const acknowledged: [string, string][] = [];
        // While the clock moves nobody writes: what a writer holds for some seconds would be taken from it.
        let running = 0;
        let mayWrite = Promise.withResolvers<undefined>();
        mayWrite.resolve(undefined);
        const write = async (work: () => Promise<void>): Promise<void> => {
          await mayWrite.promise;
          running += 1;
          await work().finally(() => (running -= 1));
        };
        const remote = remoteOf(service, project.path, 'ada', ada.token);
        const pushing = pushers.map(async (each, index) => {
          for (let count = 0; !stop.signal.aborted; count += 1)
            await write(async () => {
              const head = await each.commit(`p${index}-${count}`, `${index} ${count}\n`);
              await each.git('push', '--quiet', '--force', remote, `HEAD:refs/heads/p${index}-${count % 3}`);
              acknowledged.push([`refs/heads/p${index}-${count % 3}`, head]);
            });
        });
        const cloning = (async () => {
          while (!stop.signal.aborted)
            await git(['clone', '--quiet', '--mirror', remote, join(temporaryFolder(), 'mirror')]);
        })();
        const writing = (async () => {
          for (let count = 0; !stop.signal.aborted; count += 1)
            await write(async () => expect((await commitByApi(project, `w${count}`)).status).toBe(201));
        })();
        const enough = acknowledged.length + PUSHES;
        await keepHouse();
        // A week has passed for it, and not two: what came just now is young still.
        mayWrite = Promise.withResolvers<undefined>();
        await until(() => Promise.resolve(running === 0));
        service.clock.advance(8 * DAY_MS);
        mayWrite.resolve(undefined);
        await keepHouse();
        await until(() => Promise.resolve(acknowledged.length >= enough));
        await keepHouse();
        stop.abort();
        await Promise.all([...pushing, cloning, writing]);
        await keepHouse();
        service.clock.advance(3 * HOUR_MS);
        await keepHouse();
        const { rows, files, problems } = await refsOf(service, project.id);
        expect([rows, problems]).toEqual([files, []]);
        for (const [ref, head] of new Map(acknowledged)) expect(rows).toContain(`${head} ${ref}`);
        // What has come since it was packed last is a pack each, and so many don't wait.
        expect((await packsOf(project)).length).toBeLessThan(PUSHES + 10);
      });
    });

    describe('a repository that is large from its first push on', () => {
      const filesOf = async (project: TestProject, folder: string): Promise<string> =>
        readdirSync(join(await storeOf(service, project.id), 'objects', folder)).join(' ');

      it('is packed for clones, and indexed for its history, once', async () => {
        const { project, tree } = await addTree('large');
        await tree.commit('large', randomBytes(17 * 1024 * 1024));
        await tree.git('push', '--quiet', 'origin', 'main');
        expect(await filesOf(project, 'pack')).not.toContain('.bitmap');
        const done = await metric('work="repacked",outcome="done"');
        await keepHouse();
        expect(await filesOf(project, 'pack')).toContain('.bitmap');
        expect(await filesOf(project, 'info/commit-graphs')).toContain('.graph');
        await pushTimes(tree, 1);
        await keepHouse();
        expect(await metric('work="repacked",outcome="done"')).toBe(done + 1);
        const { rows, files, problems } = await refsOf(service, project.id);
        expect([rows, problems]).toEqual([files, []]);
      });

      it('is indexed for its history where it is smaller than that', async () => {
        const { project, tree } = await addTree('middling');
        await tree.commit('middling', randomBytes(5 * 1024 * 1024));
        await tree.git('push', '--quiet', 'origin', 'main');
        await keepHouse();
        expect(await filesOf(project, 'info/commit-graphs')).toContain('.graph');
        expect(await filesOf(project, 'pack')).not.toContain('.bitmap');
      });
    });

    describe('what a branch lost', () => {
      it('is there for two weeks, and gone after the next packing', async () => {
        const { project, tree } = await addTree('lost');
        const kept = await tree.commit('kept', 'kept\n');
        await tree.git('push', '--quiet', 'origin', 'main');
        await tree.git('checkout', '--quiet', '-b', 'topic');
        const lost = await tree.commit('lost', 'lost\n');
        await tree.git('push', '--quiet', 'origin', 'topic');
        await tree.git('push', '--quiet', 'origin', ':topic');
        service.clock.advance(8 * DAY_MS);
        await keepHouse();
        service.clock.advance(3 * HOUR_MS);
        await keepHouse();
        expect(await objectsOf(project)).toEqual(expect.arrayContaining([kept, lost]));

        const { keepStores } = service.service.container.get(REPOSITORY_TOKENS.repositories);
        service.clock.advance(8 * DAY_MS);
        await keepStores.dropTips();
        await keepHouse();
        service.clock.advance(3 * HOUR_MS);
        await keepHouse();
        const left = await objectsOf(project);
        expect(left).toContain(kept);
        expect(left).not.toContain(lost);
      });
    });

    describe('a fork', () => {
      it('is whole when its source, its pool and itself are packed', async () => {
        const project = await addProject(service, ada, { name: 'forked' });
        await commitTimes(project, 'file');
        const grace = await service.addUser(`grace-${Math.random().toString(36).slice(2, 8)}`);
        await service.call('PUT', `/projects/${project.id}`, { token: ada.token, json: { visibility: 'public' } });
        const { body } = await service.call<TestProject & { path_with_namespace: string }>(
          'POST',
          `/projects/${project.id}/fork`,
          { token: grace.token },
        );
        await until(async () => {
          const answer = await service.call<{ import_status: string }>('GET', `/projects/${body.id}`, {
            token: grace.token,
          });
          return answer.body.import_status === 'finished';
        });
        service.clock.advance(8 * DAY_MS);
        await keepHouse();
        service.clock.advance(9 * DAY_MS);
        await keepHouse();
        service.clock.advance(3 * HOUR_MS);
        await keepHouse();
        for (const id of [project.id, body.id]) {
          const { rows, files, problems } = await refsOf(service, id);
          expect([rows, problems]).toEqual([files, []]);
        }
        const mirror = join(temporaryFolder(), 'mirror');
        await git(['clone', '--quiet', '--mirror', remoteOf(service, body.path_with_namespace), mirror]);
        expect((await git(['--git-dir', mirror, 'rev-list', '--count', 'main'])).trim()).toBe(String(PUSHES));
      });
    });

    describe('a repository whose folder is gone', () => {
      it('is left alone for hours, is counted, and holds up no other', async () => {
        const project = await addProject(service, ada, { name: 'gone' });
        await commitTimes(project, 'file');
        const other = await addProject(service, ada, { name: 'next' });
        await commitTimes(other, 'file');
        const failed = await metric('work="gathered",outcome="failed"');
        await git(['-c', 'alias.away=!mv', 'away', await storeOf(service, project.id), temporaryFolder()]);
        await keepHouse();
        await keepHouse();
        expect(await metric('work="gathered",outcome="failed"')).toBe(failed + 1);
        service.clock.advance(3 * HOUR_MS);
        await keepHouse();
        expect(await packsOf(other)).toHaveLength(1);
      });
    });
  });
});
