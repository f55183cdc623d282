import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { Sensitive } from '../../src/application/shared/sensitive.js';
import { describeDatabase } from '../support/databases.js';
import { PostgresServer } from '../support/postgres-server.js';
import { selectedDatabases } from '../support/selected-databases.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { migrateUnused } from '../../src/infrastructure/storage-ends.js';

const NAME = 'gatehouse';

for (const database of selectedDatabases().filter((name) => name === 'postgres'))
  describeDatabase(database, 'a service with a replica', () => {
    let primary: PostgresServer;
    let replica: PostgresServer;
    let service: TestService | undefined;
    let ada: TestUser;
    let project: number;

    beforeAll(async () => {
      primary = await PostgresServer.create({ durable: true });
      await onServer(primary.url(), `create database ${NAME}`);
      await migrateUnused(primary.url(NAME));
      replica = await PostgresServer.following(primary);
    });
    afterAll(async () => {
      await replica.remove();
      await primary.remove();
    });
    afterEach(async () => {
      await service?.close();
      service = undefined;
    });

    const onServer = async <Row extends object>(url: string, statement: string): Promise<readonly Row[]> => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        return (await client.query<Row>(statement)).rows;
      } finally {
        await client.end();
      }
    };
    const key = randomBytes(32);
    const start = async (): Promise<TestService> =>
      TestService.start(primary.url(NAME), { databaseReplicaUrl: new Sensitive(replica.url(NAME)) }, key);
    const prepare = async (username: string): Promise<TestService> => {
      const started = await start();
      service = started;
      ada = await started.addUser(username);
      const { body } = await started.nodeCall<{ id: number }>('POST', '/projects', {
        token: ada.token,
        json: { name: 'engine' },
      });
      project = body.id;
      return started;
    };

    const stateOf = async ({ nodeUrl }: TestService): Promise<string | undefined> => {
      const text = await (await fetch(`${nodeUrl}/-/metrics`)).text();
      return /gatehouse_replica_state\{state="(\w+)"\} 1/.exec(text)?.[1];
    };
    let serial = 0;
    /** Opens an issue, and finds it in the list at once. */
    const writeAndRead = async (node: TestService, reader = node): Promise<void> => {
      const title = `Oil the engine ${(serial += 1)}`;
      const options = { token: ada.token };
      const written = await node.nodeCall('POST', `/projects/${project}/issues`, { ...options, json: { title } });
      expect(written.status).toBe(201);
      const { status, body } = await reader.nodeCall<{ title: string }[]>(
        'GET',
        `/projects/${project}/issues`,
        options,
      );
      expect([status, body[0]?.title]).toEqual([200, title]);
    };
    /** How many statements have looked for issues, at a server. */
    const readsAt = async (server: PostgresServer): Promise<number> => {
      await sleep(1_200);
      const [row] = await onServer<{ reads: string }>(
        server.url(NAME),
        `select seq_scan + coalesce(idx_scan, 0) as reads from pg_stat_user_tables where relname = 'issues'`,
      );
      return Number(row?.reads ?? 0);
    };

    it('reads lists from there, in which everybody finds at once what they wrote at another node', async () => {
      const left = await prepare('ada');
      const right = await start();
      try {
        const before = await readsAt(replica);
        await until(async () => {
          await writeAndRead(left, right);
          return (await stateOf(right)) === 'current';
        });
        for (let time = 0; time < 40; time += 1) await writeAndRead(left, right);
        expect(await readsAt(replica)).toBeGreaterThan(before);
      } finally {
        await right.close();
      }
    });

    it('reads from the database while the replica is behind, and from the replica once it has caught up', async () => {
      const node = await prepare('bea');
      await onServer(replica.url(), 'select pg_wal_replay_pause()');
      for (let time = 0; time < 10; time += 1) await writeAndRead(node);
      expect(await stateOf(node)).toBe('behind');
      await onServer(replica.url(), 'select pg_wal_replay_resume()');
      await until(async () => {
        await writeAndRead(node);
        return (await stateOf(node)) === 'current';
      });
    });

    it('reads from the database while the replica is gone, also in the midst of lists, and from the replica once it is back', async () => {
      const node = await prepare('cleo');
      await until(async () => {
        await writeAndRead(node);
        return (await stateOf(node)) === 'current';
      });
      let stopped = false;
      const statuses: number[] = [];
      const reading = Promise.all(
        Array.from({ length: 8 }, async () => {
          while (!stopped) {
            const answer = await node.nodeCall('GET', `/projects/${project}/issues`, { token: ada.token });
            statuses.push(answer.status);
          }
        }),
      );
      await replica.stop('SIGQUIT');
      for (let time = 0; time < 10; time += 1) await writeAndRead(node);
      expect(await stateOf(node)).not.toBe('current');
      await replica.start();
      await until(async () => {
        await writeAndRead(node);
        return (await stateOf(node)) === 'current';
      });
      stopped = true;
      await reading;
      expect(new Set(statuses)).toEqual(new Set([200]));
    });

    it('reads nothing from a server that follows another database', async () => {
      const other = await PostgresServer.create();
      try {
        await onServer(other.url(), `create database ${NAME}`);
        await migrateUnused(other.url(NAME));
        service = await TestService.start(
          primary.url(NAME),
          { databaseReplicaUrl: new Sensitive(other.url(NAME)) },
          key,
        );
        ada = await service.addUser('dora');
        const { status, body } = await service.nodeCall<{ username: string }[]>('GET', '/users?username=dora', {
          token: ada.token,
        });
        expect([status, body.map(({ username }) => username)]).toEqual([200, ['dora']]);
        expect(await stateOf(service)).not.toBe('current');
      } finally {
        await other.remove();
      }
    });
  });
