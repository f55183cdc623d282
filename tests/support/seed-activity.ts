import type { Knex } from 'knex';
import type { Database } from '../../src/adapters/outbound/persistence/knex/database.js';

const TABLE = 'activity_events';
const DAY_MS = 86_400_000;
/** Over how long the entries are spread: less than they are kept for. */
export const SEEDED_DAYS = 600;
/** Where the entries begin that are kept no longer. */
const YEARS_AGO = 4;
/** Of the latest so many, those that the measured people wrote are in a project that they have left. */
const LAST_LEFT = (count: number): number => Math.min(30_000, count / 20);

/** Who is measured, and where he is or was. */
export interface SeededPeople {
  /** In three projects: a busy one, a middling one and a quiet one. */
  readonly few: number;
  /** In 3,000 projects, of which 100 are busy and the others have a few old entries each. */
  readonly many: number;
}

export interface SeededPlaces {
  readonly ofFew: readonly [busy: number, middling: number, quiet: number];
  readonly busyOfMany: readonly [first: number, count: number];
  readonly quietOfMany: readonly [first: number, count: number];
  /** Busy, and left by both. */
  readonly left: number;
  /** Nobody of them was ever there. */
  readonly others: readonly [first: number, count: number];
}

const sqlite = (url: string): boolean => url.startsWith('sqlite:');

const indexesOf = async (database: Database, url: string): Promise<{ name: string; sql: string }[]> => {
  const rows = (await database.schema.raw(
    sqlite(url)
      ? `select name, sql from sqlite_master where type = 'index' and tbl_name = '${TABLE}' and sql is not null`
      : `select indexname as name, indexdef as sql from pg_indexes where tablename = '${TABLE}' and indexname <> '${TABLE}_pkey'`,
  )) as { rows?: { name: string; sql: string }[] };
  return rows.rows ?? (rows as unknown as { name: string; sql: string }[]);
};

/** Numbers from 1 to `count` as `n(i)`. */
export const numbers = (url: string, count: number): string =>
  sqlite(url)
    ? `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`
    : `with n(i) as (select generate_series(1, ${count}))`;

const instant = (url: string, from: number, step: number): string =>
  sqlite(url)
    ? `strftime('%Y-%m-%dT%H:%M:%fZ', ${from / 1000} + i * ${step / 1000}, 'unixepoch')`
    : `date_trunc('milliseconds', to_timestamp(${from / 1000} + i * ${step / 1000}))`;

/**
 * A feed of `count` entries: some projects are busy, most are quiet, and some were left by who wrote much there. The latest of what
 * the measured people wrote are in a project that they have left. The indexes are built afterwards, which takes less time.
 */
export const seedActivity = async (
  database: Database,
  url: string,
  count: number,
  people: SeededPeople,
  places: SeededPlaces,
): Promise<void> => {
  const indexes = await indexesOf(database, url);
  await database.schema.transaction(async (transaction) => {
    // It takes longer than any request may.
    if (!sqlite(url)) await transaction.raw('set local statement_timeout = 0');
    for (const { name } of indexes) await transaction.raw(`drop index ${name}`);
    await transaction.raw(entries(url, count, people, places));
    for (const { sql } of indexes) await transaction.raw(sql);
    await transaction.raw('analyze');
  });
  if (!sqlite(url)) await vacuum(database);
};

/** What runs by itself on a table that grows entry by entry: indexes alone tell what has been there for a while. */
const vacuum = async (database: Database): Promise<void> => {
  const client = database.schema.client as Knex.Client;
  const connection: unknown = await client.acquireConnection();
  for (const statement of ['set statement_timeout = 0', 'vacuum analyze', 'reset statement_timeout'])
    await database.schema.raw(statement).connection(connection as never);
  await client.releaseConnection(connection);
};

const entries = (
  url: string,
  count: number,
  { few, many }: SeededPeople,
  { ofFew, busyOfMany, quietOfMany, left, others }: SeededPlaces,
): string => {
  const step = (SEEDED_DAYS * DAY_MS) / count;
  const from = Date.now() - SEEDED_DAYS * DAY_MS - DAY_MS;
  const project = `case
    when i <= ${Math.floor(count / 1_000)} then ${quietOfMany[0]} + i % ${quietOfMany[1]}
    when (i / 10) % 20 < 2 and i > ${count - LAST_LEFT(count)} then ${left}
    when i % 10 < 1 then ${left}
    when i % 10 < 4 then ${busyOfMany[0]} + (i / 10) % ${busyOfMany[1]}
    when i % 10 < 5 then ${ofFew[0]}
    when i % 1000 = 7 then ${ofFew[1]}
    when i % 100000 = 9 then ${ofFew[2]}
    else ${others[0]} + (i / 7) % ${others[1]} end`;
  // Every kind among every other.
  const kind = '((i % 1000) * 919 % 1000)';
  return `insert into ${TABLE}
    (feed, author_id, action, target_type, target_id, target_iid, target_title, subject_id, details, created_at)
    ${numbers(url, count)}
    select (${project}) * 2,
      case when (i / 10) % 20 = 0 then ${many} when (i / 10) % 20 = 1 then ${few} else 1000000 + i % 5000 end,
      case when ${kind} < 400 then 6 when ${kind} < 700 then 7 when ${kind} < 850 then 2 when ${kind} < 950 then 4
        when ${kind} < 990 then 8 when ${kind} < 997 then 5 when ${kind} < 999 then 9 else 11 end,
      case when ${kind} < 400 then 0 when ${kind} < 700 then 4 when ${kind} < 850 then 1 when ${kind} < 950 then 1
        when ${kind} < 990 then 3 when ${kind} < 997 then 1 when ${kind} < 999 then 5 else 2 end,
      i, i % 1000, 'What was done', null, null, ${instant(url, from, step)}
    from n`;
};

/** Entries of a project that are older than any that is shown. */
export const seedOldActivity = async (
  database: Database,
  url: string,
  count: number,
  projectId: number,
): Promise<void> => {
  const from = Date.now() - YEARS_AGO * 365 * DAY_MS;
  await database.schema.transaction(async (transaction) => {
    if (!sqlite(url)) await transaction.raw('set local statement_timeout = 0');
    await transaction.raw(`insert into ${TABLE}
      (feed, author_id, action, target_type, target_id, target_iid, target_title, subject_id, details, created_at)
      ${numbers(url, count)}
      select ${projectId * 2}, 1000000 + i % 5000, 2, 1, i, i % 1000, 'What was done', null, null, ${instant(url, from, 1_000)}
      from n`);
  });
};
