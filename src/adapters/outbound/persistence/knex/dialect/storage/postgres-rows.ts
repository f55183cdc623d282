import type pg from 'pg';
import type {
  ChangingRows,
  Moment,
  Counters,
  RowSource,
  StoredKey,
} from '../../../../../../application/storage/ports/stored-rows.js';
import { changesOf, type Note } from '../../storage/control-row.js';
import { PAGE_BYTES, PAGE_ROWS, pagesOf, pagesOfKeys, type RawPage } from '../../storage/pages-of-rows.js';
import { isNumber, keyColumns, STORED_TABLES, type TypedColumn, type TypedTable } from '../../storage/stored-tables.js';

const sortedBy = ({ name, type }: TypedColumn): string => (isNumber(type) ? name : `${name} collate "C"`);

const afterKey = (table: TypedTable): string => {
  const columns = keyColumns(table);
  const places = columns.map(({ type }, place) => `$${place + 1}::${isNumber(type) ? 'bigint' : 'text'}`);
  return `where (${columns.map(sortedBy).join(', ')}) > (${places.join(', ')})`;
};

/** The sizes of a row's texts, which the server knows without reading them. */
const sizeOf = ({ typed }: TypedTable): string =>
  [
    '64',
    ...typed
      .filter(({ type }) => !isNumber(type) && type !== 'boolean' && type !== 'instant')
      .map(({ name }) => `coalesce(octet_length(${name}), 0)`),
  ].join(' + ');

/** Each row ends with the bytes of those up to it, of which the last may be more than a page holds. */
const pageQuery = (table: TypedTable, after: StoredKey | undefined): string => {
  const order = keyColumns(table).map(sortedBy).join(', ');
  const columns = table.columns.join(', ');
  return `select ${columns}, bytes_so_far from (
    select page.*, sum(bytes_of_row) over (order by ${order} rows unbounded preceding) as bytes_so_far
    from (
      select ${columns}, ${sizeOf(table)} as bytes_of_row
      from ${table.name} ${after === undefined ? '' : afterKey(table)} order by ${order} limit ${PAGE_ROWS}
    ) page
  ) page where bytes_so_far - bytes_of_row <= ${PAGE_BYTES} order by ${order}`;
};

export const sequenceOf = ({ name, counted }: TypedTable): string => `pg_get_serial_sequence('${name}', '${counted}')`;

const COUNTED = STORED_TABLES.filter(({ counted }) => counted !== undefined);

/** In two questions, however many tables there are: writers may be waiting. */
const readCounters = async (client: pg.Client): Promise<Counters> => {
  const names = await client.query<string[]>({
    text: `select ${COUNTED.map(sequenceOf).join(', ')}`,
    rowMode: 'array',
  });
  const each = COUNTED.map(
    ({ name }, place) =>
      `select '${name}', (case when is_called then last_value else last_value - 1 end)::text from ${names.rows[0]?.[place]}`,
  );
  const { rows } = await client.query<[string, string]>({ text: each.join(' union all '), rowMode: 'array' });
  return new Map(rows);
};

/** A list of keys as a table `wanted`, which joins that of the rows. The columns of the keys are bound one after the other. */
export const joinKeys = (table: TypedTable): string => {
  const columns = keyColumns(table);
  const arrays = columns.map(({ type }, place) => `$${place + 1}::${isNumber(type) ? 'bigint' : 'text'}[]`);
  const names = columns.map(({ name }) => name).join(', ');
  return `unnest(${arrays.join(', ')}) as wanted (${names})`;
};

export const keysByColumn = ({ key }: TypedTable, keys: readonly StoredKey[]): string[][] =>
  key.map((_, place) => keys.map((values) => values[place] ?? ''));

/** The keys of so many rows are few beside the rows: each is looked up. */
const rowsOfQuery = (table: TypedTable): string => {
  const names = keyColumns(table).map(({ name }) => name);
  const row = `select * from ${table.name} where (${names.join(', ')}) = (${names.map((name) => `wanted.${name}`).join(', ')}) offset 0`;
  const order = keyColumns(table).map((column) => sortedBy({ ...column, name: `stored.${column.name}` }));
  const columns = table.columns.map((name) => `stored.${name}`);
  return `select ${columns.join(', ')} from ${joinKeys(table)} cross join lateral (${row}) stored order by ${order.join(', ')}`;
};

/** Values as the server writes them: to make others of them there took it longer than to read them. */
const AS_TEXT = { getTypeParser: () => (text: string) => text } as pg.CustomTypesConfig;

const PLACE_OF_TIME = '2026-11-22 '.length;
const PLACE_OF_FRACTION = '2026-11-22 03:04:05.'.length;
const UTC = '+00';

/** Beyond the years 1 to 9999 it is shown as the server has it. */
const instantOf = (text: string): string => {
  if (text[PLACE_OF_TIME - 1] !== ' ' || !text.endsWith(UTC)) return text;
  const fraction = text.slice(PLACE_OF_FRACTION, -UTC.length).padEnd(3, '0');
  return `${text.slice(0, PLACE_OF_TIME - 1)}T${text.slice(PLACE_OF_TIME, PLACE_OF_FRACTION - 1)}.${fraction}Z`;
};

const PLAIN: Readonly<Partial<Record<TypedColumn['type'], (text: string) => string>>> = {
  boolean: (text) => (text === 't' ? '1' : '0'),
  instant: instantOf,
};

type Texts = (string | null)[];

/** Rows of the table by a query, to which more columns may be added. */
const readTexts = async (
  client: pg.Client,
  table: TypedTable,
  query: { readonly text: string; readonly values: unknown[] },
): Promise<readonly Texts[]> => {
  const { rows } = await client.query<Texts>({ ...query, rowMode: 'array', types: AS_TEXT });
  table.typed.forEach(({ type }, place) => {
    const plain = PLAIN[type];
    if (plain === undefined) return;
    for (const row of rows) {
      const text = row[place];
      if (typeof text === 'string') row[place] = plain(text);
    }
  });
  return rows;
};

/** @param client within a transaction where the rows are to be those of one moment. */
export const readPostgresRows = (client: pg.Client): RowSource & Pick<ChangingRows, 'rowsOf'> => {
  const read = async (table: TypedTable, after: StoredKey | undefined): Promise<RawPage> => {
    const rows = await readTexts(client, table, { text: pageQuery(table, after), values: [...(after ?? [])] });
    let bytes = 0;
    for (const row of rows) bytes = Number(row.pop());
    return { rows, last: rows.length < PAGE_ROWS && bytes <= PAGE_BYTES };
  };
  return {
    pages: (table) => pagesOf(table, undefined, read),
    pagesAfter: (table, key) => pagesOf(table, key, read),
    rowsOf: (table, keys) =>
      pagesOfKeys(table, keys, (typed, some) =>
        readTexts(client, typed, { text: rowsOfQuery(typed), values: keysByColumn(typed, some) }),
      ),
    counters: () => readCounters(client),
  };
};

/** @param client within a transaction that has the rows as they were at one moment, or that nobody writes beside. */
export const readPostgresChanges = (client: pg.Client): ChangingRows => ({
  ...readPostgresRows(client),
  changes: async (limit) => {
    const { rows } = await client.query<Note>(
      'select id, table_name, row_key from storage_changes order by id limit $1',
      [limit],
    );
    return changesOf(rows);
  },
});

/** The server has a moment from the first statement on, and only for as long as the transaction holds it. */
export const readPostgresMoment = (client: pg.Client): Moment => ({
  ...readPostgresChanges(client),
  keep: async () => void (await client.query('select')),
});
