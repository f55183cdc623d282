import { MoveRefused } from './move-refused.js';
import type { Progress, StorageEnd } from './ports/storage-end.js';
import type { Page, StoredTable } from './ports/stored-rows.js';

export const UNMOVABLE = "Some values can't be kept by every database: nothing was moved.";

export interface Filling {
  readonly target: StorageEnd;
  readonly table: StoredTable;
  readonly pages: AsyncIterable<Page>;
  /** How far the target was filled. */
  readonly before: Progress | undefined;
  readonly report?: (rows: number, ofPage: number) => Promise<void>;
}

/** Brings rows to a target page by page, and answers how far it was filled then. */
export const fillTable = async ({ target, table, pages, before, report }: Filling): Promise<Progress | undefined> => {
  let progress = before;
  let copied = 0;
  for await (const page of pages) {
    if (page.faults.length > 0) throw new MoveRefused(UNMOVABLE, page);
    const last = page.rows.at(-1) ?? [];
    const next = { table: table.name, after: table.key.map(({ place }) => last[place] ?? '') };
    await target.append(table, page.rows, progress, next);
    progress = next;
    copied += page.rows.length;
    await report?.(copied, page.rows.length);
  }
  return progress;
};
