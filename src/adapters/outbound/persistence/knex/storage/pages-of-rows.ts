import type { Fault, Page, StoredKey, StoredTable } from '../../../../../application/storage/ports/stored-rows.js';
import type { StoredRow } from '../../../../../domain/storage/stored-row.js';
import { checkedValues } from './checked-values.js';
import type { TypedTable } from './stored-tables.js';
import { typedTableOf } from './stored-tables.js';

/** Rows of one page at most. */
export const PAGE_ROWS = 2_000;
/** About as much text as one page holds, unless one row alone has more. */
export const PAGE_BYTES = 2_097_152;

const keyOf = ({ key }: StoredTable, row: StoredRow): StoredKey => key.map(({ place }) => row[place] ?? '');

/** Reads the rows of a page as the driver has them: in the order of the key, after a row where one is given. */
export type ReadPage = (table: TypedTable, after: StoredKey | undefined) => Promise<readonly (readonly unknown[])[]>;

const checkedPage = (table: TypedTable, read: readonly (readonly unknown[])[]): Page => {
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
    const page = checkedPage(table, await read(table, from));
    const last = page.rows.at(-1);
    if (last === undefined) return;
    yield page;
    from = keyOf(table, last);
  }
}
