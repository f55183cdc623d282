import { writeArray } from './postgres-arrays.js';
import type { RowOfValues, RowSets, TypedColumn } from './row-sets.js';

/** Bounds the memory that one statement takes at the server. */
const AT_ONCE = 1_000;

const NUMBERS = new Set<TypedColumn['type']>(['id', 'shared_id', 'reference', 'big_integer']);

const typeOf = ({ type }: TypedColumn): string => {
  if (NUMBERS.has(type)) return 'bigint';
  if (type === 'instant') return 'timestamptz';
  return type === 'integer' || type === 'boolean' ? type : 'text';
};

const namesOf = (columns: readonly TypedColumn[]): string => columns.map(({ name }) => name).join(', ');

// An array for each column: the statement is the same for any number of rows.
const rowsAs = (name: string, columns: readonly TypedColumn[]): string =>
  `unnest(${columns.map((column) => `cast(? as ${typeOf(column)}[])`).join(', ')}) as ${name}(${namesOf(columns)})`;

const writeRows = (columns: readonly TypedColumn[], rows: readonly RowOfValues[]): readonly unknown[] =>
  columns.map((_, place) => writeArray(rows.map((row) => row[place])));

export const postgresRowSets: RowSets = {
  rowsAtOnce: (count) => Math.min(count, AT_ONCE),
  insertInto: (table, columns, end) => {
    const names = namesOf(columns);
    const text = `insert into ${table} (${names}) select ${names} from ${rowsAs('given', columns)} ${end}`;
    return () => text;
  },
  writeInserted: writeRows,
  rowsAs,
  writeRows,
  isOneOf: (column) => `${column} = any (cast(? as text[]))`,
  writeTexts: writeArray,
  takeForEach: (columns, table, where) =>
    `select found.* from unnest(cast(? as text[])) as wanted(value)
      cross join lateral (select ${columns} from ${table} where ${where} for no key update) as found`,
};
