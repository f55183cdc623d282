import type { Database } from '../database.js';
import { openPostgresDatabase, openPostgresReplica } from './postgres-database.js';
import { withReplica } from './replicated-database.js';
import { openSqliteDatabase } from './sqlite-database.js';

const SQLITE = 'sqlite:';

export interface DatabaseOptions {
  /** `sqlite:PATH`, `sqlite::memory:` or `postgres://…` */
  readonly url: string;
  /** `postgres://…` of a server that follows it. */
  readonly replicaUrl?: string | undefined;
  /** Connections of one process, where the database is a server. */
  readonly poolMax: number;
  /** The process that serves from it, as the server is to show it. */
  readonly node?: string | undefined;
}

export const openDatabase = ({ url, replicaUrl, poolMax, node }: DatabaseOptions): Database => {
  if (url.startsWith(SQLITE)) return openSqliteDatabase(url.slice(SQLITE.length));
  const database = openPostgresDatabase(url, poolMax, node);
  return replicaUrl === undefined ? database : withReplica(database, openPostgresReplica(replicaUrl, poolMax, node));
};
