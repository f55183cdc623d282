import type pg from 'pg';
import type {
  ChangingRows,
  Counters,
  RowSource,
  StoredKey,
} from '../../../../../../application/storage/ports/stored-rows.js';
import { changesOf, type Note } from '../../storage/control-row.js';
import { PAGE_BYTES, PAGE_ROWS, pagesOf, pagesOfKeys, type RawPage } from '../../storage/pages-of-rows.js';
import { isNumber, keyColumns, STORED_TABLES, type TypedColumn, type TypedTable } from '../../storage/stored-tables.js';

const expressionOf = ({ name, type }: TypedColumn): string => {
  if (isNumber(type)) return `${name}::text`;
  if (type === 'boolean') return `${name}::int::text`;
  if (type !== 'instant') return name;
  // Beyond these years it would be written without its era, and is shown as the server has it.
  return `case when ${name} >= '0001-01-01 00:00:00Z' and ${name} < '10000-01-01 00:00:00Z'
    then to_char(${name} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') else ${name}::text end`;
};

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

/** Each row ends with how many there are of the page, where its bytes did not count. */
const pageQuery = (table: TypedTable, after: StoredKey | undefined): string => {
  const order = keyColumns(table).map(sortedBy).join(', ');
  return `select ${table.typed.map(expressionOf).join(', ')}, rows_of_page from (
    select page.*, sum(${sizeOf(table)}) over (order by ${order} rows unbounded preceding) as bytes_so_far,
      row_number() over (order by ${order}) as place_in_page, count(*) over ()::int as rows_of_page
    from (select * from ${table.name} ${after === undefined ? '' : afterKey(table)} order by ${order} limit ${PAGE_ROWS}) page
  ) page where bytes_so_far <= ${PAGE_BYTES} or place_in_page = 1 order by place_in_page`;
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
  const expressions = table.typed.map((column) => expressionOf({ ...column, name: `stored.${column.name}` }));
  return `select ${expressions.join(', ')} from ${joinKeys(table)} cross join lateral (${row}) stored order by ${order.join(', ')}`;
};

/** @param client within a transaction where the rows are to be those of one moment. */
export const readPostgresRows = (client: pg.Client): RowSource & Pick<ChangingRows, 'rowsOf'> => {
  const read = async (table: TypedTable, after: StoredKey | undefined): Promise<RawPage> => {
    const query = { text: pageQuery(table, after), values: [...(after ?? [])], rowMode: 'array' as const };
    const { rows } = await client.query<unknown[]>(query);
    let ofPage = 0;
    for (const row of rows) ofPage = row.pop() as number;
    return { rows, last: ofPage === rows.length && ofPage < PAGE_ROWS };
  };
  return {
    pages: (table) => pagesOf(table, undefined, read),
    pagesAfter: (table, key) => pagesOf(table, key, read),
    rowsOf: (table, keys) =>
      pagesOfKeys(table, keys, async (typed, some) => {
        const query = { text: rowsOfQuery(typed), values: keysByColumn(typed, some), rowMode: 'array' as const };
        return (await client.query<unknown[]>(query)).rows;
      }),
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
