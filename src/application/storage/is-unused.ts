import type { StorageEnd } from './ports/storage-end.js';
import type { StoredTable } from './ports/stored-rows.js';

/** Whether a database was migrated, and that is all. */
export const isUnused = async (end: StorageEnd, tables: readonly StoredTable[]): Promise<boolean> => {
  const { role, move } = await end.control();
  if (role !== 'primary' || move !== undefined) return false;
  return end.snapshot(async (rows) => {
    for (const table of tables) for await (const _page of rows.pages(table)) return false;
    return true;
  });
};
