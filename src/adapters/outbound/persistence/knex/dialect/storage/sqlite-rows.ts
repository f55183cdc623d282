import type Database from 'better-sqlite3';
import type { RowSource, StoredKey } from '../../../../../../application/storage/ports/stored-rows.js';
import { PAGE_BYTES, PAGE_ROWS, pagesOf } from '../../storage/pages-of-rows.js';
import { isNumber, keyColumns, type TypedColumn, type TypedTable } from '../../storage/stored-tables.js';

// Numbers of 64 bits would lose digits as numbers of JavaScript.
const expressionOf = ({ name, type }: TypedColumn): string =>
  isNumber(type) || type === 'boolean' ? `cast(${name} as text)` : name;

const REPLACEMENT = '\uFFFD';

const bytesOf = (values: readonly unknown[]): number =>
  values.reduce<number>(
    (sum, value) => sum + (typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 8),
    0,
  );

const afterKey = (table: TypedTable): string => {
  const columns = keyColumns(table);
  const places = columns.map(({ type }) => (isNumber(type) ? 'cast(? as integer)' : '?'));
  return `where (${columns.map(({ name }) => name).join(', ')}) > (${places.join(', ')})`;
};

/** What the driver shows by the replacement character may be bytes that are no text: they are read as they are. */
const exactly = (connection: Database.Database, table: TypedTable, values: readonly unknown[]): readonly unknown[] => {
  const key = table.key.map(({ place }) => values[place] as string);
  const condition = keyColumns(table)
    .map(({ name, type }) => `${name} = ${isNumber(type) ? 'cast(? as integer)' : '?'}`)
    .join(' and ');
  const columns = table.typed.map((column) =>
    isNumber(column.type) || column.type === 'boolean' ? expressionOf(column) : `cast(${column.name} as blob)`,
  );
  const row = connection
    .prepare<string[], unknown[]>(`select ${columns.join(', ')} from ${table.name} where ${condition}`)
    .raw()
    .get(...key);
  return row ?? values;
};

const readPage = (
  connection: Database.Database,
  table: TypedTable,
  after: StoredKey | undefined,
): readonly (readonly unknown[])[] => {
  const order = keyColumns(table).map(({ name }) => name);
  const statement = connection
    .prepare<unknown[], unknown[]>(
      `select ${table.typed.map(expressionOf).join(', ')} from ${table.name} ${after === undefined ? '' : afterKey(table)} order by ${order.join(', ')} limit ${PAGE_ROWS}`,
    )
    .raw();
  const rows: (readonly unknown[])[] = [];
  let bytes = 0;
  for (const values of statement.iterate(...(after ?? []))) {
    rows.push(values);
    bytes += bytesOf(values);
    if (bytes > PAGE_BYTES) break;
  }
  return rows.map((values) =>
    values.some((value) => typeof value === 'string' && value.includes(REPLACEMENT))
      ? exactly(connection, table, values)
      : values,
  );
};

/** @param connection within a transaction that has the rows as they were at one moment. */
export const readSqliteRows = (connection: Database.Database): RowSource => {
  const read = (table: TypedTable, after: StoredKey | undefined) => Promise.resolve(readPage(connection, table, after));
  return {
    pages: (table) => pagesOf(table, undefined, read),
    pagesAfter: (table, key) => pagesOf(table, key, read),
    counters: () =>
      Promise.resolve(
        new Map(
          connection.prepare<[], [string, string]>('select name, cast(seq as text) from sqlite_sequence').raw().all(),
        ),
      ),
  };
};
