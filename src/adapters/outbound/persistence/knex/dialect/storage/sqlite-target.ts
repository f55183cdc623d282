import type Database from 'better-sqlite3';
import type { TargetWork } from '../../../../../../application/storage/ports/storage-end.js';
import {
  keyOf,
  type Counters,
  type StoredKey,
  type StoredTable,
} from '../../../../../../application/storage/ports/stored-rows.js';
import type { StorageControl } from '../../../../../../domain/storage/storage-control.js';
import type { StoredRow } from '../../../../../../domain/storage/stored-row.js';
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
import { STORED_TABLES, typedTableOf } from '../../storage/stored-tables.js';
import { isOneOf, readSqliteRows } from './sqlite-rows.js';

const KEYS_TO_REMOVE = 500;

export const controlRowOf = (connection: Database.Database): ControlRow | undefined =>
  connection.prepare<[], ControlRow>(CONTROL_ROW).get();

export const markSqlite = (connection: Database.Database, control: StorageControl): void =>
  void connection.prepare(MARK).run(markBindings(control));

const remove = (connection: Database.Database, table: StoredTable, keys: readonly StoredKey[]): void => {
  for (const some of someKeys(keys, KEYS_TO_REMOVE))
    connection
      .prepare(`delete from ${table.name} where ${isOneOf(typedTableOf(table), some.length)}`)
      .run(...some.flat());
};

export const insertRows = (
  connection: Database.Database,
  { name, columns }: StoredTable,
  rows: readonly StoredRow[],
): void => {
  const places = columns.map(() => '?').join(', ');
  const insert = connection.prepare(`insert into ${name} (${columns.join(', ')}) values (${places})`);
  for (const row of rows) insert.run(row);
};

/** Keeps what makes the indexes again, and drops them. */
export const dropIndexes = (connection: Database.Database): void => {
  const tables = STORED_TABLES.map(({ name }) => `'${name}'`).join(', ');
  const indexes = connection
    .prepare<[], { name: string; sql: string }>(
      `select name, sql from sqlite_master where type = 'index' and sql is not null and tbl_name in (${tables}) order by name`,
    )
    .all();
  const definitions = indexes.map(({ name, sql }): Definition => ({
    kind: 'index',
    drop: `drop index "${name}"`,
    create: sql,
  }));
  for (const { drop } of definitions) connection.exec(drop);
  connection.prepare(SET_DEFINITIONS).run(JSON.stringify(definitions));
};

export const makeIndexes = (connection: Database.Database): void => {
  for (const { create } of definitionsOf(controlRowOf(connection)?.definitions)) connection.exec(create);
  connection.prepare(SET_DEFINITIONS).run(null);
};

const setCounters = (connection: Database.Database, counters: Counters): void => {
  for (const { name, counted } of STORED_TABLES) {
    if (counted === undefined) continue;
    connection.prepare('delete from sqlite_sequence where name = ?').run(name);
    const last = BigInt(counters.get(name) ?? '0');
    connection.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(name, last);
  }
};

/** @param connection within a transaction. Foreign keys are a part of the tables: it holds nothing against them. */
export const sqliteTarget = (connection: Database.Database): TargetWork => ({
  remove: async (table, keys) => remove(connection, table, keys),
  insert: async (table, rows) => insertRows(connection, table, rows),
  put: async (table, rows) => {
    remove(
      connection,
      table,
      rows.map((row) => keyOf(table, row)),
    );
    insertRows(connection, table, rows);
  },
  rowsOf: (table, keys) => readSqliteRows(() => connection).rowsOf(table, keys),
  setCounters: async (counters) => setCounters(connection, counters),
  makeIndexes: async () => makeIndexes(connection),
  addForeignKeys: () => Promise.resolve(),
  checkForeignKeys: () => Promise.resolve(),
  dropForeignKeys: () => Promise.resolve(),
  mark: async (control) => markSqlite(connection, control),
  keepReceipt: async (receipt) => void connection.prepare(SET_RECEIPT).run(receipt),
});
