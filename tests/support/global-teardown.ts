import { rmSync } from 'node:fs';
import pg from 'pg';
// Jest loads this file outside its module system: imports name the files as they are.
import { sparesSecondDatabase } from './selected-databases.ts';

const dropTemplate = async (adminUrl: string, template: string): Promise<void> => {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client.query(`drop database if exists ${template}`);
  await client.end();
};

/** What Jest was called with; nothing where all files were to run. */
interface Run {
  readonly nonFlagArgs: readonly string[];
}

export default async ({ nonFlagArgs }: Run): Promise<void> => {
  const { server, directory } = globalThis.gatehouseRun ?? {};
  const adminUrl = process.env['GATEHOUSE_TEST_POSTGRES_ADMIN_URL'];
  const template = process.env['GATEHOUSE_TEST_POSTGRES_TEMPLATE'];
  if (server !== undefined) await server.remove();
  else if (adminUrl !== undefined && template !== undefined) await dropTemplate(adminUrl, template);
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  if (nonFlagArgs.length === 0 && sparesSecondDatabase())
    process.stderr.write(
      '\n*** Left to CI=true: tests of HTTP, pages and clients on PostgreSQL where neither nodes nor races have a part, and the move of what two nodes serve. ***\n',
    );
};
