import type { Database } from '../database.js';
import { openPostgresDatabase } from './postgres-database.js';
import { openSqliteDatabase } from './sqlite-database.js';

const SQLITE = 'sqlite:';

export interface DatabaseOptions {
  /** `sqlite:PATH`, `sqlite::memory:` or `postgres://…` */
  readonly url: string;
  /** Connections of one process, where the database is a server. */
  readonly poolMax: number;
  /** The process that serves from it, as the server is to show it. */
  readonly node?: string | undefined;
}

export const openDatabase = ({ url, poolMax, node }: DatabaseOptions): Database =>
  url.startsWith(SQLITE) ? openSqliteDatabase(url.slice(SQLITE.length)) : openPostgresDatabase(url, poolMax, node);
