import type pg from 'pg';
import { RowsInTheWay, type TargetWork } from '../../../../../../application/storage/ports/storage-end.js';
import type { Counters, StoredKey, StoredTable } from '../../../../../../application/storage/ports/stored-rows.js';
import type { StorageControl } from '../../../../../../domain/storage/storage-control.js';
import { lineOf, type StoredRow } from '../../../../../../domain/storage/stored-row.js';
import {
  CONTROL_ROW,
  definitionsOf,
  MARK,
  markBindings,
  SET_DEFINITIONS,
  SET_RECEIPT,
  type ControlRow,
  type Definition,
} from '../../storage/control-row.js';
import { someKeys } from '../../storage/pages-of-rows.js';
import { keyColumns, STORED_TABLES, typedTableOf } from '../../storage/stored-tables.js';
import { copyIn } from './copy-in.js';
import { joinKeys, keysByColumn, readPostgresRows, sequenceOf } from './postgres-rows.js';

const KEYS_TO_REMOVE = 5_000;

const NAMES = STORED_TABLES.map(({ name }) => `'${name}'`).join(', ');
const constraints = (type: string, kind: Definition['kind'], valid = ''): string =>
  `select '${kind}' as kind, format('alter table %s drop constraint if exists %I', conrelid::regclass, conname) as drop,
    format('alter table %s add constraint %I %s${valid}', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
  from pg_constraint where contype = '${type}' and connamespace = current_schema()::regnamespace
    and conrelid::regclass::text in (${NAMES}) order by conname`;
const FOREIGN_KEYS = constraints('f', 'foreign key', ' not valid');
const UNIQUE_CONSTRAINTS = constraints('u', 'index');
const INDEXES = `select 'index' as kind, format('drop index %I', indexname) as drop, indexdef as create from pg_indexes
  where schemaname = current_schema() and tablename in (${NAMES})
    and not exists (select from pg_constraint where conindid = format('%I', indexname)::regclass) order by indexname`;

export const numbered = (sql: string): string => {
  let place = 0;
  return sql.replaceAll('?', () => `$${(place += 1)}`);
};

export const controlRowOf = async (client: pg.Client): Promise<ControlRow | undefined> =>
  (await client.query<ControlRow>(CONTROL_ROW)).rows[0];

export const markPostgres = async (client: pg.Client, control: StorageControl): Promise<void> =>
  void (await client.query(numbered(MARK), [...markBindings(control)]));

const keepDefinitions = async (client: pg.Client, definitions: readonly Definition[]): Promise<void> => {
  const text = definitions.length === 0 ? null : JSON.stringify(definitions);
  await client.query(numbered(SET_DEFINITIONS), [text]);
};

/** Sends them at once. */
const runAll = async (client: pg.Client, statements: readonly string[]): Promise<void> => {
  if (statements.length > 0) await client.query(statements.join('; '));
};

/** Keeps what makes indexes and foreign keys again, and drops them. */
export const dropConstraints = async (client: pg.Client): Promise<void> => {
  const definitions: Definition[] = [];
  for (const query of [FOREIGN_KEYS, UNIQUE_CONSTRAINTS, INDEXES]) {
    const { rows } = await client.query<Definition>(query);
    await runAll(
      client,
      rows.map(({ drop }) => drop),
    );
    definitions.push(...rows);
  }
  await keepDefinitions(client, definitions);
};

const definitionsIn = async (client: pg.Client, kind: Definition['kind']): Promise<readonly Definition[]> =>
  definitionsOf((await controlRowOf(client))?.definitions).filter((definition) => definition.kind === kind);

// In the order opposite to the one in which they were dropped.
export const makeIndexes = async (client: pg.Client): Promise<void> => {
  const definitions = await definitionsIn(client, 'index');
  await runAll(client, definitions.map(({ create }) => create).toReversed());
  await keepDefinitions(client, await definitionsIn(client, 'foreign key'));
};

export const addForeignKeys = async (client: pg.Client): Promise<void> => {
  const definitions = await definitionsIn(client, 'foreign key');
  await runAll(
    client,
    definitions.map(({ create }) => create),
  );
};

export const dropForeignKeys = async (client: pg.Client): Promise<void> => {
  const definitions = await definitionsIn(client, 'foreign key');
  await runAll(
    client,
    definitions.map(({ drop }) => drop),
  );
};

const UNCHECKED = `select format('alter table %s validate constraint %I', conrelid::regclass, conname) as statement
  from pg_constraint where contype = 'f' and not convalidated and connamespace = current_schema()::regnamespace`;

export const checkForeignKeys = async (client: pg.Client): Promise<void> => {
  for (const { statement } of (await client.query<{ statement: string }>(UNCHECKED)).rows)
    await client.query(statement);
};

/** Once they are neither dropped nor made any more. */
export const forgetDefinitions = (client: pg.Client): Promise<void> => keepDefinitions(client, []);

const setCounters = async (client: pg.Client, counters: Counters): Promise<void> => {
  const set = STORED_TABLES.flatMap((table) => {
    if (table.counted === undefined) return [];
    const last = counters.get(table.name) ?? '0';
    return `setval(${sequenceOf(table)}, ${last === '0' ? '1, false' : `${BigInt(last)}, true`})`;
  });
  await client.query(`select ${set.join(', ')}`);
};

const remove = async (client: pg.Client, of: StoredTable, keys: readonly StoredKey[]): Promise<void> => {
  const table = typedTableOf(of);
  const same = keyColumns(table)
    .map(({ name }) => `${table.name}.${name} = wanted.${name}`)
    .join(' and ');
  for (const some of someKeys(keys, KEYS_TO_REMOVE))
    await client.query(`delete from ${table.name} using ${joinKeys(table)} where ${same}`, keysByColumn(table, some));
};

export const insertRows = async (
  client: pg.Client,
  { name, columns }: StoredTable,
  rows: readonly StoredRow[],
): Promise<void> => {
  if (rows.length === 0) return;
  const lines = Buffer.from(rows.map(lineOf).join(''));
  await copyIn(client, `copy ${name} (${columns.join(', ')}) from stdin`, lines);
};

const IN_THE_WAY: ReadonlySet<unknown> = new Set(['23503', '23505']);

/** @throws RowsInTheWay where `work` met rows that keep it from what it does. */
const pastOthers = (work: Promise<void>): Promise<void> =>
  work.catch((error: unknown) => {
    if (!IN_THE_WAY.has((error as { code?: unknown }).code)) throw error;
    throw new RowsInTheWay('Other rows are in the way.', { cause: error });
  });

/** Values are text in each form of a row: the table knows their types. */
const putRows = async (client: pg.Client, of: StoredTable, rows: readonly StoredRow[]): Promise<void> => {
  const table = typedTableOf(of);
  const columns = table.columns.join(', ');
  const keys = keyColumns(table).map(({ name }) => name);
  const changed = table.columns.filter((column) => !keys.includes(column));
  const change = changed.map((column) => `${column} = excluded.${column}`).join(', ');
  const named = rows.map((row) => Object.fromEntries(table.columns.map((column, place) => [column, row[place]])));
  await client.query(
    `insert into ${table.name} (${columns}) select ${columns} from json_populate_recordset(null::${table.name}, $1)
      on conflict (${keys.join(', ')}) do ${change === '' ? 'nothing' : `update set ${change}`}`,
    [JSON.stringify(named)],
  );
};

/** @param client within a transaction. */
export const postgresTarget = (client: pg.Client): TargetWork => ({
  remove: (table, keys) => pastOthers(remove(client, table, keys)),
  insert: (table, rows) => insertRows(client, table, rows),
  put: (table, rows) => pastOthers(putRows(client, table, rows)),
  rowsOf: (table, keys) => readPostgresRows(client).rowsOf(table, keys),
  setCounters: (counters) => setCounters(client, counters),
  makeIndexes: async (sparing) => {
    if (!sparing) await client.query('set local max_parallel_maintenance_workers to default');
    await makeIndexes(client);
  },
  addForeignKeys: () => addForeignKeys(client),
  checkForeignKeys: () => checkForeignKeys(client),
  dropForeignKeys: () => dropForeignKeys(client),
  mark: (control) => markPostgres(client, control),
  keepReceipt: async (receipt) => void (await client.query(numbered(SET_RECEIPT), [receipt])),
});
