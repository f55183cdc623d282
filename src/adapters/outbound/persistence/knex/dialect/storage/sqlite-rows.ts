import type Database from 'better-sqlite3';
import type { ChangingRows, RowSource, StoredKey } from '../../../../../../application/storage/ports/stored-rows.js';
import { changesOf, type Note } from '../../storage/control-row.js';
import { PAGE_BYTES, PAGE_ROWS, pagesOf, pagesOfKeys, type RawPage } from '../../storage/pages-of-rows.js';
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

const keyPlaces = (table: TypedTable): string =>
  `(${keyColumns(table)
    .map(({ type }) => (isNumber(type) ? 'cast(? as integer)' : '?'))
    .join(', ')})`;

const keyNames = (table: TypedTable): string =>
  `(${keyColumns(table)
    .map(({ name }) => name)
    .join(', ')})`;

/** What holds for the rows of so many keys, which are to be bound one after the other. */
export const isOneOf = (table: TypedTable, keys: number): string =>
  `${keyNames(table)} in (values ${Array.from({ length: keys }, () => keyPlaces(table)).join(', ')})`;

/** What the driver shows by the replacement character may be bytes that are no text: they are read as they are. */
const exactly = (connection: Database.Database, table: TypedTable, values: readonly unknown[]): readonly unknown[] => {
  const key = table.key.map(({ place }) => values[place] as string);
  const columns = table.typed.map((column) =>
    isNumber(column.type) || column.type === 'boolean' ? expressionOf(column) : `cast(${column.name} as blob)`,
  );
  const row = connection
    .prepare<string[], unknown[]>(`select ${columns.join(', ')} from ${table.name} where ${isOneOf(table, 1)}`)
    .raw()
    .get(...key);
  return row ?? values;
};

const rowsAsTheyAre = (
  connection: Database.Database,
  table: TypedTable,
  rows: readonly (readonly unknown[])[],
): readonly (readonly unknown[])[] =>
  rows.map((values) =>
    values.some((value) => typeof value === 'string' && value.includes(REPLACEMENT))
      ? exactly(connection, table, values)
      : values,
  );

const readPage = (connection: Database.Database, table: TypedTable, after: StoredKey | undefined): RawPage => {
  const order = keyColumns(table).map(({ name }) => name);
  const beyond = after === undefined ? '' : `where ${keyNames(table)} > ${keyPlaces(table)}`;
  const statement = connection
    .prepare<unknown[], unknown[]>(
      `select ${table.typed.map(expressionOf).join(', ')} from ${table.name} ${beyond} order by ${order.join(', ')} limit ${PAGE_ROWS}`,
    )
    .raw();
  const rows: (readonly unknown[])[] = [];
  let bytes = 0;
  for (const values of statement.iterate(...(after ?? []))) {
    rows.push(values);
    bytes += bytesOf(values);
    if (bytes > PAGE_BYTES) break;
  }
  const last = rows.length < PAGE_ROWS && bytes <= PAGE_BYTES;
  return { rows: rowsAsTheyAre(connection, table, rows), last };
};

const readRowsOf = (
  connection: Database.Database,
  table: TypedTable,
  keys: readonly StoredKey[],
): readonly (readonly unknown[])[] => {
  const rows = connection
    .prepare<string[], unknown[]>(
      `select ${table.typed.map(expressionOf).join(', ')} from ${table.name} where ${isOneOf(table, keys.length)}
         order by ${keyNames(table).slice(1, -1)}`,
    )
    .raw()
    .all(...keys.flat());
  return rowsAsTheyAre(connection, table, rows);
};

/** @param connection asked for before each page: another may have the same rows by then. */
export const readSqliteRows = (connection: () => Database.Database): RowSource & Pick<ChangingRows, 'rowsOf'> => {
  const read = (table: TypedTable, after: StoredKey | undefined) =>
    Promise.resolve(readPage(connection(), table, after));
  return {
    pages: (table) => pagesOf(table, undefined, read),
    pagesAfter: (table, key) => pagesOf(table, key, read),
    rowsOf: (table, keys) =>
      pagesOfKeys(table, keys, (typed, some) => Promise.resolve(readRowsOf(connection(), typed, some))),
    counters: () =>
      Promise.resolve(
        new Map(
          connection().prepare<[], [string, string]>('select name, cast(seq as text) from sqlite_sequence').raw().all(),
        ),
      ),
  };
};

/** @param connection within a transaction that has the rows as they were at one moment. */
export const readSqliteChanges = (connection: () => Database.Database): ChangingRows => ({
  ...readSqliteRows(connection),
  changes: (limit) =>
    Promise.resolve(
      changesOf(
        connection()
          .prepare<[number], Note>('select id, table_name, row_key from storage_changes order by id limit ?')
          .all(Math.min(limit, Number.MAX_SAFE_INTEGER)),
      ),
    ),
});
