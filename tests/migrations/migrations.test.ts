import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import { Migrator } from '../../src/adapters/outbound/persistence/knex/migrate.js';
import { createEmptyPostgresDatabase, describeEachDatabase } from '../support/databases.js';
import { removeFolder, temporaryFolder } from '../support/git.js';
import { selectedDatabases } from '../support/selected-databases.js';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

describeEachDatabase('the migrations', (openTestDatabase) => {
  it('go down to nothing and up again', async () => {
    const database = openDatabase({ url: await openTestDatabase(), poolMax: 2 });
    try {
      const migrator = new Migrator(database, MIGRATIONS);
      const before = await migrator.status();
      expect(before.pending).toEqual([]);
      await migrator.rollbackAll();
      expect(await migrator.status()).toEqual({ applied: [], pending: before.applied });
      expect(await migrator.migrate()).toEqual(before.applied);
      expect(await migrator.migrate()).toEqual([]);
    } finally {
      await database.close();
    }
  });

  it('say so when a newer version was there before', async () => {
    const database = openDatabase({ url: await openTestDatabase(), poolMax: 2 });
    try {
      const migrator = new Migrator(database, MIGRATIONS);
      const applied = () => database.schema('schema_migrations');
      const later = { name: '29990101000000_add_what_comes_later' };
      await applied().insert({ ...later, batch: 2 });
      await expect(migrator.migrate()).rejects.toThrow(
        /^A newer version has migrated the database \(29990101000000_add_what_comes_later\): start that version/,
      );
      expect((await migrator.status()).applied).toContain(later.name);
      await applied().where(later).delete();
      expect(await migrator.migrate()).toEqual([]);
    } finally {
      await database.close();
    }
  });
});

if (selectedDatabases().includes('sqlite')) {
  // Knex makes a table anew to give it a column that refers to another, and the rows that refer to it go with the one before.
  it('make no table anew on SQLite', async () => {
    const folder = temporaryFolder();
    const database = openDatabase({ url: `sqlite:${folder}/new.sqlite`, poolMax: 2 });
    try {
      const dropped: string[] = [];
      database.schema.on('query', ({ sql }: { readonly sql: string }) => {
        if (/^drop table/i.test(sql)) dropped.push(sql);
      });
      expect((await new Migrator(database, MIGRATIONS).migrate()).length).toBeGreaterThan(0);
      expect(dropped).toEqual([]);
    } finally {
      await database.close();
      removeFolder(folder);
    }
  });
}

if (selectedDatabases().includes('postgres')) {
  it('run once when several nodes start at once on one empty PostgreSQL database', async () => {
    const empty = await createEmptyPostgresDatabase();
    const nodes = [1, 2, 3].map(() => openDatabase({ url: empty.url, poolMax: 2 }));
    try {
      const applied = await Promise.all(nodes.map((node) => new Migrator(node, MIGRATIONS).migrate()));
      expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
      expect((await new Migrator(nodes[0]!, MIGRATIONS).status()).pending).toEqual([]);
    } finally {
      await Promise.all(nodes.map((node) => node.close()));
      await empty.drop();
    }
  });
}
