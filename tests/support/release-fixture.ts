import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import BetterSqlite3 from 'better-sqlite3';
import type { Knex } from 'knex';
import pg from 'pg';
import { PARENTS_FIRST, TABLES, type TableName } from '../../src/adapters/outbound/persistence/knex/tables.js';
import type { Column, LogicalType, Table } from '../../src/adapters/outbound/persistence/knex/tables/table.js';
import { createAesSecretBox } from '../../src/adapters/outbound/security/aes-secret-box.js';
import { migrateDatabase } from '../../src/infrastructure/migrate-database.js';
import { createEmptyPostgresDatabase } from './databases.js';
import { RecordingLogger } from './recording-logger.js';
import { dumpDatabase, noteDefinitions } from './release-dump.js';
import { live, MADE_AT, readAnswers, type Answers } from './release-story.js';
import type { DatabaseName } from './selected-databases.js';
import { onDatabase } from './stores.js';
import { TestService } from './test-service.js';

const run = promisify(execFile);

/** Under which every release is kept. */
const KEY = Buffer.alloc(32, 7);

/** A database and the repositories that belong to it. */
export interface Place {
  readonly url: string;
  readonly repositories: string;
  readonly remove: () => Promise<void>;
}

export const emptyPlace = async (kind: DatabaseName): Promise<Place> => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-release-'));
  const repositories = join(directory, 'repositories');
  mkdirSync(repositories);
  const { url, drop } =
    kind === 'postgres'
      ? await createEmptyPostgresDatabase()
      : { url: `sqlite:${join(directory, 'kept.sqlite')}`, drop: () => Promise.resolve() };
  const remove = async (): Promise<void> => {
    await drop();
    rmSync(directory, { recursive: true, force: true });
  };
  return { url, repositories, remove };
};

/** Whenever that is, it is the moment at which the release was kept. */
export const startAt = async ({ url, repositories }: Place): Promise<TestService> => {
  const changes = { repositoriesDirectory: repositories, baseUrl: 'http://gatehouse.example' };
  const service = await TestService.start(url, changes, KEY);
  service.clock.advance(MADE_AT.getTime() - service.clock.now().getTime());
  return service;
};

// What a story leaves nothing in, because it has ended or lasts for a moment only.
const VALUES: Readonly<Record<LogicalType, (column: string) => string | number | boolean>> = {
  id: () => 1,
  shared_id: () => 1,
  reference: () => 1,
  integer: () => 1,
  big_integer: () => 1,
  boolean: () => true,
  text: (column) => `a ${column}`,
  key: (column) => `a ${column}`,
  code: () => 'any',
  date: () => '2026-12-24',
  instant: () => MADE_AT.toISOString(),
  json: () => '{}',
  digest: () => 'ab'.repeat(32),
  sealed: () => createAesSecretBox(KEY, 'stored secrets').seal('hush'),
};

const LATER = '2999-12-31T00:00:00.000Z';

/** Words of a list, and no work to do. */
const PARTICULAR: Readonly<Partial<Record<TableName, Readonly<Record<string, string>>>>> = {
  jobs: { run_at: LATER },
  code_works: { run_at: LATER },
  code_copies: { due_at: LATER },
  oauth_grants: { kind: 'authorization_code' },
  sessions: { stage: 'signed_in' },
  one_time_tokens: { purpose: 'reset_password' },
  storage_control: { role: 'primary' },
  storage_nodes: { state: 'over' },
};

const valueOf = async (schema: Knex, column: string, { type, refersTo }: Column): Promise<unknown> =>
  refersTo === undefined ? VALUES[type](column) : (await schema(refersTo.table).min({ first: 'id' }))[0]?.first;

const addRow = async (schema: Knex, name: TableName): Promise<void> => {
  const { columns }: Table = TABLES[name];
  const row: Record<string, unknown> = {};
  for (const [column, of] of Object.entries(columns))
    if (!of.nullable && of.type !== 'id') row[column] = await valueOf(schema, column, of);
  await schema(name).insert({ ...row, ...PARTICULAR[name] });
};

/** No table stays empty. */
const fillRest = async (schema: Knex): Promise<void> => {
  for (const name of PARENTS_FIRST) if ((await schema(name).first()) === undefined) await addRow(schema, name);
};

const paths = (folder: string, kind: DatabaseName) => ({
  database: join(folder, `${kind}.sql`),
  repositories: join(folder, `${kind}.tgz`),
  answers: join(folder, `${kind}.json`),
});

/** Keeps what this version leaves behind once people have used it. */
export const keepRelease = async (folder: string, kind: DatabaseName): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  const { database, repositories, answers } = paths(folder, kind);
  const place = await emptyPlace(kind);
  try {
    const definitions = await onDatabase(place.url, async (opened) => {
      const noted = noteDefinitions(opened.schema);
      await migrateDatabase(opened, new RecordingLogger());
      return [...noted];
    });
    const lived = await startAt(place);
    await live(lived);
    await lived.close();
    await onDatabase(place.url, ({ schema }) => fillRest(schema));
    const read = await startAt(place);
    writeFileSync(answers, `${JSON.stringify(await readAnswers(read), null, 2)}\n`);
    await read.close();
    const dump = await onDatabase(place.url, ({ schema }) => dumpDatabase(kind, schema, definitions));
    writeFileSync(database, dump);
    await run('tar', ['-czf', repositories, '-C', place.repositories, '.']);
  } finally {
    await place.remove();
  }
};

const runSql = async (kind: DatabaseName, url: string, sql: string): Promise<void> => {
  if (kind === 'sqlite') {
    const file = new BetterSqlite3(url.slice('sqlite:'.length));
    file.exec(sql);
    file.close();
    return;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};

/** Puts what a release left behind into a place, and answers what it answered. */
export const bringBack = async (folder: string, kind: DatabaseName, place: Place): Promise<Answers> => {
  const { database, repositories, answers } = paths(folder, kind);
  await runSql(kind, place.url, readFileSync(database, 'utf8'));
  await run('tar', ['-xzf', repositories, '-C', place.repositories]);
  return JSON.parse(readFileSync(answers, 'utf8')) as Answers;
};
