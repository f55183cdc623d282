import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import { insertInto } from '../../src/adapters/outbound/persistence/knex/insert-rows.js';
import { Alertmanager, hasAlertmanager } from '../support/alertmanager.js';
import { AlertingProject, type IntegrationBody } from '../support/alerting.js';
import { describeEachDatabase, type OpenTestDatabase } from '../support/databases.js';
import { interleave, type CostedMeasurement } from '../support/interleave.js';
import { send, type SentRequest } from '../support/senders.js';
import { median, withSpread } from '../support/statistics.js';
import { ServiceProcess } from '../support/service-process.js';
import { leftOutWithout } from '../support/system-package.js';
import { TestService } from '../support/test-service.js';

/** Of each measurement; `BENCH_SECONDS` says another number. */
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 2);
const SECONDS_OF_LATENCY = 2 * SECONDS;
/** As many senders at once as in a storm. */
const CONNECTIONS = 64;
const PROJECTS = 8;
/** So many different ones in turn: a group of repeats of one alert alone would be one row. */
const KINDS = 100;
const KINDS_OF_MIX = 1_000;
const NEW_IN_MIX = 10;
const ALERTS_OF_BODY = 400;

/** An alert of six fields. */
const alertOf = (fingerprint: string) => ({
  title: 'The engine is hot',
  description: 'The temperature of the mill is above its limit for five minutes, and rising.',
  service: 'mill',
  monitoring_tool: 'thermometer',
  severity: 'high',
  fingerprint,
});

/** The same as a sender gives it to Alertmanager, which keeps it in memory. */
const forAlertmanager = (alertname: string) => {
  const { title: summary, description, service, monitoring_tool: tool, severity } = alertOf(alertname);
  return [{ labels: { alertname, service, tool, severity }, annotations: { summary, description } }];
};

/** A message of Alertmanager about alerts that nobody has heard of. */
const messageOf = (count: number, name: string) => ({
  version: '4',
  groupKey: 'engines',
  status: 'firing',
  receiver: 'gatehouse',
  groupLabels: {},
  commonLabels: {},
  commonAnnotations: {},
  externalURL: 'http://alertmanager.example',
  alerts: forAlertmanager('EngineHot').flatMap((alert) =>
    Array.from({ length: count }, (_, number) => {
      const { labels, annotations } = alert;
      const summary = `${name} ${number}: ${annotations.summary}`;
      return { status: 'firing', startsAt: '2026-03-01T12:00:00Z', labels, annotations: { ...annotations, summary } };
    }),
  ),
});

const fingerprints = (count: number, name: string): readonly string[] =>
  Array.from({ length: count }, (_, number) => `${name}-${number}`);

const REPEATS = fingerprints(KINDS, 'engine');
const NEW = ['engine-new-{n}'];
/** Mostly repeats, over the alerts of all projects. */
const MIX = fingerprints(KINDS_OF_MIX, 'mix').map((name, number) =>
  number % NEW_IN_MIX === NEW_IN_MIX - 1 ? 'mix-new-{n}' : name,
);

const peer = (name: string) => fileURLToPath(new URL(`./peers/${name}.js`, import.meta.url));

/** What runs beside the service, and answers in its place. */
interface Peer {
  readonly url: string;
  processorTime(): number;
}

interface IntakeOf {
  readonly projects: number;
  /** Whether new alerts open some. */
  readonly incidents: boolean;
  /** Processes that answer. */
  readonly workers: number;
}

/** A database with projects that take alerts, and the service in a process of its own on it. */
class Intake {
  private constructor(
    readonly databaseUrl: string,
    private readonly integrations: readonly IntegrationBody[],
    readonly service: ServiceProcess,
  ) {}

  static async open(
    openTestDatabase: OpenTestDatabase,
    { projects = 1, incidents = false, workers = 1 }: Partial<IntakeOf> = {},
  ): Promise<Intake> {
    const url = await openTestDatabase();
    const secretKey = randomBytes(32);
    const seeded = await TestService.start(url, {}, secretKey);
    const owner = await seeded.addUser('ada');
    const integrations: IntegrationBody[] = [];
    for (let number = 0; number < projects; number += 1) {
      const project = await AlertingProject.create(seeded, owner, `engine-${number}`);
      await project.call('PUT', '/alert_settings', { create_incident: incidents });
      integrations.push(await project.integrate());
    }
    await seeded.close();
    const settings = {
      DATABASE_URL: url,
      SECRET_KEY: secretKey.toString('base64'),
      NODE_ENV: 'production',
      WORKERS: String(workers),
    };
    return new Intake(url, integrations, await ServiceProcess.start(settings));
  }

  /** Alerts of these fingerprints, by turns for all of its projects. */
  requests(named: readonly string[]): readonly SentRequest[] {
    return named.map((fingerprint, number) => this.request(alertOf(fingerprint), number));
  }

  request(payload: object, number = 0): SentRequest {
    const { url, token } = this.integrations[number % this.integrations.length]!;
    return {
      path: new URL(url).pathname,
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify(payload),
    };
  }

  async sendOne(payload: object): Promise<void> {
    const { path, headers, body } = this.request(payload);
    const json = { ...headers, 'Content-Type': 'application/json' };
    const { status } = await fetch(this.service.url + path, { method: 'POST', headers: json, body });
    expect(status).toBe(200);
  }

  /** A bare server on this database, with the same rows, once the service has ended. */
  async bare(incidents = false): Promise<ServiceProcess> {
    await this.service.end('SIGTERM');
    const isSqlite = this.databaseUrl.startsWith('sqlite:');
    const database = isSqlite ? this.databaseUrl.slice('sqlite:'.length) : this.databaseUrl;
    return ServiceProcess.run([peer(isSqlite ? 'bare-intake-sqlite' : 'bare-intake-postgres')], {
      BENCH_DATABASE: database,
      BENCH_INCIDENTS: String(incidents),
    });
  }
}

/** What answers is measured while so many senders post to it; what it worked for each request counts as much. */
const post =
  (requests: readonly SentRequest[], to: Peer): CostedMeasurement =>
  async () => {
    const before = to.processorTime();
    const { perSecond, answered } = await send({ url: to.url, requests, connections: CONNECTIONS, seconds: SECONDS });
    return { perSecond, processor: ((to.processorTime() - before) * 1_000) / answered };
  };

const RATIOS = [
  ['repeats', 'bare repeats'],
  ['repeats', 'Alertmanager repeats'],
  ['repeats', 'empty Express'],
  ['new', 'bare new'],
  ['new', 'Alertmanager new'],
  ['new with incidents', 'bare new with incidents'],
  ['mix', 'bare mix'],
] as const;

const say = (text: string): void => void process.stdout.write(`${expect.getState().currentTestName ?? ''}\n${text}`);

describeEachDatabase('the cost of an alert', (openTestDatabase) => {
  let intake: Intake;
  let withIncidents: Intake;
  let ofBare: Intake;
  let bare: ServiceProcess;
  let bareWithIncidents: ServiceProcess;
  let incidentsOfBare: Intake;
  let express: ServiceProcess;
  let alertmanager: Alertmanager | undefined;
  let isSqlite: boolean;

  beforeAll(async () => {
    intake = await Intake.open(openTestDatabase, { projects: PROJECTS });
    withIncidents = await Intake.open(openTestDatabase, { incidents: true });
    ofBare = await Intake.open(openTestDatabase, { projects: PROJECTS });
    isSqlite = intake.databaseUrl.startsWith('sqlite:');
    bare = await ofBare.bare();
    incidentsOfBare = await Intake.open(openTestDatabase, { incidents: true });
    await incidentsOfBare.sendOne(alertOf('first'));
    bareWithIncidents = await incidentsOfBare.bare(true);
    express = await ServiceProcess.run([peer('empty-express')], { NODE_ENV: 'production' });
    if (!leftOutWithout('prometheus-alertmanager', hasAlertmanager())) {
      alertmanager = await Alertmanager.start(
        { url: 'http://127.0.0.1:9/', token: 'nobody listens' },
        { oneCore: true },
      );
    }
  });

  afterAll(async () => {
    for (const { service } of [intake, withIncidents]) await service.end('SIGTERM');
    for (const process of [bare, bareWithIncidents, express]) await process.end('SIGTERM');
    await alertmanager?.stop();
  });

  /** All for the first project: those that share a group share their rows. */
  const firstOf = (of: Intake, named: readonly string[]) =>
    named.map((fingerprint) => of.request(alertOf(fingerprint)));

  const toAlertmanager = (named: readonly string[]): readonly SentRequest[] =>
    named.map((name) => ({ path: '/api/v2/alerts', headers: {}, body: JSON.stringify(forAlertmanager(name)) }));

  it('is set beside what the database allows, what Alertmanager keeps in memory, and what Express costs empty', async () => {
    const measurements = new Map<string, CostedMeasurement>([
      ['repeats', post(firstOf(intake, REPEATS), intake.service)],
      ['bare repeats', post(firstOf(ofBare, REPEATS), bare)],
      ['empty Express', post(firstOf(intake, REPEATS), express)],
      ['new', post(firstOf(intake, NEW), intake.service)],
      ['bare new', post(firstOf(ofBare, NEW), bare)],
      ['new with incidents', post(firstOf(withIncidents, NEW), withIncidents.service)],
      ['bare new with incidents', post(firstOf(incidentsOfBare, NEW), bareWithIncidents)],
      ['mix', post(intake.requests(MIX), intake.service)],
      ['bare mix', post(ofBare.requests(MIX), bare)],
    ]);
    if (alertmanager !== undefined) {
      measurements.set('Alertmanager repeats', post(toAlertmanager(REPEATS), alertmanager));
      measurements.set('Alertmanager new', post(toAlertmanager(NEW), alertmanager));
    }
    const measured = await interleave(measurements);
    const ratios = RATIOS.filter(([, against]) => measurements.has(against));
    say(
      measured.describe('/s') +
        ratios
          .map(([name, against]) => measured.describeRatio(name, against) + measured.describeCostRatio(name, against))
          .join('') +
        `  most memory: ${intake.service.peakMemory().toFixed(0)} MiB; with incidents ${withIncidents.service.peakMemory().toFixed(0)} MiB\n`,
    );
  });

  it(`of ${ALERTS_OF_BODY} new ones with incidents in one body is some tens of milliseconds`, async () => {
    const took: number[] = [];
    const before = withIncidents.service.processorTime();
    for (let round = 0; round < 10; round += 1) {
      const startedAt = performance.now();
      await withIncidents.sendOne(messageOf(ALERTS_OF_BODY, randomBytes(4).toString('hex')));
      took.push(performance.now() - startedAt);
    }
    const processor = (withIncidents.service.processorTime() - before) / took.length;
    say(`  ${ALERTS_OF_BODY} in one body: ${withSpread(took)} ms, ${processor.toFixed(0)} ms of the processor\n`);
    expect(median(took)).toBeLessThan(isSqlite ? 100 : 200);
  });

  it('answers 99 of 100 within 25 ms at half of the top rate', async () => {
    for (const [name, of, named] of [
      ['repeats', intake, REPEATS],
      ['new', intake, NEW],
      ['new with incidents', withIncidents, NEW],
    ] as const) {
      const sending = { url: of.service.url, requests: firstOf(of, named), connections: CONNECTIONS };
      const top = await send({ ...sending, seconds: SECONDS });
      const perSecond = Math.floor(top.perSecond / 2);
      const slowest: number[] = [];
      for (let round = 0; round < 5; round += 1)
        slowest.push((await send({ ...sending, seconds: SECONDS_OF_LATENCY, perSecond })).p99);
      say(`  p99 of ${name} at ${perSecond} /s: ${withSpread(slowest)} ms\n`);
      expect(median(slowest)).toBeLessThan(25);
    }
  });

  it('is taken by more processes on PostgreSQL', async () => {
    if (isSqlite) return;
    const intakes = new Map<number, Intake>();
    for (const workers of [1, 2, 4])
      intakes.set(workers, await Intake.open(openTestDatabase, { projects: PROJECTS, workers }));
    try {
      const measured = await interleave(
        new Map<string, CostedMeasurement>(
          [...intakes].map(([workers, of]) => [`mix, ${workers} processes`, post(of.requests(MIX), of.service)]),
        ),
      );
      say(
        measured.describe('/s') +
          [2, 4].map((workers) => measured.describeRatio(`mix, ${workers} processes`, 'mix, 1 processes')).join(''),
      );
      expect(measured.median('mix, 1 processes')).toBeGreaterThan(0);
    } finally {
      for (const { service } of intakes.values()) await service.end('SIGTERM');
    }
  });

  it('costs as much beside a million alerts, of which 10,000 are open, as beside none', async () => {
    const full = await Intake.open(openTestDatabase);
    const empty = await Intake.open(openTestDatabase);
    try {
      await fillWithAlerts(full.databaseUrl, 1_000_000, 10_000);
      const measured = await interleave(
        new Map<string, CostedMeasurement>([
          ['repeats, empty', post(firstOf(empty, REPEATS), empty.service)],
          ['repeats, a million', post(firstOf(full, REPEATS), full.service)],
          ['new, empty', post(firstOf(empty, NEW), empty.service)],
          ['new, a million', post(firstOf(full, NEW), full.service)],
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
