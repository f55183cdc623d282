import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import { insertInto } from '../../src/adapters/outbound/persistence/knex/insert-rows.js';
import { Alertmanager, hasAlertmanager } from '../support/alertmanager.js';
import { AlertingProject, type IntegrationBody } from '../support/alerting.js';
import { describeEachDatabase, type OpenTestDatabase } from '../support/databases.js';
import { interleave, type Measurement } from '../support/interleave.js';
import { latencyAt, LOAD_GENERATOR, underLoad, type Load } from '../support/load.js';
import { median, withSpread } from '../support/statistics.js';
import { ServiceProcess } from '../support/service-process.js';
import { leftOutWithout } from '../support/system-package.js';
import { TestService } from '../support/test-service.js';

const SECONDS = 2;
const SECONDS_OF_LATENCY = 4;
/** As many senders at once as in a storm. */
const CONNECTIONS = 64;
const REPEAT = { title: 'The engine is hot', fingerprint: 'engine-hot' };
const NEW = { title: 'The engine is hot', fingerprint: 'engine-hot-{n}' };

const peer = (name: string) => fileURLToPath(new URL(`./peers/${name}.js`, import.meta.url));
const headers = (token: string) => ({ 'Content-Type': 'application/json', Authorization: `Bearer ${token}` });

/** A database with a project that takes alerts, and the service in a process of its own on it. */
class Intake {
  private constructor(
    readonly databaseUrl: string,
    readonly integration: IntegrationBody,
    readonly service: ServiceProcess,
  ) {}

  static async open(openTestDatabase: OpenTestDatabase, createIncident: boolean): Promise<Intake> {
    const url = await openTestDatabase();
    const secretKey = randomBytes(32);
    const seeded = await TestService.start(url, {}, secretKey);
    const project = await AlertingProject.create(seeded, await seeded.addUser('ada'), 'engine');
    await project.call('PUT', '/alert_settings', { create_incident: createIncident });
    const integration = await project.integrate();
    await seeded.close();
    const settings = { DATABASE_URL: url, SECRET_KEY: secretKey.toString('base64'), NODE_ENV: 'production' };
    return new Intake(url, integration, await ServiceProcess.start(settings));
  }

  /** A payload posted to the service, or to another that listens elsewhere for the same address. */
  load(payload: object, at = this.service.url): Load {
    const url = `${at}${new URL(this.integration.url).pathname}`;
    return {
      url,
      method: 'POST',
      headers: headers(this.integration.token),
      body: JSON.stringify(payload),
      connections: CONNECTIONS,
    };
  }
}

/** A peer, and the project that its addresses and key are of. */
interface Peer {
  readonly process: ServiceProcess;
  readonly of: Intake;
}

describeEachDatabase('the cost of an alert', (openTestDatabase) => {
  let intake: Intake;
  let withIncidents: Intake;
  let express: Peer;
  let bare: Peer | undefined;
  let alertmanager: Alertmanager | undefined;

  beforeAll(async () => {
    intake = await Intake.open(openTestDatabase, false);
    withIncidents = await Intake.open(openTestDatabase, true);
    express = { process: await ServiceProcess.run([peer('empty-express')], { NODE_ENV: 'production' }), of: intake };
    if (intake.databaseUrl.startsWith('sqlite:')) {
      const of = await Intake.open(openTestDatabase, false);
      const settings = { BENCH_DATABASE: of.databaseUrl.slice('sqlite:'.length) };
      bare = { process: await ServiceProcess.run([peer('bare-intake')], settings), of };
    }
    if (!leftOutWithout('prometheus-alertmanager', hasAlertmanager())) {
      alertmanager = await Alertmanager.start(
        { url: 'http://127.0.0.1:9/', token: 'nobody listens' },
        { oneCore: true },
      );
    }
  });

  afterAll(async () => {
    const services = [intake, withIncidents, ...(bare === undefined ? [] : [bare.of])].map(({ service }) => service);
    const peers = [express, bare].flatMap((each) => (each === undefined ? [] : [each.process]));
    for (const process of [...services, ...peers]) await process.end('SIGTERM');
    await alertmanager?.stop();
  });

  const post = (payload: object, to: Intake, at?: ServiceProcess) => (): Promise<number> =>
    underLoad(to.load(payload, at?.url), SECONDS);

  /** The same alert as a sender gives it to Alertmanager, which keeps it in memory. */
  const toAlertmanager = (alertname: string) => (): Promise<number> =>
    underLoad(
      {
        url: `${alertmanager?.url ?? ''}/api/v2/alerts`,
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify([{ labels: { alertname }, annotations: { summary: REPEAT.title } }]),
        connections: CONNECTIONS,
      },
      SECONDS,
    );

  const say = (text: string): void =>
    void process.stdout.write(`${expect.getState().currentTestName ?? ''}, by ${LOAD_GENERATOR}\n${text}`);

  it('is set beside what the database allows, what Alertmanager keeps in memory, and what Express costs empty', async () => {
    const measurements = new Map<string, Measurement>([
      ['repeats', post(REPEAT, intake)],
      ['new', post(NEW, intake)],
      ['new with incidents', post(NEW, withIncidents)],
      ['empty Express', post(REPEAT, express.of, express.process)],
    ]);
    if (bare !== undefined) {
      measurements.set('bare repeats', post(REPEAT, bare.of, bare.process));
      measurements.set('bare new', post(NEW, bare.of, bare.process));
    }
    if (alertmanager !== undefined) {
      measurements.set('Alertmanager repeats', toAlertmanager(REPEAT.fingerprint));
      measurements.set('Alertmanager new', toAlertmanager(NEW.fingerprint));
    }
    const measured = await interleave(measurements);
    const ratios = [
      ['repeats', 'empty Express'],
      ['repeats', 'bare repeats'],
      ['repeats', 'Alertmanager repeats'],
      ['new', 'bare new'],
    ].filter(([, against = '']) => measurements.has(against));
    say(
      measured.describe('/s') +
        ratios.map(([name = '', against = '']) => measured.describeRatio(name, against)).join(''),
    );
    if (bare === undefined) return;
    expect(measured.ratio('new', 'bare new')).toBeGreaterThanOrEqual(0.5);
    expect(measured.ratio('repeats', 'bare repeats')).toBeGreaterThanOrEqual(0.8);
    expect(measured.ratio('repeats', 'empty Express')).toBeGreaterThanOrEqual(2);
    if (alertmanager === undefined) return;
    expect(measured.ratio('repeats', 'Alertmanager repeats')).toBeGreaterThanOrEqual(0.8);
  });

  it('answers 99 of 100 within 25 ms at half of the top rate', async () => {
    const top = await underLoad(intake.load(REPEAT), SECONDS);
    const slowest = [];
    for (let round = 0; round < 5; round += 1)
      slowest.push(await latencyAt(intake.load(REPEAT), top / 2, SECONDS_OF_LATENCY));
    say(`  p99 at ${Math.round(top / 2)} /s: ${withSpread(slowest)} ms\n`);
    expect(median(slowest)).toBeLessThan(25);
  });

  it('costs as much beside a million alerts, of which 10,000 are open, as beside none', async () => {
    const full = await Intake.open(openTestDatabase, false);
    const empty = await Intake.open(openTestDatabase, false);
    try {
      await fillWithAlerts(full.databaseUrl, 1_000_000, 10_000);
      const measured = await interleave(
        new Map<string, Measurement>([
          ['repeats, empty', post(REPEAT, empty)],
          ['repeats, a million', post(REPEAT, full)],
          ['new, empty', post(NEW, empty)],
          ['new, a million', post(NEW, full)],
        ]),
      );
      say(
        measured.describe('/s') +
          measured.describeRatio('repeats, empty', 'repeats, a million') +
          measured.describeRatio('new, empty', 'new, a million'),
      );
      expect(measured.ratio('repeats, empty', 'repeats, a million')).toBeLessThanOrEqual(1.5);
      expect(measured.ratio('new, empty', 'new, a million')).toBeLessThanOrEqual(1.5);
    } finally {
      await full.service.end('SIGTERM');
      await empty.service.end('SIGTERM');
    }
  });
});

const SEEDED_AT_ONCE = 5_000;
const insertAlerts = insertInto('alerts', [
  'project_id',
  'integration_id',
  'iid',
  'status',
  'severity_rank',
  'title',
  'hosts',
  'fingerprint',
  'search_key',
  'started_at',
  'events',
  'payload',
  'created_at',
  'updated_at',
]);

/** Alerts of the one project and integration that are there, the latest of them open. */
const fillWithAlerts = async (url: string, count: number, open: number): Promise<void> => {
  const database = openDatabase({ url, poolMax: 1 });
  const at = '2026-01-01T00:00:00.000Z';
  try {
    for (let start = 1; start <= count; start += SEEDED_AT_ONCE) {
      await database.transact((session) =>
        insertAlerts(
          session,
          Array.from({ length: SEEDED_AT_ONCE }, (_, index) => {
            const iid = start + index;
            const status = iid > count - open ? 'triggered' : 'resolved';
            const fingerprint = randomBytes(32).toString('hex');
            return [1, 1, iid, status, 3, 'Seeded', '[]', fingerprint, 'seeded', at, 1, '{"title":"Seeded"}', at, at];
          }),
        ),
      );
    }
    const counter = 'insert into project_counters (project_id, kind, last_number) values (1, ?, ?)';
    await database.transact((session) => session.run(counter, ['alert', count]));
  } finally {
    await database.close();
  }
};
