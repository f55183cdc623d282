import { isEmptied } from '../../domain/storage/storage-control.js';
import type { StorageEnd } from './ports/storage-end.js';
import type { StoredTable } from './ports/stored-rows.js';

/** Whether a database was migrated, and that is all, or was emptied after it had been left. */
export const isUnused = async (end: StorageEnd, tables: readonly StoredTable[]): Promise<boolean> => {
  const control = await end.control();
  if (!isEmptied(control) && (control.role !== 'primary' || control.move !== undefined)) return false;
  return end.snapshot(async (rows) => {
    for (const table of tables) for await (const _page of rows.pages(table)) return false;
    return true;
  });
};
