import { resolve } from 'node:path';
import type { StorageEnd } from '../../../../../../application/storage/ports/storage-end.js';
import { PostgresStorageEnd } from './postgres-storage-end.js';
import { SqliteStorageEnd } from './sqlite-storage-end.js';

const SQLITE = 'sqlite:';

/** @param url `sqlite:PATH` of a file that is there, or `postgres://…` */
export const openStorageEnd = async (url: string): Promise<StorageEnd> =>
  url.startsWith(SQLITE) ? new SqliteStorageEnd(resolve(url.slice(SQLITE.length))) : PostgresStorageEnd.open(url);
