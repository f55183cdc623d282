import Database from 'better-sqlite3';
import { isBusy } from './sqlite-dialect.js';
import { prepareDatabaseFile } from './sqlite-file.js';

/**
 * Locks a file that holds nothing else, against all other processes; undefined where one of them has it. It goes with the process that
 * has it, and the file stays: whoever removed it might remove it under somebody who waits for it.
 */
export const lockFile = (path: string): Database.Database | undefined => {
  // Whoever can read it can lock it, too.
  prepareDatabaseFile(path);
  const lock = new Database(path, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
    return lock;
  } catch (error) {
    lock.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
};
