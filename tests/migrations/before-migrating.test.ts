import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import { Migrator } from '../../src/adapters/outbound/persistence/knex/migrate.js';
import { migrateDatabase } from '../../src/infrastructure/migrate-database.js';
import { createEmptyPostgresDatabase } from '../support/databases.js';
import { RecordingLogger } from '../support/recording-logger.js';
import { selectedDatabases, type DatabaseName } from '../support/selected-databases.js';
import { onDatabase } from '../support/stores.js';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));
const LATEST = '29991231000000_add_what_comes_later';
const LATER = `export const up = (knex) => knex.schema.createTable('later', (table) => table.bigIncrements('id'));
export const down = (knex) => knex.schema.dropTable('later');
`;

describe.each(selectedDatabases())('a database of the version before (%s)', (kind: DatabaseName) => {
  let directory = '';
  let migrations = '';
  let url = '';
  let drop = (): Promise<void> => Promise.resolve();
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'gatehouse-before-'));
    migrations = join(directory, 'migrations');
    cpSync(MIGRATIONS, migrations, { recursive: true });
    writeFileSync(join(migrations, `${LATEST}.js`), LATER);
    writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
    if (kind === 'sqlite') url = `sqlite:${join(directory, 'old.sqlite')}`;
    else ({ url, drop } = await createEmptyPostgresDatabase());
    await onDatabase(url, async (database) => void (await new Migrator(database, MIGRATIONS).migrate()));
    await onDatabase(url, ({ schema }) =>
      schema('jobs').insert({
        kind: 'x',
        payload: '{}',
        attempts: 0,
        run_at: new Date(0).toISOString(),
        created_at: new Date(0).toISOString(),
      }),
    );
  });
  afterEach(async () => {
    await drop();
    rmSync(directory, { recursive: true });
  });

  const copies = () => readdirSync(directory).filter((name) => name.includes('.before-'));

  it('is copied before it is migrated where it is a file, once', async () => {
    const logger = new RecordingLogger();
    const migrate = () => onDatabase(url, (database) => migrateDatabase(database, logger, migrations));
    expect(await migrate()).toEqual([LATEST]);
    expect(await migrate()).toEqual([]);
    expect(copies()).toEqual(kind === 'sqlite' ? [`old.sqlite.before-${LATEST.slice(0, 14)}`] : []);
    for (const copy of copies()) {
      const kept = openDatabase({ url: `sqlite:${join(directory, copy)}`, poolMax: 2 });
      try {
        expect((await new Migrator(kept, migrations).status()).pending).toEqual([LATEST]);
        expect(await kept.schema('jobs').select('kind')).toEqual([{ kind: 'x' }]);
      } finally {
        await kept.close();
      }
    }
  });

  it('is not migrated while it is being moved', async () => {
    await onDatabase(url, ({ schema }) =>
      schema.table('storage_control').insert({
        id: 1,
        role: 'primary',
        epoch: 0,
        move: 'm',
        state: 'copying',
        peer: 'elsewhere',
        changed_at: new Date(0).toISOString(),
      }),
    );
    const migrate = () => onDatabase(url, (database) => migrateDatabase(database, new RecordingLogger(), migrations));
    await expect(migrate()).rejects.toThrow(
      /^This database is being moved to elsewhere, which has no newer migrations/,
    );
    expect(copies()).toEqual([]);
  });
});

describe.each(selectedDatabases())('a database of another program (%s)', (kind: DatabaseName) => {
  let url = '';
  let drop = (): Promise<void> => Promise.resolve();
  beforeEach(async () => {
    if (kind === 'postgres') return void ({ url, drop } = await createEmptyPostgresDatabase());
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-foreign-'));
    url = `sqlite:${join(directory, 'foreign.sqlite')}`;
    drop = () => Promise.resolve(rmSync(directory, { recursive: true }));
  });
  afterEach(() => drop());

  const make = (name: string) =>
    onDatabase(url, async ({ schema }) => void (await schema.raw('create table ?? (version text)', [name])));
  const migrate = () => onDatabase(url, (database) => migrateDatabase(database, new RecordingLogger()));
  const tables = () => onDatabase(url, (database) => database.tables());

  it('is not migrated, even where that keeps its migrations in a table of the same name', async () => {
    await make('schema_migrations');
    await make('users');
    await expect(migrate()).rejects.toThrow(
      new Error('This database holds tables of another program (users): give Gatehouse one of its own.'),
    );
    expect(await tables()).toEqual(['schema_migrations', 'users']);
  });

  it('is one for ours once its tables are gone', async () => {
    await make('theirs');
    await expect(migrate()).rejects.toThrow('tables of another program (theirs)');
    await onDatabase(url, async ({ schema }) => void (await schema.schema.dropTable('theirs')));
    expect(await migrate()).toContain('20261126000000_create_baseline');
    expect(await migrate()).toEqual([]);
  });
});
