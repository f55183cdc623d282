import type { StorageEnd } from './ports/storage-end.js';
import type { Fault, StoredTable } from './ports/stored-rows.js';

/** Replaces in a database what no text can hold, and answers what was replaced; whatever else is wrong stays. */
export const mendStore = (tables: readonly StoredTable[], source: StorageEnd): Promise<readonly Fault[]> =>
  source.byPages(async (rows) => {
    const mended: Fault[] = [];
    for (const table of tables)
      for await (const page of rows.pages(table))
        for (const fault of page.faults) if (await source.mend(fault)) mended.push(fault);
    return mended;
  });
