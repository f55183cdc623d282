import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import { Migrator } from '../../src/adapters/outbound/persistence/knex/migrate.js';
import { createEmptyPostgresDatabase, describeEachDatabase } from '../support/databases.js';
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
