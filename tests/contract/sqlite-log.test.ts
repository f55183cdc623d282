import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import BetterSqlite3 from 'better-sqlite3';
import type { Database } from '../../src/adapters/outbound/persistence/knex/database.js';
import { openSqliteDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/sqlite-database.js';
import { temporaryFolder } from '../support/git.js';

const MEGABYTE = 1_024 * 1_024;

describe('the log of SQLite', () => {
  let file: string;
  let database: Database;
  let reader: BetterSqlite3.Database;

  beforeEach(async () => {
    file = join(temporaryFolder(), 'one.sqlite');
    database = openSqliteDatabase(file);
    await database.schema.schema.createTable('notes', (table) => table.binary('text'));
    reader = new BetterSqlite3(file, { readonly: true });
  });
  afterEach(async () => {
    reader.close();
    await database.close();
  });

  const add = (bytes: number): Promise<unknown> =>
    database.transact((session) => session.run('insert into notes values (zeroblob(?))', [bytes]));
  const logged = (): number => statSync(`${file}-wal`).size / MEGABYTE;

  it('gives back what it took beside somebody who read for long', async () => {
    reader.exec('begin');
    reader.prepare('select count(*) from notes').get();
    await add(80 * MEGABYTE);
    await add(1);
    expect(logged()).toBeGreaterThan(80);
    reader.exec('commit');
    // The first brings what is in the log into the file, and the next begins the log anew.
    for (let write = 0; write < 2; write += 1) await add(1);
    expect(logged()).toBeLessThanOrEqual(64);
  });
});
