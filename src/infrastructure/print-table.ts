import type { Page, PageRequest } from '../domain/shared/page.js';

const PER_PAGE = 100;
const GAP = '  ';

/** A column with its heading, and the least width that keeps most lists aligned. */
export type Column = readonly [heading: string, width: number];

const toLine = (columns: readonly Column[], cells: readonly string[]): string =>
  cells
    .map((cell, index) => cell.padEnd(columns[index]?.[1] ?? 0))
    .join(GAP)
    .trimEnd();

/** Prints a list page by page, so that a long one takes no more memory than a short one. */
export const printTable = async <Item>(
  print: (line: string) => void,
  columns: readonly Column[],
  readPage: (page: PageRequest) => Promise<Page<Item>>,
  toCells: (item: Item) => readonly string[],
): Promise<void> => {
  print(
    toLine(
      columns,
      columns.map(([heading]) => heading),
    ),
  );
  for (let page = 1, more = true; more; page += 1) {
    const { items, hasNext } = await readPage({ page, perPage: PER_PAGE });
    for (const item of items) print(toLine(columns, toCells(item)));
    more = hasNext;
  }
};
