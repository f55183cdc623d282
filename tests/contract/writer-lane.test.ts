import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import knex, { type Knex } from 'knex';
import { WriterLane } from '../../src/adapters/outbound/persistence/knex/dialect/writer-lane.js';
import { WriterTurn } from '../../src/adapters/outbound/persistence/knex/dialect/writer-turn.js';

describe('the lane of writers', () => {
  let connection: Knex;
  let lane: WriterLane;
  let commits: number;

  beforeAll(async () => {
    const filename = ':memory:';
    connection = knex({ client: 'better-sqlite3', connection: { filename }, useNullAsDefault: true });
    await connection.schema.createTable('works', (table) => table.increments('id'));
  });
  afterAll(() => connection.destroy());

  beforeEach(() => {
    commits = 0;
    const run = async (sql: string): Promise<readonly unknown[]> => {
      if (sql === 'commit') commits += 1;
      return (await connection.raw(sql)) as readonly unknown[];
    };
    lane = new WriterLane(connection, run, new WriterTurn());
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

  it('keeps nobody waiting for more than eight turns, whatever comes', async () => {
    await arriveInTurns(40);
    expect(commits).toBeGreaterThanOrEqual(5);
  });
});
