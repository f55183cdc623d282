import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// Jest loads this file outside its module system: imports name the files as they are.
import { PostgresServer } from './postgres-server.ts';
import { selectedDatabases } from './selected-databases.ts';

/** One directory and one PostgreSQL server for the whole run; test files make their databases there. */
export default async (): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-tests-'));
  globalThis.gatehouseRun = { directory };
  process.env['GATEHOUSE_TEST_DIRECTORY'] = directory;
  if (!selectedDatabases().includes('postgres')) return;
  let adminUrl = process.env['TEST_POSTGRES_URL'];
  if (adminUrl === undefined) {
    const server = await PostgresServer.create();
    globalThis.gatehouseRun.server = server;
    adminUrl = server.url();
  }
  process.env['GATEHOUSE_TEST_POSTGRES_ADMIN_URL'] = adminUrl;
  process.env['GATEHOUSE_TEST_POSTGRES_TEMPLATE'] = `gatehouse_template_${process.pid}`;
};
