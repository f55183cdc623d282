import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import { releasedMigrations } from '../../../../domain/storage/released-migrations.js';
import type { Database } from './database.js';
import { outlivingDeadlocks } from './dialect/migrating/outliving-deadlocks.js';
import { withoutLimit } from './dialect/migrating/without-limit.js';
import { planMigrations, type PlannedMigration } from './plan-migrations.js';

const EXTENSION = '.js';
const TABLE = 'schema_migrations';

/** Names of the migrations of a version, in their order. */
export const namesIn = (directory: string): string[] =>
  readdirSync(directory)
    .filter((file) => file.endsWith(EXTENSION))
    .map((file) => basename(file, EXTENSION))
    .sort();

const load = (directory: string, name: string): Promise<Knex.Migration> =>
  import(pathToFileURL(join(directory, name + EXTENSION)).href) as Promise<Knex.Migration>;

/** The files of a directory, in the order of their names, loaded as modules: the same under every runner. */
const migrationSource = (directory: string): Knex.MigrationSource<string> => ({
  getMigrations: () => Promise.resolve(namesIn(directory)),
  getMigrationName: (name) => name,
  getMigration: async (name) => withoutLimit(await load(directory, name)),
});

export interface MigrationStatus {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
}

export class Migrator {
  readonly #config: Knex.MigratorConfig;

  constructor(
    private readonly database: Database,
    private readonly directory: string,
  ) {
    this.#config = { migrationSource: migrationSource(directory), tableName: TABLE };
  }

  /** What only a newer version knows is told, too. Nothing is written. */
  async status(): Promise<MigrationStatus> {
    const applied = await this.#applied();
    const known = new Set(applied);
    return { applied, pending: namesIn(this.directory).filter((name) => !known.has(name)) };
  }

  /** What is pending would do, found without a write or a lock. @throws Error when a newer version has migrated the database already. */
  async plan(): Promise<readonly PlannedMigration[]> {
    const status = await this.status();
    const newer = this.#newer(status);
    if (newer !== undefined) throw newer;
    return planMigrations(this.database, { ...status, load: (name) => load(this.directory, name) });
  }

  /**
   * Applies what is pending, one process at a time, and answers the names of what it applied.
   *
   * @param prepare is called before, where there is something to apply.
   * @throws Error when a newer version has migrated the database already.
   */
  async migrate(prepare?: (status: MigrationStatus) => Promise<void>): Promise<readonly string[]> {
    // Most starts find nothing to do: they neither wait for others nor hold them up.
    if (await this.#hasRunAll()) return [];
    return this.database.withLock('migration', async () => {
      try {
        await this.#adopt();
        const status = await this.status();
        if (status.pending.length > 0) await prepare?.(status);
        return status.applied.length === 0 ? await this.#applyAll() : await this.#applyOneByOne();
      } catch (error) {
        throw await this.#explained(error);
      }
    });
  }

  /** Nobody serves from a database without tables. */
  async #applyAll(): Promise<readonly string[]> {
    const [, applied] = (await this.database.schema.migrate.latest(this.#config)) as [number, string[]];
    return applied;
  }

  /**
   * Older nodes may be serving. Each migration has a transaction of its own: locks of one on several tables, kept until the last one has run, would
   * be a deadlock with works that take the same ones in another order.
   */
  async #applyOneByOne(): Promise<readonly string[]> {
    const applied: string[] = [];
    for (;;) {
      const next = await outlivingDeadlocks(() => this.#applyNext());
      if (next.length === 0) return applied;
      applied.push(...next);
    }
  }

  async #applyNext(): Promise<readonly string[]> {
    const [, applied] = (await this.database.schema.migrate.up(this.#config)) as [number, string[]];
    return applied;
  }

  async #hasRunAll(): Promise<boolean> {
    return isDeepStrictEqual(await this.#recorded(), namesIn(this.directory));
  }

  async #applied(): Promise<readonly string[]> {
    return releasedMigrations(await this.#recorded());
  }

  /** Lets a database of a development version say what one of a release says. */
  async #adopt(): Promise<void> {
    const recorded = await this.#recorded();
    const released = releasedMigrations(recorded);
    const [first, ...others] = recorded.filter((name) => !released.includes(name));
    if (first === undefined) return;
    await this.database.schema.transaction(async (transaction) => {
      await transaction(TABLE).whereIn('name', others).delete();
      await transaction(TABLE).where({ name: first }).update({ name: released[0] });
    });
  }

  async #recorded(): Promise<readonly string[]> {
    const { schema: query } = this.database;
    if (!(await query.schema.hasTable(TABLE))) return [];
    const rows = await query<{ name: string }>(TABLE).orderBy('name').select('name');
    return rows.map(({ name }) => name);
  }

  async #explained(error: unknown): Promise<unknown> {
    return this.#newer(await this.status(), error) ?? error;
  }

  #newer({ applied }: MigrationStatus, cause?: unknown): Error | undefined {
    const known = new Set(namesIn(this.directory));
    const newer = applied.filter((name) => !known.has(name));
    if (newer.length === 0) return undefined;
    const message = `A newer version has migrated the database (${newer.join(', ')}): start that version, or restore a backup from before.`;
    return new Error(message, { cause });
  }

  /** Takes back the latest migrations, so many. */
  async rollBack(count: number): Promise<void> {
    for (let each = 0; each < count; each += 1) await this.database.schema.migrate.down(this.#config);
  }

  /** Takes back every migration. */
  async rollbackAll(): Promise<void> {
    await this.database.schema.migrate.rollback(this.#config, true);
  }
}
