import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Knex } from 'knex';
import type { Database } from './database.js';

/** The files of a directory, in the order of their names, loaded as modules: the same under every runner. */
const migrationSource = (directory: string): Knex.MigrationSource<string> => ({
  getMigrations: () =>
    Promise.resolve(
      readdirSync(directory)
        .filter((file) => file.endsWith('.js'))
        .sort(),
    ),
  getMigrationName: (file) => file.replace(/\.js$/, ''),
  getMigration: (file) => import(pathToFileURL(join(directory, file)).href) as Promise<Knex.Migration>,
});

export interface MigrationStatus {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
}

export class Migrator {
  readonly #config: Knex.MigratorConfig;

  constructor(
    private readonly database: Database,
    directory: string,
  ) {
    this.#config = { migrationSource: migrationSource(directory), tableName: 'schema_migrations' };
  }

  async status(): Promise<MigrationStatus> {
    const [applied, pending] = (await this.database.schema.migrate.list(this.#config)) as [
      { name: string }[],
      string[],
    ];
    return {
      applied: applied.map(({ name }) => name),
      pending: pending.map((file) => file.replace(/\.js$/, '')),
    };
  }

  /** Applies what is pending, one process at a time, and answers the names of what it applied. */
  async migrate(): Promise<readonly string[]> {
    return this.database.withLock('migration', async () => {
      const [, applied] = (await this.database.schema.migrate.latest(this.#config)) as [number, string[]];
      return applied.map((file) => file.replace(/\.js$/, ''));
    });
  }

  /** Takes back every migration. */
  async rollbackAll(): Promise<void> {
    await this.database.schema.migrate.rollback(this.#config, true);
  }
}
