import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Database } from '../../../src/adapters/outbound/persistence/knex/database.js';
import { openPostgresDatabase } from '../../../src/adapters/outbound/persistence/knex/dialect/postgres-database.js';
import type { FindFirst } from '../../../src/adapters/outbound/persistence/knex/session.js';
import { describeDatabase } from '../../support/databases.js';
import { until } from '../../support/until.js';

/** The server plans a prepared statement for good once it has run so often. */
const RUNS = 10;
const MANY = 20_000;

describeDatabase('postgres', 'look-ups that are asked at once', (openTestDatabase) => {
  let database: Database;
  let find: FindFirst<{ readonly number: number }>;

  beforeAll(async () => {
    // One connection: what it has planned counts.
    database = openPostgresDatabase(await openTestDatabase(), 1);
    await database.schema.raw(
      'create table things (digest text primary key, number integer) with (autovacuum_enabled = off)',
    );
    find = database.reader.prepare('text', (query, digest) =>
      query({ thing: 'things' }).where('thing.digest', digest).select('thing.number'),
    );
  });
  afterAll(() => database.close());

  const addThings = (from: number, to: number): Promise<unknown> =>
    database.schema.raw(`insert into things select 'thing ' || n, n from generate_series(${from}, ${to}) as n`);
  /** Rows that were read without an index, and how often the index was asked, as far as the server has counted. */
  const counted = async (): Promise<{ readonly read: number; readonly asked: number }> => {
    const { rows } = (await database.schema.raw(
      "select seq_tup_read as read, idx_scan as asked from pg_stat_user_tables where relname = 'things'",
    )) as { rows: [{ read: number; asked: number }] };
    return rows[0];
  };

  it('read the rows that they find alone, in a table that was small when they were planned', async () => {
    await addThings(1, 300);
    for (let run = 1; run <= RUNS; run += 1) await Promise.all([find(`thing ${run}`), find(`thing ${run + 1}`)]);
    await addThings(301, MANY);
    const found = await Promise.all([find('thing 7'), find('thing 15000'), find('nothing')]);
    expect(found.map((row) => row?.number)).toEqual([7, 15_000, undefined]);
    await until(async () => (await counted()).asked >= 2 * RUNS + 3);
    expect((await counted()).read).toBe(0);
  });
});
