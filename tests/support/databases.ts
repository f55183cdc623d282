import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect } from '@jest/globals';
import pg from 'pg';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import { Migrator } from '../../src/adapters/outbound/persistence/knex/migrate.js';
import { databasesOf, selectedDatabases, type DatabaseName } from './selected-databases.js';

interface TestDatabase {
  readonly url: string;
  readonly drop: () => Promise<void>;
}

const setting = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is missing: global setup did not run.`);
  return value;
};

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

const migrate = async (url: string): Promise<void> => {
  const database = openDatabase({ url, poolMax: 2 });
  try {
    await new Migrator(database, MIGRATIONS).migrate();
  } finally {
    await database.close();
  }
};

/** The migrated file that all others are copies of. Two workers may both make it: either is as good. */
const sqliteTemplate = async (directory: string): Promise<string> => {
  const template = join(directory, 'template.sqlite');
  if (existsSync(template)) return template;
  const made = join(directory, `${randomUUID()}.sqlite`);
  await migrate(`sqlite:${made}`);
  renameSync(made, template);
  return template;
};

const removeSqlite = (file: string): void => {
  for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`, { force: true });
};

/** A file of its own: migrated, or as one that nobody has open. */
const copySqlite = async (like?: string): Promise<TestDatabase> => {
  const directory = setting('GATEHOUSE_TEST_DIRECTORY');
  const file = join(directory, `${randomUUID()}.sqlite`);
  copyFileSync(like?.slice('sqlite:'.length) ?? (await sqliteTemplate(directory)), file);
  return { url: `sqlite:${file}`, drop: () => Promise.resolve(removeSqlite(file)) };
};

// PostgreSQL copies a template only while nobody else does, or is connected to it.
const CLONE_LOCK = 7_262_001;

const databaseUrl = (name: string): string => {
  const url = new URL(setting('GATEHOUSE_TEST_POSTGRES_ADMIN_URL'));
  url.pathname = `/${name}`;
  return url.href;
};

const asAdmin = async (work: (client: pg.Client) => Promise<void>): Promise<void> => {
  const client = new pg.Client({ connectionString: setting('GATEHOUSE_TEST_POSTGRES_ADMIN_URL') });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
};

const makeTemplate = async (client: pg.Client, template: string): Promise<void> => {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [template]);
  if (rowCount !== 0) return;
  await client.query(`create database ${template}_in_the_making`);
  await migrate(databaseUrl(`${template}_in_the_making`));
  await client.query(`alter database ${template}_in_the_making rename to ${template}`);
};

const clonePostgres = async (like?: string): Promise<TestDatabase> => {
  const name = `gatehouse_test_${randomUUID().replaceAll('-', '')}`;
  const template = setting('GATEHOUSE_TEST_POSTGRES_TEMPLATE');
  await asAdmin(async (client) => {
    await client.query(`select pg_advisory_lock(${CLONE_LOCK})`);
    await makeTemplate(client, template);
    const copied = like === undefined ? template : new URL(like).pathname.slice(1);
    await client.query(`create database ${name} template ${copied} strategy file_copy`);
  });
  return {
    url: databaseUrl(name),
    drop: () => asAdmin(async (client) => void (await client.query(`drop database if exists ${name} with (force)`))),
  };
};

const CREATE: Readonly<Record<DatabaseName, (like?: string) => Promise<TestDatabase>>> = {
  sqlite: copySqlite,
  postgres: clonePostgres,
};

/** An empty database that nobody has migrated yet; the caller drops it. */
export const createEmptyPostgresDatabase = async (): Promise<TestDatabase> => {
  const name = `gatehouse_empty_${randomUUID().replaceAll('-', '')}`;
  await asAdmin(async (client) => void (await client.query(`create database ${name}`)));
  return {
    url: databaseUrl(name),
    drop: () => asAdmin(async (client) => void (await client.query(`drop database if exists ${name} with (force)`))),
  };
};

/**
 * Answers the URL of a migrated, empty database that is dropped after the suite; where it is to be like another one, of one that has the same
 * rows. Nobody may have that other one open.
 */
export type OpenTestDatabase = (like?: string) => Promise<string>;

/** Runs a suite on one database. */
export const describeDatabase = (
  database: DatabaseName,
  name: string,
  suite: (openTestDatabase: OpenTestDatabase) => void,
): void => {
  describe(`${name} (${database})`, () => {
    const opened: TestDatabase[] = [];
    suite(async (like) => {
      const created = await CREATE[database](like);
      opened.push(created);
      return created.url;
    });
    afterAll(async () => {
      for (const { drop } of opened) await drop();
    });
  });
};

/** Runs a suite on one database of this run, whichever: for rules that no statement has a part in, such as how a page looks. */
export const describeAnyDatabase = (name: string, suite: (openTestDatabase: OpenTestDatabase) => void): void =>
  describeDatabase(selectedDatabases()[0]!, name, suite);

/** Runs one suite on every database that this file is tried on: what holds on one holds on all. */
export const describeEachDatabase = (name: string, suite: (openTestDatabase: OpenTestDatabase) => void): void => {
  for (const database of databasesOf(expect.getState().testPath ?? '')) describeDatabase(database, name, suite);
};
