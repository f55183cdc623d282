import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AlertingProject } from '../support/alerting.js';
import { describeEachDatabase } from '../support/databases.js';
import { interleave, withProcessorTime, type CostedMeasurement } from '../support/interleave.js';
import { underLoad, type Load } from '../support/load.js';
import { keptPrograms, takeBackTo, unpackProgram, type ReleaseProgram } from '../support/release-program.js';
import { ServiceProcess } from '../support/service-process.js';
import { TestService } from '../support/test-service.js';

/** Of each measurement; `BENCH_SECONDS` says another number. */
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 2);
const ISSUES = 100;
const MOST_DEARER = 1.05;
const JSON_BODY = { 'Content-Type': 'application/json' };

const alertOf = (fingerprint: string): string =>
  JSON.stringify({ title: 'The engine is hot', service: 'mill', severity: 'high', fingerprint });

/** What a request asks of either program. */
type Asked = Omit<Load, 'url'> & { readonly path: string };

/** Both serve from one database, as they do while one is updated to the other. */
describeEachDatabase('the cost of a request beside the last release', (openTestDatabase) => {
  let release: ReleaseProgram;
  let now: ServiceProcess;
  let before: ServiceProcess;
  let asked: Readonly<Record<string, Asked>>;

  beforeAll(async () => {
    const [url, secretKey] = [await openTestDatabase(), randomBytes(32)];
    const settings = { DATABASE_URL: url, SECRET_KEY: secretKey.toString('base64'), NODE_ENV: 'production' };
    release = await unpackProgram(keptPrograms().at(-1)!);
    // It begins on its own schema, and goes on when that is expanded.
    await takeBackTo(url, release.migrations);
    before = await ServiceProcess.run([release.main, 'serve'], { ...settings, PORT: '0' });
    const seeded = await TestService.start(url, {}, secretKey);
    const ada = await seeded.addUser('ada');
    const mill = await AlertingProject.create(seeded, ada, 'mill');
    await mill.call('PUT', '/alert_settings', { create_incident: false });
    const integration = await mill.integrate();
    for (let issue = 0; issue < ISSUES; issue += 1)
      await mill.call('POST', '/issues', {
        title: `Leak ${issue}`,
        labels: 'water',
        description: 'It drips. '.repeat(20),
      });
    await seeded.close();
    const headers = { Authorization: `Bearer ${ada.token}` };
    const intake = {
      path: new URL(integration.url).pathname,
      method: 'POST',
      headers: { ...JSON_BODY, Authorization: `Bearer ${integration.token}` },
    } as const;
    asked = {
      'GET /user': { path: '/api/v4/user', headers },
      'a project': { path: `/api/v4/projects/${mill.id}`, headers },
      'an issue': { path: `/api/v4/projects/${mill.id}/issues/1`, headers },
      'issues by 20': { path: `/api/v4/projects/${mill.id}/issues`, headers },
      'the feed': { path: `/api/v4/projects/${mill.id}/events`, headers },
      'a repeated alert': { ...intake, body: alertOf('engine') },
      'a new alert': { ...intake, body: alertOf('engine-{n}') },
    };
    now = await ServiceProcess.start(settings);
  });

  afterAll(async () => {
    for (const process of [now, before]) await process.end('SIGTERM');
    release.remove();
  });

  // Apart: an alert leaves work behind, which would be counted with what is read next.
  it.each(['GET', 'POST'] as const)(`is at most ${MOST_DEARER} times as much of the processor: %s`, async (method) => {
    const measure = (process: ServiceProcess, { path, ...load }: Asked): CostedMeasurement =>
      withProcessorTime(process, () => underLoad({ ...load, url: process.url + path }, SECONDS), SECONDS);
    const chosen = Object.fromEntries(Object.entries(asked).filter(([, { method: of = 'GET' }]) => of === method));
    const measurements = new Map(
      Object.entries(chosen).flatMap(([name, load]) => [
        [name, measure(now, load)] as const,
        [`${name}, before`, measure(before, load)] as const,
      ]),
    );
    const measured = await interleave(measurements);
    const names = Object.keys(chosen);
    const ratios = names.map((name) => measured.describeCostRatio(name, `${name}, before`));
    process.stdout.write(
      `${expect.getState().currentTestName ?? ''}\n${measured.describe('a second')}${ratios.join('')}`,
    );
    expect(names.filter((name) => measured.costRatio(name, `${name}, before`) > MOST_DEARER)).toEqual([]);
  });
});
