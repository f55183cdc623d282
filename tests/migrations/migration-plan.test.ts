import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Database } from '../../src/adapters/outbound/persistence/knex/database.js';
import { Migrator } from '../../src/adapters/outbound/persistence/knex/migrate.js';
import { describePlan } from '../../src/infrastructure/describe-plan.js';
import { createEmptyPostgresDatabase } from '../support/databases.js';
import { selectedDatabases, type DatabaseName } from '../support/selected-databases.js';
import { onDatabase } from '../support/stores.js';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));
const ROWS = 3_000;

const CREATE = `export const up = async (knex) => {
  await knex.schema.createTable('engines', (table) => { table.bigIncrements('id'); table.text('name'); table.bigInteger('speed'); });
  await knex.schema.createTable('mills', (table) => { table.bigIncrements('id'); table.text('name').notNullable().unique(); });
};`;

const PENDING: Readonly<Record<string, string>> = {
  '20300101000001_add_columns': `export const up = (knex) => knex.schema.alterTable('engines', (table) => {
    table.text('color'); table.boolean('loud').notNullable().defaultTo(false); table.index(['name', 'id']); });`,
  '20300101000002_drop_a_column': `export const up = (knex) => knex.raw('alter table engines drop column speed');`,
  '20300101000003_forbid_empty_names': `export const up = (knex) => knex.schema.alterTable('engines', (table) => table.dropNullable('name'));`,
  '20300101000004_change_rows': `export const up = async (knex) => {
    const empty = await knex('engines').whereNull('name').select('id');
    for (const { id } of empty) await knex('engines').where({ id }).update({ name: 'none' });
    await knex('engines').where({ loud: true }).update({ name: 'loud' });
    const { length } = (await knex('mills').first()).name; };`,
};

/** Each takes longest where it must: on 3,000 rows nothing does. */
const PLANNED: Readonly<Record<DatabaseName, readonly unknown[]>> = {
  sqlite: [
    '20300101000001_add_columns: instant',
    '  engines (3000 rows): adds a column (2 times), adds an index: less than 0.1 s; writers wait',
    '20300101000002_drop_a_column: instant',
    '  engines (3000 rows): drops a column: rewrites the table, less than 0.1 s; writers wait',
    '20300101000003_forbid_empty_names: instant',
    '  engines (3000 rows): is written anew, adds an index: rewrites the table, less than 0.1 s; writers wait',
    '20300101000004_change_rows: some 0.2 s',
    '  engines (3000 rows): looks for rows, changes rows: some 0.2 s; writers wait',
    '  mills: looks for rows: instant',
    '  and more, which depends on the rows that it finds',
    '4 migrations, some 0.2 s in all. Nothing was changed.',
  ],
  postgres: [
    '20300101000001_add_columns: instant',
    '  engines (3000 rows): adds a column (2 times), adds an index: less than 0.1 s; readers and writers wait',
    '20300101000002_drop_a_column: instant',
    '  engines (3000 rows): drops a column: instant; readers and writers wait',
    '20300101000003_forbid_empty_names: instant',
    '  engines (3000 rows): forbids empty values: less than 0.1 s; readers and writers wait',
    '20300101000004_change_rows: some 0.2 s',
    '  engines (3000 rows): looks for rows, changes rows: some 0.2 s; writers wait',
    expect.stringMatching(/^ {2}mills.*: looks for rows: /),
    '  and more, which depends on the rows that it finds',
    '4 migrations, some 0.2 s in all. Nothing was changed.',
  ],
};

describe.each(selectedDatabases())('a plan of migrations (%s)', (kind: DatabaseName) => {
  let directory = '';
  let url = '';
  let drop = (): Promise<void> => Promise.resolve();
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'gatehouse-plan-'));
    writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
    if (kind === 'sqlite') url = `sqlite:${join(directory, 'old.sqlite')}`;
    else ({ url, drop } = await createEmptyPostgresDatabase());
  });
  afterEach(async () => {
    await drop();
    rmSync(directory, { recursive: true });
  });

  const tablesOf = async ({ schema }: Database): Promise<readonly unknown[]> =>
    kind === 'sqlite'
      ? ((await schema.raw('select name, sql from sqlite_master order by name')) as unknown[])
      : (
          (await schema.raw(
            "select * from information_schema.columns where table_schema = 'public' order by 3, 4",
          )) as {
            rows: unknown[];
          }
        ).rows;

  it('says what is done to which table, for how long and who waits, and changes nothing', async () => {
    const migrations = join(directory, 'migrations');
    mkdirSync(migrations);
    const write = (name: string, text: string) =>
      writeFileSync(join(migrations, `${name}.js`), `${text}\nexport const down = async () => undefined;\n`);
    write('20300101000000_create_engines', CREATE);
    await onDatabase(url, async (database) => {
      await new Migrator(database, migrations).migrate();
      const names = Array.from({ length: ROWS }, (_, index) => ({ name: `engine ${index}` }));
      await database.schema.batchInsert('engines', names, 500);
      if (kind === 'postgres') await database.schema.raw('analyze engines');
      for (const [name, text] of Object.entries(PENDING)) write(name, text);
      const before = await tablesOf(database);
      expect(describePlan(await new Migrator(database, migrations).plan())).toEqual(PLANNED[kind]);
      expect(await tablesOf(database)).toEqual(before);
      expect((await new Migrator(database, migrations).status()).pending).toEqual(Object.keys(PENDING));
    });
  });

  it('understands every statement of this release, and says of an empty database that all is instant', async () => {
    await onDatabase(url, async (database) => {
      const migrator = new Migrator(database, MIGRATIONS);
      const planned = await migrator.plan();
      expect(planned.map(({ name }) => name)).toEqual((await migrator.status()).pending);
      const changes = planned.flatMap(({ name, tables }) =>
        tables.flatMap((table) => table.changes.map(([what]) => `${name} ${table.table} ${what}`)),
      );
      expect(changes.filter((change) => change.includes('"'))).toEqual([]);
      expect(planned.filter(({ whole }) => !whole).map(({ name }) => name)).toEqual([]);
      expect(planned.filter(({ seconds }) => seconds > 0)).toEqual([]);
      expect(await tablesOf(database)).toEqual([]);
      await migrator.migrate();
      expect(describePlan(await migrator.plan())).toEqual(['Nothing to do.']);
    });
  });
});
