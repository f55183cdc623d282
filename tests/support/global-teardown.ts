import { rmSync } from 'node:fs';
import pg from 'pg';

const dropTemplate = async (adminUrl: string, template: string): Promise<void> => {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client.query(`drop database if exists ${template}`);
  await client.end();
};

export default async (): Promise<void> => {
  const { server, directory } = globalThis.gatehouseRun ?? {};
  const adminUrl = process.env['GATEHOUSE_TEST_POSTGRES_ADMIN_URL'];
  const template = process.env['GATEHOUSE_TEST_POSTGRES_TEMPLATE'];
  if (server !== undefined) await server.remove();
  else if (adminUrl !== undefined && template !== undefined) await dropTemplate(adminUrl, template);
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
};
