import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Knex } from 'knex';

const FOLDER = fileURLToPath(new URL('../../migrations', import.meta.url));

const config: Knex.MigratorConfig = {
  tableName: 'schema_migrations',
  migrationSource: {
    getMigrations: () =>
      Promise.resolve(
        readdirSync(FOLDER)
          .map((file) => basename(file, '.js'))
          .sort(),
      ),
    getMigrationName: (name: string) => name,
    getMigration: (name: string) => import(pathToFileURL(`${FOLDER}/${name}.js`).href) as Promise<Knex.Migration>,
  },
};

/** Takes back the migrations from a named one on. */
export const goBackBefore = async (schema: Knex, name: string): Promise<void> => {
  for (;;) {
    const [applied] = (await schema.migrate.list(config)) as [{ name: string }[], unknown];
    if (!applied.some((migration) => migration.name >= name)) return;
    await schema.migrate.down(config);
  }
};

/** Applies what was taken back. */
export const goOn = async (schema: Knex): Promise<void> => {
  await schema.migrate.latest(config);
};
