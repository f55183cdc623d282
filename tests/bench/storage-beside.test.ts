import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { AlertingProject } from '../support/alerting.js';
import { describeDatabase } from '../support/databases.js';
import { interleave } from '../support/interleave.js';
import { latencyAt, underLoad, type Load } from '../support/load.js';
import { selectedDatabases } from '../support/selected-databases.js';
import { ServiceProcess } from '../support/service-process.js';
import { withSpread } from '../support/statistics.js';
import { plantEvents, runStorage } from '../support/storage-kills.js';
import { withEnds } from '../support/stores.js';
import { TestService } from '../support/test-service.js';
import { until } from '../support/until.js';

/** Enough to be copied and compared for some seconds. */
const EVENTS = Number(process.env['GATEHOUSE_BENCH_ROWS'] ?? 200_000);
const SECONDS = 2;
const WINDOWS = 5;
const [READS, WRITES] = [40, 40];

/** A service in a process of its own, with a person who reads their feed and a project that takes alerts. */
class Served {
  private constructor(
    readonly settings: Readonly<Record<string, string>>,
    readonly service: ServiceProcess,
    readonly read: Load,
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
      RATE_LIMIT_API: 'off',
    };
    const service = await ServiceProcess.start(settings);
    const read = { url: `${service.url}/api/v4/events`, headers: { 'PRIVATE-TOKEN': ada.token }, connections: 4 };
    const write: Load = {
      url: service.url + new URL(url).pathname,
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ title: 'The engine is hot', fingerprint: 'engine-hot-{n}' }),
      connections: 4,
    };
    return new Served(settings, service, read, write);
  }

  /** p99 of reads and of writes at a steady rate, side by side. */
  async latencies(): Promise<readonly [read: number, write: number]> {
    return Promise.all([latencyAt(this.read, READS, SECONDS), latencyAt(this.write, WRITES, SECONDS)]);
  }
}

for (const from of selectedDatabases())
  for (const to of selectedDatabases().filter((name) => name !== from))
    describeDatabase(from, 'those who use a service', (openSource) =>
      describeDatabase(to, `while it moves from ${from} to`, (openTarget) => {
        it('wait a little longer meanwhile', async () => {
          const [source, target] = [await openSource(), await openTarget()];
          await plantEvents(source, EVENTS);
          const served = await Served.start(source);
          try {
            const seen = { before: [[], []] as [number[], number[]], meanwhile: [[], []] as [number[], number[]] };
            const take = async (into: [number[], number[]]) => {
              const latencies = await served.latencies();
              latencies.forEach((value, place) => into[place]?.push(value));
            };
            await served.latencies();
            for (let window = 0; window < WINDOWS; window += 1) await take(seen.before);
            let code: number | null | undefined;
            const moving = runStorage(served.settings, 'move', '--to', target).then((exit) => (code = exit));
            while (code === undefined) await take(seen.meanwhile);
            await moving;
            expect(code).toBe(0);
            for (const [place, what] of ['reads', 'writes'].entries())
              process.stdout.write(
                `${from} → ${to}, ${EVENTS} rows, p99 of ${what} in ms: before ${withSpread(seen.before[place] ?? [])}, ` +
                  `meanwhile ${withSpread(seen.meanwhile[place] ?? [])}\n`,
              );
          } finally {
            await served.service.end('SIGTERM');
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
            ['alerts, nothing is noted', () => underLoad({ ...free.write, connections: 16 }, SECONDS)],
            ['alerts, each row is noted', () => underLoad({ ...noted.write, connections: 16 }, SECONDS)],
          ]),
        );
        process.stdout.write(
          `${from}:\n${measured.describe('a second')}${measured.describeRatio('alerts, each row is noted', 'alerts, nothing is noted')}`,
        );
        expect(await runStorage(noted.settings, 'abort', '--to', target)).toBe(0);
        expect(await moving).toBe(1);
      } finally {
        await free.service.end('SIGTERM');
        await noted.service.end('SIGTERM');
      }
    });
  });
