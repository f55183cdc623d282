import { describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import {
  EXPIRING_TABLES,
  INDEXES_OF_TEXTS,
  PARENTS_FIRST,
  SEALED_COLUMNS,
  TABLES,
  TABLES_OF_MIGRATIONS,
} from '../../src/adapters/outbound/persistence/knex/tables.js';
import type { LogicalType, Table } from '../../src/adapters/outbound/persistence/knex/tables/table.js';
import { describeDatabase } from '../support/databases.js';
import { reportPostgres, reportSqlite, type SchemaReport } from '../support/schema-report.js';
import { selectedDatabases, type DatabaseName } from '../support/selected-databases.js';

const REPORT = { sqlite: reportSqlite, postgres: reportPostgres };

/** What SQLite keeps an index of texts in. */
const PART_OF_INDEX = new RegExp(`^(?:${INDEXES_OF_TEXTS.join('|')})_`);

const CATALOGUE: Readonly<Record<string, Table>> = TABLES;

const TEXT = { sqlite: 'text', postgres: 'text' };
const BIG = { sqlite: 'bigint', postgres: 'bigint' };
/** What each database calls a logical type. */
const TYPES: Readonly<Record<LogicalType, Readonly<Record<DatabaseName, string>>>> = {
  id: { sqlite: 'integer', postgres: 'bigint' },
  shared_id: { sqlite: 'integer', postgres: 'bigint' },
  reference: BIG,
  integer: { sqlite: 'integer', postgres: 'integer' },
  big_integer: BIG,
  boolean: { sqlite: 'boolean', postgres: 'boolean' },
  instant: { sqlite: 'datetime', postgres: 'timestamp with time zone' },
  text: TEXT,
  key: TEXT,
  code: TEXT,
  date: TEXT,
  json: TEXT,
  digest: TEXT,
  sealed: TEXT,
};

const byName = <Item extends { readonly name: string }>(items: readonly Item[]) =>
  Object.fromEntries(items.map(({ name, ...item }) => [name, item]));

/** A table in words that the catalogue and both databases share. */
const found = (schema: SchemaReport, database: DatabaseName) =>
  Object.fromEntries(
    [...schema].map(([name, { columns, key, foreignKeys }]) => [
      name,
      {
        key,
        foreignKeys,
        columns: byName(
          columns.map((column) => ({
            ...column,
            type: column.type.toLowerCase(),
            byCodePoint: database === 'postgres' && column.byCodePoint,
          })),
        ),
      },
    ]),
  );

const declared = (database: DatabaseName) =>
  Object.fromEntries(
    Object.entries(CATALOGUE).map(([name, { columns, key }]) => [
      name,
      {
        key,
        foreignKeys: Object.entries(columns)
          .flatMap(([column, { refersTo }]) =>
            refersTo === undefined ? [] : `${column} → ${refersTo.table}.id, on delete ${refersTo.onDelete}`,
          )
          .sort(),
        columns: byName(
          Object.entries(columns).map(([column, { type, nullable }]) => ({
            name: column,
            type: TYPES[type][database],
            nullable,
            byCodePoint: database === 'postgres' && type === 'key',
          })),
        ),
      },
    ]),
  );

for (const database of selectedDatabases()) {
  describeDatabase(database, 'the catalogue of tables', (openTestDatabase) => {
    it('has every table, with its columns, types, nullability, key and foreign keys as the database has them', async () => {
      const opened = openDatabase({ url: await openTestDatabase(), poolMax: 2 });
      try {
        expect(declared(database)).toEqual(found(await REPORT[database](opened.schema), database));
      } finally {
        await opened.close();
      }
    });

    it('has an index for each instant after which the clean-up removes rows', async () => {
      const opened = openDatabase({ url: await openTestDatabase(), poolMax: 2 });
      try {
        const schema = await REPORT[database](opened.schema);
        for (const { table } of EXPIRING_TABLES) expect(schema.get(table)?.indexes).toContain('(expires_at)');
      } finally {
        await opened.close();
      }
    });

    it('leaves out nothing but the tables of migrations, and indexes of texts', async () => {
      const opened = openDatabase({ url: await openTestDatabase(), poolMax: 2 });
      try {
        const names =
          database === 'sqlite'
            ? await opened
                .schema('sqlite_master')
                .where({ type: 'table' })
                .whereNot('name', 'like', 'sqlite_%')
                .pluck('name')
            : await opened.schema('pg_tables').where({ schemaname: 'public' }).pluck('tablename');
        const tables = (names as string[]).filter((name) => !PART_OF_INDEX.test(name));
        expect(tables.sort()).toEqual([...Object.keys(CATALOGUE), ...TABLES_OF_MIGRATIONS, ...INDEXES_OF_TEXTS].sort());
      } finally {
        await opened.close();
      }
    });
  });
}

describe('the catalogue of tables', () => {
  it('marks each column whose name says that it is sealed, and no other', () => {
    const named = Object.entries(CATALOGUE).flatMap(([table, { columns, key }]) =>
      Object.keys(columns)
        .filter((column) => column.includes('sealed'))
        .map((column) => ({ table, column, key })),
    );
    expect(SEALED_COLUMNS).toEqual(named);
  });

  it('marks each column whose name says that it is a digest', () => {
    const digests = Object.entries(CATALOGUE).flatMap(([table, { columns }]) =>
      Object.entries(columns)
        .filter(([column, { type }]) => /(?:^|_)digest$/.test(column) !== (type === 'digest'))
        .map(([column]) => `${table}.${column}`),
    );
    expect(digests).toEqual([]);
  });

  it('orders tables so that each comes after those it refers to', () => {
    const order: readonly string[] = PARENTS_FIRST;
    expect([...order].sort()).toEqual(Object.keys(CATALOGUE).sort());
    for (const [name, { columns }] of Object.entries(CATALOGUE))
      for (const { refersTo } of Object.values(columns))
        if (refersTo !== undefined && refersTo.table !== name)
          expect(order.indexOf(refersTo.table)).toBeLessThan(order.indexOf(name));
  });
});
