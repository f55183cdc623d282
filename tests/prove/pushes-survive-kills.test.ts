import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { WorkTree } from '../support/git-service.js';
import { git, removeFolder, temporaryFolder, tryGit, withGit } from '../support/git.js';
import { installWithToken, kill, VICTIMS } from '../support/service-kills.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

/** Each is one kill. */
const ROUNDS = Number(process.env['GATEHOUSE_KILL_ROUNDS'] ?? '30');
const PUSHERS = 3;
const LONGEST_LIFE_MS = 1_500;

withGit('pushes under kills', () => {
  describeEachDatabase('pushes to a service whose processes are killed', (openTestDatabase) => {
    it(`are there when git was told ok, after ${ROUNDS} kills, with as many events as refs`, async () => {
      const root = temporaryFolder();
      const settings = {
        DATABASE_URL: await openTestDatabase(),
        SECRET_KEY: randomBytes(32).toString('base64'),
        REPOSITORIES_DIR: root,
      };
      const token = await installWithToken(settings);
      const remoteOf = (url: string) => `${url.replace('//', `//x:${token}@`)}/root/engine.git`;
      const acknowledged = new Map<string, string>();
      const trees = await Promise.all(Array.from({ length: PUSHERS }, () => WorkTree.init()));
      let sent = 0;

      const pushUntil = async (tree: WorkTree, url: string, ended: () => boolean): Promise<void> => {
        while (!ended()) {
          const branch = `b${(sent += 1)}`;
          const head = await tree.commit('file', `${branch}\n`, branch);
          const { code } = await tree.try('push', '--quiet', remoteOf(url), `HEAD:refs/heads/${branch}`);
          if (code === 0) acknowledged.set(`refs/heads/${branch}`, head);
        }
      };

      let service = await ServiceProcess.start(settings, { onLog: () => undefined });
      for (let round = 1; round <= ROUNDS; round += 1) {
        if (!service.running) service = await ServiceProcess.start(settings, { onLog: () => undefined });
        let over = false;
        const { url } = service;
        const pushers = trees.map((tree) => pushUntil(tree, url, () => over));
        await sleep((LONGEST_LIFE_MS * round) / ROUNDS);
        await kill(service, VICTIMS[round % VICTIMS.length] ?? 'service');
        over = true;
        await Promise.all(pushers);
      }
      if (service.running) await service.end('SIGKILL');

      // Made good by the start: what the files lack is written from the rows.
      service = await ServiceProcess.start(settings);
      const remote = remoteOf(service.url);
      const listed = new Map(
        (await git(['ls-remote', '--heads', remote]))
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => line.split('\t').reverse() as [string, string]),
      );
      const lost = [...acknowledged].filter(([ref, head]) => listed.get(ref) !== head);
      const clone = await tryGit(['clone', '--quiet', '--mirror', remote, join(temporaryFolder(), 'mirror')]);
      const events: unknown[] = [];
      for (let page = 1; page !== 0;) {
        const address = `${service.url}/api/v4/projects/root%2Fengine/events?action=pushed&per_page=100&page=${page}`;
        const response = await fetch(address, { headers: { 'PRIVATE-TOKEN': token } });
        events.push(...((await response.json()) as unknown[]));
        page = Number(response.headers.get('x-next-page') ?? 0);
      }
      const stores = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.git'));
      expect(stores).toHaveLength(1);
      const folder = join(root, stores[0] ?? '');
      const inFiles = async (): Promise<string[]> =>
        (await git(['--git-dir', folder, 'for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads']))
          .split('\n')
          .filter((line) => line !== '')
          .sort();
      const inRows = [...listed].map((pair) => pair.join(' ')).sort();
      // Whoever was killed while they wrote files has the lease for a while yet.
      await until(async () => (await inFiles()).join() === inRows.join());
      expect(await service.end('SIGTERM')).toBe(0);
      process.stdout.write(
        `sent ${sent}, acknowledged ${acknowledged.size}, refs ${listed.size}, events ${events.length}, lost ${lost.length}\n`,
      );
      expect(acknowledged.size).toBeGreaterThan(0);
      expect(lost).toEqual([]);
      expect(clone.stderr).toBe('');
      expect(events).toHaveLength(listed.size);
      await git(['--git-dir', folder, 'fsck', '--strict', '--no-dangling']);
      expect(await inFiles()).toEqual(inRows);
      const locks = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.lock'));
      expect(locks).toEqual([]);
      removeFolder(root);
    });
  });
});
