import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import BetterSqlite3 from 'better-sqlite3';
import type { Database } from '../../src/adapters/outbound/persistence/knex/database.js';
import { openSqliteDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/sqlite-database.js';
import { WriterTurn } from '../../src/adapters/outbound/persistence/knex/dialect/writer-turn.js';
import { temporaryFolder } from '../support/git.js';

const PAGE = 4_096;
/** After so many pages of its log SQLite writes them into the file, and begins the log anew. */
const PAGES_OF_LOG = 1_000;

describe('look-ups of one moment', () => {
  let file: string;
  let database: Database;
  let otherProcess: BetterSqlite3.Database;

  beforeEach(async () => {
    file = join(temporaryFolder(), 'one.sqlite');
    database = openSqliteDatabase(file);
    await database.schema.schema.createTable('notes', (table) => table.binary('text'));
    otherProcess = new BetterSqlite3(file);
    // Whatever the machine does meanwhile.
    setClock(0);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    otherProcess.close();
    await database.close();
  });

  const setClock = (milliseconds: number): void =>
    void jest.spyOn(performance, 'now').mockReturnValue(1_000 + milliseconds);
  const count = async (): Promise<number> => {
    const [row] = await database.reader.run('select count(*) as number from notes', []);
    return (row as { number: number }).number;
  };
  const addElsewhere = (): void => void otherProcess.prepare('insert into notes values (null)').run();
  const addIn = (to: Database, meanwhile: () => Promise<unknown>, bytes = 1): Promise<unknown> =>
    to.transact(async (session) => {
      await session.run('insert into notes values (zeroblob(?))', [bytes]);
      await meanwhile();
    });

  it('those of requests that came together are answered alike, and the next ones see what was written meanwhile', async () => {
    database.requestCame?.();
    expect(await count()).toBe(0);
    addElsewhere();
    database.requestCame?.();
    expect(await count()).toBe(0);
    await nextTurn();
    expect(await count()).toBe(1);
  });

  it('a request sees what others had written before it came, though somebody has just looked', async () => {
    await count();
    addElsewhere();
    database.requestCame?.();
    expect(await count()).toBe(1);
  });

  it('without a request they are answered alike until somebody waits', async () => {
    expect(await count()).toBe(0);
    addElsewhere();
    expect(await count()).toBe(0);
    await nextTurn();
    expect(await count()).toBe(1);
  });

  /** Opens a snapshot just before somebody writes, and looks again as soon as they have. */
  const lookAround = async (writer: Database): Promise<readonly number[]> => {
    await sleep(0);
    const written = addIn(writer, () => Promise.resolve());
    database.requestCame?.();
    const before = await count();
    await written;
    return [before, await count()];
  };

  it('whoever has written sees it at once', async () => {
    expect(await lookAround(database)).toEqual([0, 1]);
  });

  it('what another thread of the process has written is seen at once', async () => {
    const thread = openSqliteDatabase(file, new WriterTurn(database.inThisThread?.turn));
    expect(await lookAround(thread)).toEqual([0, 1]);
    await thread.close();
  });

  it('whoever has got a lock sees what was written by whoever had it before', async () => {
    await count();
    const seen = database.withLock('backup', () => {
      addElsewhere();
      return count();
    });
    expect(await seen).toBe(1);
  });

  const sizeOfLog = (): number => statSync(`${file}-wal`).size;

  it('the log begins anew, though somebody looks whenever somebody is about to write', async () => {
    for (let work = 0; work < 200; work += 1) {
      await sleep(0);
      const written = addIn(database, () => Promise.resolve(), 25 * PAGE);
      database.requestCame?.();
      await count();
      await written;
    }
    expect(sizeOfLog()).toBeLessThan(1.5 * PAGES_OF_LOG * PAGE);
  });

  it('the log begins anew, though somebody looks whenever another thread writes', async () => {
    const thread = openSqliteDatabase(file, new WriterTurn(database.inThisThread?.turn));
    const look = (): Promise<number> => {
      database.requestCame?.();
      return count();
    };
    for (let work = 0; work < 200; work += 1) await addIn(thread, look, 25 * PAGE);
    expect(sizeOfLog()).toBeLessThan(1.5 * PAGES_OF_LOG * PAGE);
    await thread.close();
  });

  it('none is older than two milliseconds, however long nobody waits', async () => {
    database.requestCame?.();
    expect(await count()).toBe(0);
    addElsewhere();
    setClock(2);
    expect(await count()).toBe(0);
    setClock(2.1);
    expect(await count()).toBe(1);
  });

  it('one that fails leaves the next ones as they were', async () => {
    database.requestCame?.();
    await expect(database.reader.run('select json(?)', ['{'])).rejects.toThrow('malformed JSON');
    expect(await count()).toBe(0);
  });
});
