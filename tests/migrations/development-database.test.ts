import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import type { Database } from '../../src/adapters/outbound/persistence/knex/database.js';
import { Migrator } from '../../src/adapters/outbound/persistence/knex/migrate.js';
import { REPLACED_MIGRATIONS } from '../../src/domain/storage/released-migrations.js';
import { describeEachDatabase } from '../support/databases.js';
import { TestService } from '../support/test-service.js';
import { withEnds } from '../support/stores.js';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));
const BASELINE = '20261126000000_create_baseline';

const applied = ({ schema }: Database) => schema('schema_migrations').orderBy('name').pluck('name');

/** As versions recorded it that had the schema of the first release in pieces. */
const recordPieces = async ({ schema }: Database, pieces: readonly string[]): Promise<void> => {
  await schema('schema_migrations').where({ name: BASELINE }).delete();
  await schema('schema_migrations').insert(pieces.map((name, index) => ({ name, batch: index + 1 })));
};

describeEachDatabase('a database of a development version', (openTestDatabase) => {
  const onDatabase = async (work: (database: Database, url: string) => Promise<void>): Promise<void> => {
    const url = await openTestDatabase();
    const database = openDatabase({ url, poolMax: 2 });
    try {
      await work(database, url);
    } finally {
      await database.close();
    }
  };

  it('serves on as one of the first release, on a server also when several nodes start at once', () =>
    onDatabase(async (database, url) => {
      const names = await applied(database);
      await recordPieces(database, REPLACED_MIGRATIONS);
      expect(await new Migrator(database, MIGRATIONS).status()).toEqual({ applied: names, pending: [] });
      expect(await new Migrator(database, MIGRATIONS).plan()).toEqual([]);
      await withEnds([url, url], async (end) => expect(await end.migrations()).toEqual(names));
      const several = database.inThisThread === undefined ? 3 : 1;
      const nodes = Array.from({ length: several }, () => openDatabase({ url, poolMax: 2 }));
      try {
        const migrated = await Promise.all(nodes.map((node) => new Migrator(node, MIGRATIONS).migrate()));
        expect(migrated.flat()).toEqual([]);
      } finally {
        await Promise.all(nodes.map((node) => node.close()));
      }
      expect(await applied(database)).toEqual(names);
      await (await TestService.start(url)).close();
    }));

  it('gets what came after the first release', () =>
    onDatabase(async (database) => {
      const { schema } = database;
      const names = (await applied(database)) as string[];
      const later = names.filter((name) => name > BASELINE);
      await new Migrator(database, MIGRATIONS).rollbackAll();
      await schema.migrate.latest({
        tableName: 'schema_migrations',
        migrationSource: {
          getMigrations: () => Promise.resolve([BASELINE]),
          getMigrationName: (name: string) => name,
          getMigration: (name: string) => import(`../../migrations/${name}.js`),
        },
      });
      await recordPieces(database, REPLACED_MIGRATIONS);
      expect(await new Migrator(database, MIGRATIONS).migrate()).toEqual(later);
      expect(await applied(database)).toEqual(names);
    }));

  it.each([
    ['lacks the newest', REPLACED_MIGRATIONS.slice(0, -1), REPLACED_MIGRATIONS.at(-1) ?? ''],
    ['lacks one in between', REPLACED_MIGRATIONS.toSpliced(7, 1), REPLACED_MIGRATIONS[7] ?? ''],
  ])('that %s is left as it is, with what to do', (_, pieces, missing) =>
    onDatabase(async (database) => {
      await recordPieces(database, pieces);
      const before = await applied(database);
      const sentence = `This was made by a development version before 0.2.0, which lacks ${missing}. Start or restore it with the last commit that has migrations/20261125700001_close_entries_of_code.js, and update then.`;
      await expect(new Migrator(database, MIGRATIONS).migrate()).rejects.toThrow(sentence);
      await expect(new Migrator(database, MIGRATIONS).status()).rejects.toThrow(sentence);
      expect(await applied(database)).toEqual(before);
    }),
  );
});
