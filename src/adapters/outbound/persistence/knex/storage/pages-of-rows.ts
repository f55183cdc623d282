import {
  keyOf,
  type Fault,
  type Page,
  type StoredKey,
  type StoredTable,
} from '../../../../../application/storage/ports/stored-rows.js';
import { checkedValues } from './checked-values.js';
import type { TypedTable } from './stored-tables.js';
import { typedTableOf } from './stored-tables.js';

/** Rows of one page at most: as long as one is read and written, others wait for a processor. */
export const PAGE_ROWS = 500;
/** About as much text as one page holds, unless one row alone has more. */
export const PAGE_BYTES = 2_097_152;
/** Rows that are looked up by their keys at once. */
const KEYS_AT_ONCE = 100;

type RawRows = readonly (readonly unknown[])[];
/** Rows as the driver has them. */
export interface RawPage {
  readonly rows: RawRows;
  /** Whether there were none behind them. */
  readonly last: boolean;
}
/** Reads a page in the order of the key, after a row where one is given. */
export type ReadPage = (table: TypedTable, after: StoredKey | undefined) => Promise<RawPage>;
/** Reads those of the rows that are there as the driver has them. */
export type ReadRowsOf = (table: TypedTable, keys: readonly StoredKey[]) => Promise<RawRows>;

const checkedPage = (table: TypedTable, read: RawRows): Page => {
  const faults: Fault[] = [];
  const rows = read.map((values) => {
    const { row, found } = checkedValues(table, values);
    for (const { column, says } of found) faults.push({ table: table.name, key: keyOf(table, row), column, says });
    return row;
  });
  return { rows, faults };
};

export async function* pagesOf(
  of: StoredTable,
  after: StoredKey | undefined,
  read: ReadPage,
): AsyncGenerator<Page, void, undefined> {
  const table = typedTableOf(of);
  for (let from = after; ;) {
    const { rows, last: isLast } = await read(table, from);
    const page = checkedPage(table, rows);
    const last = page.rows.at(-1);
    if (last === undefined) return;
    yield page;
    // Most tables are a page or less: who asked for the next would ask twice for each.
    if (isLast) return;
    from = keyOf(table, last);
  }
}

/** Some of many keys after the other. */
export function* someKeys(keys: readonly StoredKey[], atOnce = KEYS_AT_ONCE): Generator<readonly StoredKey[]> {
  for (let first = 0; first < keys.length; first += atOnce) yield keys.slice(first, first + atOnce);
}

export async function* pagesOfKeys(
  of: StoredTable,
  keys: readonly StoredKey[],
  read: ReadRowsOf,
): AsyncGenerator<Page, void, undefined> {
  const table = typedTableOf(of);
  for (const some of someKeys(keys)) {
    const page = checkedPage(table, await read(table, some));
    if (page.rows.length > 0) yield page;
  }
}
