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

const OLD = 2_000;
/** Time enough to start on a machine that has other things to do. */
const LEAD_MS = 8_000;
const PATIENCE_MS = 60_000;
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
  const start = () =>
    ServiceProcess.start({
      DATABASE_URL: databaseUrl,
      SECRET_KEY: key.toString('base64'),
      ...clockAhead(directory, EVERY_HOUR, LEAD_MS),
    });

  it(
    'ends early when the service is told to end in its midst',
    async () => {
      const service = await start();
      await until(async () => (await left()) < OLD - 100, PATIENCE_MS);
      expect(await service.end('SIGTERM')).toBe(0);
      expect(await left()).toBeGreaterThan(0);
    },
    3 * PATIENCE_MS,
  );

  it(
    'goes on at its next time, lets others write meanwhile, and is counted',
    async () => {
      const before = await left();
      const service = await start();
      try {
        await until(async () => (await left()) < before, PATIENCE_MS);
        const response = await fetch(`${service.url}/api/v4/projects`, {
          method: 'POST',
          headers: { 'PRIVATE-TOKEN': owner.token, 'Content-Type': 'application/json' },
          body: JSON.stringify({ name: 'engine' }),
        });
        expect(response.status).toBe(201);
        await until(async () => (await left()) === 0, PATIENCE_MS);
        const metrics = await (await fetch(`${service.url}/-/metrics`)).text();
        const removed = /gatehouse_expired_rows_removed_total\{table="activity_events"\} (\d+)/.exec(metrics)?.[1];
        expect(Number(removed)).toBe(before);
      } finally {
        await service.end('SIGTERM');
      }
    },
    3 * PATIENCE_MS,
  );
});
