import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import { Migrator } from '../../src/adapters/outbound/persistence/knex/migrate.js';
import { ContractParts, NOW } from '../support/contract-parts.js';
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

  it('leave runners their projects when they come to be of groups, and when that is taken back', async () => {
    const parts = new ContractParts(await openTestDatabase());
    try {
      const { database } = parts;
      const ada = await parts.addUser('ada');
      const project = await parts.work(({ projects }) =>
        projects.add({
          ...{ namespaceId: ada.namespaceId, name: 'loom', path: 'loom', description: null, visibility: 'private' },
          ...{ defaultBranch: 'main', mergeWhenPipelineSucceeds: false, creatorId: ada.id, createdAt: NOW },
        }),
      );
      const fields = { description: null, tags: [], runUntagged: true, locked: false, paused: false } as const;
      const more = { protectedOnly: false, maximumTimeout: null, maintenanceNote: null, tokenDigest: 'x' } as const;
      const of = { type: 'project_type', groupId: null, createdBy: ada.id, createdAt: NOW } as const;
      await parts.work(({ ciRunners }) => ciRunners.add({ ...fields, ...more, ...of }, [project]));
      const kept = () => database.schema('ci_runner_projects').pluck('project_id');
      const migrator = new Migrator(database, MIGRATIONS);
      const { applied } = await migrator.status();
      const later = applied.filter((name) => name >= '20261212100001_give_groups_runners');
      await migrator.rollBack(later.length);
      expect((await migrator.status()).pending).toEqual(later);
      expect((await kept()).map(Number)).toEqual([project]);
      expect(await migrator.migrate()).toEqual(later);
      expect((await kept()).map(Number)).toEqual([project]);
    } finally {
      await parts.close();
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
