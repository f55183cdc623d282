import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { AlertingProject } from '../support/alerting.js';
import { describeDatabase } from '../support/databases.js';
import { interleave } from '../support/interleave.js';
import { latencyAt, underLoad, type Load } from '../support/load.js';
import { selectedDatabases } from '../support/selected-databases.js';
import { ServiceProcess } from '../support/service-process.js';
import { median } from '../support/statistics.js';
import { plantEvents, runStorage } from '../support/storage-kills.js';
import { withEnds } from '../support/stores.js';
import { TestService } from '../support/test-service.js';
import { until } from '../support/until.js';

const SECONDS = 2;
/** Rows that take some seconds to move. */
const EVENTS = Number(process.env['GATEHOUSE_BENCH_ROWS'] ?? 400_000);
const ROUNDS = 6;

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

for (const from of selectedDatabases())
  for (const to of selectedDatabases().filter((name) => name !== from))
    describeDatabase(from, 'those who ask', (openSource) =>
      describeDatabase(to, `while the storage moves to ${to}`, (openTarget) => {
        it('wait little longer than before', async () => {
          const [source, target] = [await openSource(), await openTarget()];
          await plantEvents(source, EVENTS);
          const { settings, service, write } = await Served.start(source);
          try {
            // The first requests compile what they need.
            await underLoad(write, SECONDS);
            const half = Math.floor((await underLoad(write, SECONDS)) / 2);
            const p99 = () => latencyAt(write, half, SECONDS);
            const [before, during]: [number[], number[]] = [[], []];
            for (let round = 0; round < ROUNDS; round += 1) before.push(await p99());
            const over = new AbortController();
            const moving = runStorage(settings, 'move', '--to', target).finally(() => over.abort());
            while (!over.signal.aborted) during.push(await p99());
            expect(await moving).toBe(0);
            process.stdout.write(
              `${from} → ${to}, ${EVENTS} rows, ${half} alerts a second, half of the most: p99 ${median(before)} ms before (${before.join(', ')}), ` +
                `${median(during)} ms meanwhile (${during.join(', ')}), ratio ${(median(during) / median(before)).toFixed(2)}\n`,
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
