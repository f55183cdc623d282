import type { PostgresServer } from './postgres-server.ts';

/** What global setup starts and global teardown ends; both run in jest's own process. */
interface RunResources {
  directory?: string;
  server?: PostgresServer;
}

declare global {
  var gatehouseRun: RunResources | undefined;
}
