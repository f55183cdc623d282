import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { migrateUnused } from '../../src/infrastructure/storage-ends.js';
import { AlertingProject } from '../support/alerting.js';
import { interleave } from '../support/interleave.js';
import { latencyAt, underLoad, type Load } from '../support/load.js';
import { PostgresServer } from '../support/postgres-server.js';
import { processorTimeOfServer } from '../support/processor-time.js';
import { selectedDatabases } from '../support/selected-databases.js';
import { ServiceProcess } from '../support/service-process.js';
import { withSpread } from '../support/statistics.js';
import { p99Of, SteadyLoad } from '../support/steady-load.js';
import { TestService } from '../support/test-service.js';

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 2);
const NAME = 'gatehouse';
const ISSUES = 100;
const ALERTS_A_SECOND = 100;
const CONNECTIONS = 8;
const PROBES = 500;
const ALONE = 'without a replica';
const WITH = 'with a replica';

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
};

/** How long after a commit was acknowledged a replica has it, in milliseconds. */
const lags = async (primary: pg.Client, replica: pg.Client): Promise<readonly { took: number; due: number }[]> => {
  const seen: { took: number; due: number }[] = [];
  for (let probe = 0; probe < PROBES; probe += 1) {
    await primary.query('update probes set number = number + 1');
    const due = performance.now();
    const [{ lsn }] = (await primary.query<{ lsn: string }>('select pg_current_wal_flush_lsn()::text as lsn')).rows as [
      { lsn: string },
    ];
    const isThere = { name: 'is there', text: 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as there', values: [lsn] };
    while ((await replica.query<{ there: boolean }>(isThere)).rows[0]?.there !== true) await sleep(1);
    seen.push({ due, took: performance.now() - due });
    await sleep(5);
  }
  return seen;
};

if (selectedDatabases().includes('postgres'))
  describe('lists of a service with a replica', () => {
    let [primary, replica]: [PostgresServer?, PostgresServer?] = [];
    const services: ServiceProcess[] = [];
    let lists: readonly [alone: Load, withReplica: Load];
    let alerts: Load;

    const clientOf = (server: PostgresServer | undefined): Promise<pg.Client> => connect(server?.url(NAME) ?? '');
    const scansAt = async (server: PostgresServer | undefined): Promise<number> => {
      // What was counted is told a second later.
      await sleep(1_500);
      const client = await clientOf(server);
      const { rows } = await client.query<{ scans: string }>(
        "select seq_scan + coalesce(idx_scan, 0) as scans from pg_stat_user_tables where relname = 'issues'",
      );
      await client.end();
      return Number(rows[0]?.scans ?? 0);
    };

    beforeAll(async () => {
      primary = await PostgresServer.create({ durable: true });
      const admin = await connect(primary.url());
      await admin.query(`create database ${NAME}`);
      await admin.end();
      await migrateUnused(primary.url(NAME));
      const key = randomBytes(32);
      const seeded = await TestService.start(primary.url(NAME), {}, key);
      const ada = await seeded.addUser('ada');
      const project = await AlertingProject.create(seeded, ada, 'engine');
      await project.call('PUT', '/alert_settings', { create_incident: false });
      for (let issue = 0; issue < ISSUES; issue += 1)
        await project.call('POST', '/issues', { title: `Leak ${issue}`, labels: 'water' });
      const integration = await project.integrate();
      await seeded.close();
      const client = await connect(primary.url(NAME));
      await client.query('create table probes as select 0 as number');
      await client.end();
      replica = await PostgresServer.following(primary);
      const settings = {
        DATABASE_URL: primary.url(NAME),
        SECRET_KEY: key.toString('base64'),
        NODE_ENV: 'production',
        RATE_LIMIT_ALERTS: 'off',
        RATE_LIMIT_API: 'off',
      };
      const path = `/api/v4/projects/${project.id}/issues`;
      const start = async (more: Readonly<Record<string, string>>): Promise<Load> => {
        const service = await ServiceProcess.start({ ...settings, ...more });
        services.push(service);
        return { url: service.url + path, headers: { Authorization: `Bearer ${ada.token}` }, connections: CONNECTIONS };
      };
      lists = [await start({}), await start({ DATABASE_REPLICA_URL: replica.url(NAME) })];
      alerts = {
        url: (services[0]?.url ?? '') + new URL(integration.url).pathname,
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${integration.token}` },
        body: JSON.stringify({ title: 'The engine is hot', fingerprint: 'engine-hot-{n}' }),
      };
    });
    afterAll(async () => {
      for (const service of services) await service.end('SIGTERM');
      await replica?.remove();
      await primary?.remove();
    });

    it.each(['nobody writes', `${ALERTS_A_SECOND} alerts a second are written`])('while %s', async (when) => {
      const writing = when.startsWith('nobody') ? undefined : new SteadyLoad(alerts, ALERTS_A_SECOND);
      const url = primary?.url(NAME) ?? '';
      const taking = (load: Load) => async () => {
        const before = await processorTimeOfServer(url);
        const perSecond = await underLoad(load, SECONDS);
        return {
          perSecond,
          processor: (((await processorTimeOfServer(url)) - before) * 1_000) / (perSecond * SECONDS),
        };
      };
      const throughput = await interleave(
        new Map([
          [ALONE, taking(lists[0])],
          [WITH, taking(lists[1])],
        ]),
      );
      const half = Math.floor(throughput.median(ALONE) / 2);
      const waits = await interleave(
        new Map([
          [ALONE, () => latencyAt(lists[0], half, SECONDS)],
          [WITH, () => latencyAt(lists[1], half, SECONDS)],
        ]),
      );
      const [here, there] = [await scansAt(primary), await scansAt(replica)];
      await latencyAt(lists[1], half, SECONDS);
      const [ofPrimary, ofReplica] = [(await scansAt(primary)) - here, (await scansAt(replica)) - there];
      const clients = [await clientOf(primary), await clientOf(replica)] as const;
      const behind = await lags(...clients);
      for (const client of clients) await client.end();
      await writing?.stop();
      process.stdout.write(
        `while ${when}:\n lists, and the processor of the database\n${throughput.describe('a second')}` +
          ` p99 of ${half} lists a second\n${waits.describe('ms')}` +
          ` scans at the replica ${ofReplica}, at the database ${ofPrimary}\n` +
          ` behind by ${withSpread(
            behind.map(({ took }) => took),
            1,
          )} ms, p99 ${p99Of(behind)} ms\n`,
      );
      expect(ofReplica).toBeGreaterThan(0);
    });
  });
