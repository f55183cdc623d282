import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Database } from '../../src/adapters/outbound/persistence/knex/database.js';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import { EVERY_HOUR } from '../../src/infrastructure/composition/schedules.js';
import { clockAhead } from '../support/clock-ahead.js';
import { describeEachDatabase } from '../support/databases.js';
import { seedOldActivity } from '../support/seed-activity.js';
import { ServiceProcess } from '../support/service-process.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { whileNobodyWrites } from '../support/while-nobody-writes.js';

/** Enough that their removal can be met in its midst. */
const OLD = 5_000;
const LEAD_MS = 500;
const YEARS_AGO = new Date(Date.now() - 3 * 365 * 86_400_000).toISOString();

/** The built service, as it is run: where the database works in its own thread, what is too old is removed in another one. */
describeEachDatabase('the retention of activity by the built service', (openTestDatabase) => {
  const key = randomBytes(32);
  let databaseUrl: string;
  let database: Database;
  let directory: string;
  let owner: TestUser;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'gatehouse-retention-'));
    databaseUrl = await openTestDatabase();
    const preparing = await TestService.start(databaseUrl, {}, key);
    owner = await preparing.addUser('ada');
    await preparing.close();
    database = openDatabase({ url: databaseUrl, poolMax: 2 });
    await seedOldActivity(database, databaseUrl, OLD, 1);
  });

  afterAll(async () => {
    await database.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const left = async (): Promise<number> => {
    const old = 'select count(*) as count from activity_events where created_at < ?';
    const [row] = await database.reader.run<{ count: number }>(old, [YEARS_AGO]);
    return Number(row?.count);
  };
  const start = async (): Promise<ServiceProcess> => {
    const clock = clockAhead(directory, EVERY_HOUR, LEAD_MS);
    const settings = { DATABASE_URL: databaseUrl, SECRET_KEY: key.toString('base64'), ...clock.settings };
    const service = await ServiceProcess.start(settings);
    clock.go();
    return service;
  };

  it('ends early when the service is told to end in its midst', async () => {
    const service = await start();
    await until(() =>
      whileNobodyWrites(database, 'activity_events', async () => {
        if ((await left()) >= OLD - 100) return false;
        service.signal('SIGTERM');
        return true;
      }),
    );
    expect(await service.ended()).toBe(0);
    expect(await left()).toBeGreaterThan(0);
  });

  it('goes on at its next time, lets others write meanwhile, and is counted', async () => {
    const before = await left();
    const service = await start();
    try {
      await until(async () => (await left()) < before);
      const response = await fetch(`${service.url}/api/v4/projects`, {
        method: 'POST',
        headers: { 'PRIVATE-TOKEN': owner.token, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: 'engine' }),
      });
      expect(response.status).toBe(201);
      await until(async () => (await left()) === 0);
      // The last batch is counted once it is committed.
      await until(async () => {
        const metrics = await (await fetch(`${service.url}/-/metrics`)).text();
        const removed = /gatehouse_expired_rows_removed_total\{table="activity_events"\} (\d+)/.exec(metrics)?.[1];
        return Number(removed) === before;
      });
    } finally {
      await service.end('SIGTERM');
    }
  });
});
