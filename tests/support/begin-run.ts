import { dirname, join } from 'node:path';
// Jest loads this file outside its module system: imports name the files as they are.
import { bundleSources } from './bundled-sources.ts';
import { PostgresServer } from './postgres-server.ts';
import { selectedDatabases } from './selected-databases.ts';

/** One directory, one file of all sources and one PostgreSQL server for the whole run; test files make their databases there. */
export const beginRun = async (directory: string): Promise<void> => {
  globalThis.gatehouseRun = { directory };
  process.env['GATEHOUSE_TEST_DIRECTORY'] = directory;
  process.env['GATEHOUSE_TEST_SOURCES'] = await bundleSources(join(directory, 'sources'));
  if (!selectedDatabases().includes('postgres')) return;
  let adminUrl = process.env['TEST_POSTGRES_URL'];
  if (adminUrl === undefined) {
    // Beside the directory, which is closed to others: it runs as somebody else. To copy a database in memory takes half of the time.
    const durable = process.env['BENCH_FSYNC'] === 'true';
    const server = await PostgresServer.create({ durable, within: dirname(directory) });
    globalThis.gatehouseRun.server = server;
    adminUrl = server.url();
  }
  process.env['GATEHOUSE_TEST_POSTGRES_ADMIN_URL'] = adminUrl;
  process.env['GATEHOUSE_TEST_POSTGRES_TEMPLATE'] = `gatehouse_template_${process.pid}`;
};
