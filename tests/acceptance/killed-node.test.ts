import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { Database } from '../../src/adapters/outbound/persistence/knex/database.js';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import { EVERY_HOUR } from '../../src/infrastructure/composition/schedules.js';
import { clockAhead } from '../support/clock-ahead.js';
import { describeDatabase } from '../support/databases.js';
import { seedOldActivity } from '../support/seed-activity.js';
import { selectedDatabases } from '../support/selected-databases.js';
import { ServiceProcess } from '../support/service-process.js';
import { TestService } from '../support/test-service.js';
import { until } from '../support/until.js';
import { whileNobodyWrites } from '../support/while-nobody-writes.js';

/** Enough that their removal can be met in its midst. */
const OLD = 5_000;
const LEAD_MS = 500;
const YEARS_AGO = new Date(Date.now() - 3 * 365 * 86_400_000).toISOString();

/** Nodes that have asked for a lock which another node has. */
const WAITING = `with connections as (select * from pg_stat_activity where datname = current_database() and application_name like 'gatehouse node %')
  select distinct application_name from connections where query like '%pg_try_advisory_lock%' and application_name not in
    (select application_name from connections join pg_locks using (pid) where locktype = 'advisory' and granted)`;

// An embedded database has one node.
for (const server of selectedDatabases().filter((name) => name === 'postgres'))
  describeDatabase(server, 'what one node at a time does by the clock', (openTestDatabase) => {
    const countOld = async ({ reader }: Database): Promise<number> => {
      const old = 'select count(*) as count from activity_events where created_at < ?';
      const [row] = await reader.run<{ count: number }>(old, [YEARS_AGO]);
      return Number(row?.count);
    };

    it('is gone on with by another node when the one at it is killed, and not only at its next time', async () => {
      const directory = mkdtempSync(join(tmpdir(), 'gatehouse-killed-node-'));
      const databaseUrl = await openTestDatabase();
      const key = randomBytes(32);
      await (await TestService.start(databaseUrl, {}, key)).close();
      const database = openDatabase({ url: databaseUrl, poolMax: 3 });
      const nodes: ServiceProcess[] = [];
      try {
        await seedOldActivity(database, databaseUrl, OLD, 1);
        const start = async (): Promise<{ readonly node: ServiceProcess; readonly go: () => void }> => {
          const clock = clockAhead(directory, EVERY_HOUR, LEAD_MS);
          const settings = { DATABASE_URL: databaseUrl, SECRET_KEY: key.toString('base64'), ...clock.settings };
          const node = await ServiceProcess.start(settings);
          nodes.push(node);
          return { node, go: clock.go };
        };
        const [first, second] = [await start(), await start()];
        first.go();
        await until(() =>
          whileNobodyWrites(database, 'activity_events', async () => {
            if ((await countOld(database)) > OLD - 100) return false;
            second.go();
            await until(async () => (await database.reader.run(WAITING, [])).length === 1);
            await first.node.end('SIGKILL');
            return true;
          }),
        );
        expect(await countOld(database)).toBeGreaterThan(0);
        // Its next time is an hour away.
        await until(async () => (await countOld(database)) === 0);
      } finally {
        for (const node of nodes) await node.end('SIGKILL');
        await database.close();
        rmSync(directory, { recursive: true });
      }
    });
  });
