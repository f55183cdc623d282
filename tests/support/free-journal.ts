import Database from 'better-sqlite3';

/** Whether all of the journal of a file can be brought into it: nobody reads an older moment, or writes. */
export const isFree = (path: string): boolean => {
  const other = new Database(path, { timeout: 0 });
  try {
    const [told] = other.pragma('wal_checkpoint(truncate)') as { readonly busy: number }[];
    return told?.busy === 0;
  } finally {
    other.close();
  }
};
