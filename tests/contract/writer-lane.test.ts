import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import knex, { type Knex } from 'knex';
import { WriterLane } from '../../src/adapters/outbound/persistence/knex/dialect/writer-lane.js';
import { WriterTurn } from '../../src/adapters/outbound/persistence/knex/dialect/writer-turn.js';

describe('the lane of writers', () => {
  let connection: Knex;
  let lane: WriterLane;
  let commits: number;
  /** Whether each commit waited for the disk. */
  let waited: boolean[];

  beforeAll(async () => {
    const filename = ':memory:';
    connection = knex({ client: 'better-sqlite3', connection: { filename }, useNullAsDefault: true });
    await connection.schema.createTable('works', (table) => table.increments('id'));
  });
  afterAll(() => connection.destroy());

  beforeEach(() => {
    commits = 0;
    waited = [];
    let waits = true;
    const waitForDisk = (wanted: boolean): Promise<void> => {
      waits = wanted;
      return Promise.resolve();
    };
    const run = async (sql: string): Promise<readonly unknown[]> => {
      if (sql === 'commit') {
        commits += 1;
        waited.push(waits);
      }
      return (await connection.raw(sql)) as readonly unknown[];
    };
    lane = new WriterLane({ knex: connection, run, waitForDisk }, new WriterTurn());
  });

  /** Works of so many turns of the event loop, one in each. */
  const arriveInTurns = (turns: number): Promise<unknown> => {
    const later =
      turns === 1 ? undefined : new Promise((resume) => setImmediate(resume)).then(() => arriveInTurns(turns - 1));
    return Promise.all([lane.execute((session) => session.run('insert into works default values', [])), later]);
  };

  it('commits once for works of turns that each bring more', async () => {
    await arriveInTurns(5);
    expect(commits).toBe(1);
  });

  it('waits for the disk unless all that it commits together may be lost', async () => {
    const add = (repeatable: boolean) =>
      lane.execute((session) => session.run('insert into works default values', []), repeatable);
    await add(true);
    await Promise.all([add(true), add(false), add(true)]);
    await Promise.all([add(true), add(true)]);
    await add(false);
    expect(waited).toEqual([false, true, false, true]);
  });

  it('keeps nobody waiting for more than eight turns, whatever comes', async () => {
    await arriveInTurns(40);
    expect(commits).toBeGreaterThanOrEqual(5);
  });
});
