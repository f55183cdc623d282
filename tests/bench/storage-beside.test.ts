import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { AlertingProject } from '../support/alerting.js';
import { describeDatabase } from '../support/databases.js';
import { interleave } from '../support/interleave.js';
import { underLoad, type Load } from '../support/load.js';
import { MoveRun, STEPS } from '../support/move-run.js';
import { selectedDatabases } from '../support/selected-databases.js';
import { ServiceProcess } from '../support/service-process.js';
import { longestOf, p99Of, SteadyLoad } from '../support/steady-load.js';
import { plantEvents, runStorage } from '../support/storage-kills.js';
import { withEnds } from '../support/stores.js';
import { TestService } from '../support/test-service.js';
import { until } from '../support/until.js';

const SECONDS = 2;
/** Rows that take some seconds to move. */
const EVENTS = Number(process.env['GATEHOUSE_BENCH_ROWS'] ?? 400_000);
const WARM_UP_MS = 2_000;
const BEFORE_MS = 10_000;

/** A service in a process of its own, with a project that takes alerts. */
class Served {
  private constructor(
    readonly settings: Readonly<Record<string, string>>,
    readonly service: ServiceProcess,
    readonly write: Load,
  ) {}

  static async start(databaseUrl: string): Promise<Served> {
    const key = randomBytes(32);
    const seeded = await TestService.start(databaseUrl, {}, key);
    const ada = await seeded.addUser('ada');
    const project = await AlertingProject.create(seeded, ada, 'engine');
    await project.call('PUT', '/alert_settings', { create_incident: false });
    const { url, token } = await project.integrate();
    await seeded.close();
    const settings = {
      DATABASE_URL: databaseUrl,
      SECRET_KEY: key.toString('base64'),
      NODE_ENV: 'production',
      RATE_LIMIT_ALERTS: 'off',
    };
    const service = await ServiceProcess.start(settings);
    const write: Load = {
      url: service.url + new URL(url).pathname,
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ title: 'The engine is hot', fingerprint: 'engine-hot-{n}' }),
      connections: 16,
    };
    return new Served(settings, service, write);
  }
}

/** The first requests compile what they need. */
const top = async (write: Load): Promise<number> => {
  await underLoad(write, SECONDS);
  return underLoad(write, SECONDS);
};

/** What a service takes after a move: what is more than that piles up there. */
const topOn = async (databaseUrl: string): Promise<number> => {
  const { service, write } = await Served.start(databaseUrl);
  try {
    return await top(write);
  } finally {
    await service.end('SIGTERM');
  }
};

for (const from of selectedDatabases())
  for (const to of selectedDatabases().filter((name) => name !== from))
    describeDatabase(from, 'those who ask', (openSource) =>
      describeDatabase(to, `while the storage moves to ${to}`, (openTarget) => {
        it('wait little longer than before', async () => {
          const [source, target] = [await openSource(), await openTarget()];
          await plantEvents(source, EVENTS);
          const { settings, service, write } = await Served.start(source);
          try {
            const half = Math.floor(Math.min(await top(write), await topOn(await openTarget())) / 2);
            const load = new SteadyLoad(write, half);
            await sleep(WARM_UP_MS);
            const quietFrom = performance.now();
            await sleep(BEFORE_MS);
            const run = MoveRun.start(settings, target);
            const code = await run.exited;
            const ended = performance.now();
            await sleep(BEFORE_MS);
            await load.stop();
            expect(code).toBe(0);
            const begun = run.at.get('begun') ?? 0;
            const cut = run.at.get('cut') ?? 0;
            const [before, during] = [load.between(quietFrom, begun), load.between(begun, ended)];
            const afterwards = load.between(ended, Infinity);
            const [there, here] = [load.between(cut, ended), load.between(begun, cut)];
            const parts = STEPS.slice(1).map((step, index) => {
              const [from, to] = [run.at.get(STEPS[index] ?? step) ?? 0, run.at.get(step) ?? 0];
              return `${step} ${((to - from) / 1_000).toFixed(1)} s ${p99Of(load.between(from, to))}`;
            });
            // Each database has a pace of its own: what is served from one is held against what was served from it in quiet.
            const ratios = [p99Of(here) / p99Of(before), p99Of(there) / p99Of(afterwards)].map((ratio) =>
              ratio.toFixed(2),
            );
            process.stdout.write(
              `${from} → ${to}, ${EVENTS} rows, ${half} alerts a second, half of what the slower database takes: p99 ${p99Of(before)} ms before, ` +
                `${p99Of(during)} ms meanwhile (until ${parts.join(', ')}), ${p99Of(afterwards)} afterwards, ` +
                `ratio ${ratios[0]} up to the cut, and ${ratios[1]} from then on; longest ${longestOf(before)} ms before, ${longestOf(during)} ms meanwhile; writers waited ${run.pauseMs} ms\n`,
            );
          } finally {
            await service.end('SIGTERM');
          }
        });
      }),
    );

for (const from of selectedDatabases())
  describeDatabase(from, 'those who write', (openSource) => {
    it('pay for what is noted of each row while the storage moves', async () => {
      const [source, target] = [await openSource(), await openSource()];
      const [free, noted] = [await Served.start(await openSource()), await Served.start(source)];
      const moving = runStorage(noted.settings, 'move', '--to', target, '--hold');
      try {
        await until(() => withEnds([source, source], async (end) => (await end.control()).state === 'holding'));
        const measured = await interleave(
          new Map([
            ['alerts, nothing is noted', () => underLoad(free.write, SECONDS)],
            ['alerts, each row is noted', () => underLoad(noted.write, SECONDS)],
          ]),
        );
        process.stdout.write(
          `${from}:\n${measured.describe('a second')}${measured.describeRatio('alerts, each row is noted', 'alerts, nothing is noted')}`,
        );
        expect(await runStorage(noted.settings, 'cut')).toBe(0);
        expect(await moving).toBe(0);
      } finally {
        await free.service.end('SIGTERM');
        await noted.service.end('SIGTERM');
      }
    });
  });
