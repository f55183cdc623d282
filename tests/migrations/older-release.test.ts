import { readdirSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import knex, { type Knex } from 'knex';
import { breaksOlderRelease, shapeOf } from '../support/older-release.js';

const FOLDER = fileURLToPath(new URL('../../migrations', import.meta.url));
/** Migrations that take away what the release before did not use any more, with the version that stopped using it. */
const CONTRACTS: Readonly<Record<string, string>> = {};

const upOf = async (file: string): Promise<Knex.Migration['up']> =>
  ((await import(pathToFileURL(`${FOLDER}/${file}`).href)) as Knex.Migration).up;

describe('the release before', () => {
  let schema: Knex;
  beforeEach(() => {
    schema = knex({
      client: 'better-sqlite3',
      connection: { filename: ':memory:' },
      useNullAsDefault: true,
      pool: { max: 1 },
    });
  });
  afterEach(() => schema.destroy());

  it('serves on beside this one: migrations add, and take away a release later', async () => {
    const broken: Record<string, readonly string[]> = {};
    for (const file of readdirSync(FOLDER)
      .filter((name) => name.endsWith('.js'))
      .sort()) {
      const before = await shapeOf(schema);
      const up = await upOf(file);
      await schema.transaction(async (transaction) => void (await up(transaction)));
      if (CONTRACTS[file] !== undefined) continue;
      const breaks = breaksOlderRelease(before, await shapeOf(schema));
      if (breaks.length > 0) broken[file] = breaks;
    }
    expect(broken).toEqual({});
  });

  it.each<[what: string, change: (schema: Knex) => PromiseLike<unknown>]>([
    ['mills is gone', (db) => db.schema.dropTable('mills')],
    ['mills.name is gone', (db) => db.schema.alterTable('mills', (table) => table.dropColumn('name'))],
    ['mills.name is gone', (db) => db.schema.alterTable('mills', (table) => table.renameColumn('name', 'title'))],
    [
      'mills.wheels is new, and whoever does not know it can add no row',
      (db) => db.schema.alterTable('mills', (table) => table.integer('wheels').notNullable()),
    ],
    [
      'mills.name may not be empty any more',
      (db) => db.schema.alterTable('mills', (table) => table.dropNullable('name')),
    ],
    [
      'mills (name) must be unique from now on',
      (db) => db.schema.alterTable('mills', (table) => table.unique(['name'])),
    ],
  ])('would break where %s', async (what, change) => {
    await schema.schema.createTable('mills', (table) => {
      table.bigIncrements('id');
      table.text('name');
    });
    const before = await shapeOf(schema);
    await change(schema);
    expect(breaksOlderRelease(before, await shapeOf(schema))).toContain(what);
  });

  it('is not broken by what is added', async () => {
    await schema.schema.createTable('mills', (table) => table.bigIncrements('id'));
    const before = await shapeOf(schema);
    await schema.schema.createTable('wheels', (table) => table.bigIncrements('id'));
    await schema.schema.alterTable('mills', (table) => {
      table.text('name');
      table.boolean('turns').notNullable().defaultTo(false);
      // In what it doesn't know it leaves nothing, as often as it likes.
      table.integer('number');
      table.unique(['number']);
    });
    expect(breaksOlderRelease(before, await shapeOf(schema))).toEqual([]);
  });
});
