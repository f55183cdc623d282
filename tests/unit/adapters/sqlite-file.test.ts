import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { lockFile } from '../../../src/adapters/outbound/persistence/knex/dialect/lock-file.js';
import { openDatabase } from '../../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import { prepareDatabaseFile } from '../../../src/adapters/outbound/persistence/knex/dialect/sqlite-file.js';

/** What comes of it where another process locks a file. */
const LOCK = `
  const connection = new (require('better-sqlite3'))(process.argv[1], { timeout: 0 });
  try {
    connection.exec('begin exclusive');
    console.log('locked');
  } catch (error) {
    console.log(error.code);
  }
  connection.close();`;
const lockElsewhere = (file: string): string => execFileSync(process.execPath, ['-e', LOCK, file]).toString().trim();

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('the file of a database', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-file-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const open = async (path: string): Promise<void> => {
    const database = openDatabase({ url: `sqlite:${path}`, poolMax: 1 });
    await database.schema.schema.createTable('things', (table) => table.bigIncrements('id'));
    await database.backup(join(folder, 'backup.sqlite'));
    await database.close();
  };

  it('is made for its owner alone, with its folders and backups', async () => {
    const file = join(folder, 'new', 'data', 'gatehouse.sqlite');
    await open(file);
    expect([modeOf(file), modeOf(join(folder, 'backup.sqlite'))]).toEqual(['600', '600']);
    expect([modeOf(join(folder, 'new')), modeOf(join(folder, 'new', 'data'))]).toEqual(['700', '700']);
  });

  it('that is there is narrowed to its owner', async () => {
    const file = join(folder, 'gatehouse.sqlite');
    writeFileSync(file, '');
    chmodSync(file, 0o644);
    await open(file);
    expect(modeOf(file)).toBe('600');
  });

  // SQLite's own tools take the log of a database away when they believe to be alone with it, and what is written after that is lost.
  it('stays locked against other processes, though whoever has the lock prepares the file once more', () => {
    const file = join(folder, 'gatehouse.sqlite');
    const lock = lockFile(file);
    prepareDatabaseFile(file);
    expect(lockFile(file)).toBeUndefined();
    expect(lockElsewhere(file)).toBe('SQLITE_BUSY');
    lock?.close();
    expect(lockElsewhere(file)).toBe('locked');
  });

  it('is no other, however long', async () => {
    const file = join(folder, 'notes.txt');
    writeFileSync(file, 'SQLite is what I wrote about here\n'.repeat(1_000));
    await expect(open(file)).rejects.toThrow('it is not a SQLite database.');
  });

  it('is left as it is where it is none', async () => {
    const file = join(folder, 'notes.txt');
    writeFileSync(file, 'SQLite is what I wrote about here');
    chmodSync(file, 0o644);
    await expect(open(file)).rejects.toThrow(`The database file ${file} can't be used: it is not a SQLite database.`);
    expect(modeOf(file)).toBe('644');
  });

  it('is refused with a sentence that names the path, where there can be none', async () => {
    mkdirSync(join(folder, 'folder'));
    writeFileSync(join(folder, 'file'), '');
    await expect(open(join(folder, 'folder'))).rejects.toThrow(
      `${join(folder, 'folder')} can't be used: it is a folder.`,
    );
    await expect(open(join(folder, 'file', 'a.sqlite'))).rejects.toThrow(/file is not a folder\.$/);
    await expect(open(join(folder, 'file', 'below', 'a.sqlite'))).rejects.toThrow(/can't be made \(ENOTDIR\)\.$/);
    await expect(open('/proc/nowhere/a.sqlite')).rejects.toThrow(/the folder \/proc\/nowhere can't be made/);
  });
});
