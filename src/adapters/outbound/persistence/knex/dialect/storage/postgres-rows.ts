import type pg from 'pg';
import type { RowSource, StoredKey } from '../../../../../../application/storage/ports/stored-rows.js';
import { PAGE_BYTES, PAGE_ROWS, pagesOf } from '../../storage/pages-of-rows.js';
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

const pageQuery = (table: TypedTable, after: StoredKey | undefined): string => {
  const order = keyColumns(table).map(sortedBy).join(', ');
  return `select ${table.typed.map(expressionOf).join(', ')} from (
    select page.*, sum(${sizeOf(table)}) over (order by ${order} rows unbounded preceding) as bytes_so_far,
      row_number() over (order by ${order}) as place_in_page
    from (select * from ${table.name} ${after === undefined ? '' : afterKey(table)} order by ${order} limit ${PAGE_ROWS}) page
  ) page where bytes_so_far <= ${PAGE_BYTES} or place_in_page = 1 order by place_in_page`;
};

export const sequenceOf = ({ name, counted }: TypedTable): string => `pg_get_serial_sequence('${name}', '${counted}')`;

const lastGiven = async (client: pg.Client, table: TypedTable): Promise<string> => {
  const named = await client.query<{ sequence: string }>(`select ${sequenceOf(table)} as sequence`);
  const { rows } = await client.query<{ last: string }>(
    `select (case when is_called then last_value else last_value - 1 end)::text as last from ${named.rows[0]?.sequence}`,
  );
  return rows[0]?.last ?? '0';
};

/** @param client within a transaction that has the rows as they were at one moment. */
export const readPostgresRows = (client: pg.Client): RowSource => {
  const read = async (table: TypedTable, after: StoredKey | undefined) => {
    const query = { text: pageQuery(table, after), values: [...(after ?? [])], rowMode: 'array' as const };
    return (await client.query<unknown[]>(query)).rows;
  };
  return {
    pages: (table) => pagesOf(table, undefined, read),
    pagesAfter: (table, key) => pagesOf(table, key, read),
    counters: async () => {
      const counters = new Map<string, string>();
      for (const table of STORED_TABLES)
        if (table.counted !== undefined) counters.set(table.name, await lastGiven(client, table));
      return counters;
    },
  };
};
