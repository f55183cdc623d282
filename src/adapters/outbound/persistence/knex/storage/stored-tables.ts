import type { StoredTable } from '../../../../../application/storage/ports/stored-rows.js';
import { MOVED_TABLES, TABLES } from '../tables.js';
import type { LogicalType, Table } from '../tables/table.js';

const NUMBERS: ReadonlySet<LogicalType> = new Set(['id', 'shared_id', 'reference', 'integer', 'big_integer']);

export interface TypedColumn {
  readonly name: string;
  readonly type: LogicalType;
}

/** A table of the catalogue with what reading and writing its rows takes. */
export interface TypedTable extends StoredTable {
  readonly typed: readonly TypedColumn[];
  /** The column that the database counts, where there is one. */
  readonly counted: string | undefined;
}

export const isNumber = (type: LogicalType): boolean => NUMBERS.has(type);

const typedTable = (name: string, { columns, key }: Table): TypedTable => {
  const typed = Object.entries(columns).map(([column, { type }]) => ({ name: column, type }));
  const names = typed.map((column) => column.name);
  return {
    name,
    typed,
    columns: names,
    key: key.map((column) => {
      const place = names.indexOf(column);
      return { place, sorted: isNumber(typed[place]?.type ?? 'text') ? 'by number' : 'by code point' };
    }),
    counted: typed.find(({ type }) => type === 'id')?.name,
  };
};

/** The tables of an installation, each after those that its rows refer to. */
export const STORED_TABLES: readonly TypedTable[] = MOVED_TABLES.map((name) => typedTable(name, TABLES[name]));

const BY_NAME: ReadonlyMap<string, TypedTable> = new Map(STORED_TABLES.map((table) => [table.name, table]));

/** @throws Error when the catalogue has no such table. */
export const typedTableOf = ({ name }: StoredTable): TypedTable => {
  const table = BY_NAME.get(name);
  if (table === undefined) throw new Error(`There is no table ${name}.`);
  return table;
};

/** The columns of the primary key, in its order. */
export const keyColumns = ({ key, typed }: TypedTable): readonly TypedColumn[] =>
  key.flatMap(({ place }) => typed[place] ?? []);
