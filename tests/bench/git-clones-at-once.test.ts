import { setTimeout as sleep } from 'node:timers/promises';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { CodeBench, percentile } from '../support/code-bench.js';
import { describeEachDatabase } from '../support/databases.js';
import { withGit } from '../support/git.js';
import { madeBulk, madeHistory } from '../support/made-history.js';
import { until } from '../support/until.js';

const CLONES = 64;
const BULK_MEGABYTES = 100;
const PERIOD_MS = 20;
const GOAL_MS = 100;

/** Repeats requests at a steady pace until told to stop, and answers how long each took. */
const watch = (ask: () => Promise<number>) => {
  const times: number[] = [];
  const over = new AbortController();
  const running = (async () => {
    const asked: Promise<unknown>[] = [];
    while (!over.signal.aborted) {
      asked.push(ask().then((took) => times.push(took)));
      await sleep(PERIOD_MS);
    }
    await Promise.all(asked);
  })();
  return async (): Promise<readonly number[]> => {
    over.abort();
    await running;
    return times;
  };
};

withGit('many clones at once', () => {
  describeEachDatabase('a service from which many clone at once', (openTestDatabase) => {
    it(`answers others within ${GOAL_MS} ms while ${CLONES} fetch ${BULK_MEGABYTES} MB each`, async () => {
      const bench = await CodeBench.start(await openTestDatabase());
      await bench.push(await madeBulk(BULK_MEGABYTES), 'bulk');
      await bench.push(await madeHistory({ files: 500, commits: 300 }), 'small');
      const others: Readonly<Record<string, string>> = {
        'GET /user': bench.api('/user'),
        'GET …/repository/tree': bench.api('/projects/root%2Fsmall/repository/tree?path=folder-1'),
        'GET …/issues': bench.api('/projects/root%2Fsmall/issues'),
      };
      for (const address of Object.values(others)) await bench.timeOf(address);
      const before = bench.memory();
      let most = before;
      const looking = setInterval(() => {
        const now = bench.memory();
        most = {
          service: Math.max(most.service, now.service),
          children: Math.max(most.children, now.children),
        };
      }, 500);
      const watched = Object.entries(others).map(([name, address]) => ({
        name,
        stop: watch(() => bench.timeOf(address)),
      }));
      const startedAt = performance.now();
      // In a process of their own that keeps nothing, so that what is measured is the service.
      const program = fileURLToPath(new URL('./peers/many-fetches.js', import.meta.url));
      const { stdout } = await promisify(execFile)(process.execPath, [program], {
        env: {
          PATH: process.env['PATH'],
          BENCH_URL: `${bench.service.url}/root/bulk.git`,
          BENCH_AUTHORIZATION: bench.authorization,
          BENCH_CLONES: String(CLONES),
        },
      });
      const seconds = (performance.now() - startedAt) / 1_000;
      clearInterval(looking);
      const fetched = JSON.parse(stdout) as { readonly whole: number; readonly failed: readonly string[] };
      const times = new Map<string, readonly number[]>();
      for (const { name, stop } of watched) times.set(name, await stop());
      process.stdout.write(
        `${fetched.whole} of ${CLONES} whole after ${seconds.toFixed(1)} s; memory of the service ${before.service.toFixed(0)} MiB, ` +
          `at most ${most.service.toFixed(0)}, of its children at most ${most.children.toFixed(0)}\n` +
          [...times]
            .map(
              ([name, all]) =>
                `  ${name.padEnd(24)} p50 ${percentile(all, 50).toFixed(1)}, p99 ${percentile(all, 99).toFixed(1)}, most ${Math.max(...all).toFixed(1)} ms of ${all.length}\n`,
            )
            .join(''),
      );
      await until(() => Promise.resolve(bench.memory().children < 400));
      await bench.service.end('SIGTERM');
      expect(fetched).toEqual({ whole: CLONES, failed: [] });
      for (const all of times.values()) expect(percentile(all, 99)).toBeLessThan(GOAL_MS);
    });
  });
});
