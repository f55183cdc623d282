import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import knex, { type Knex } from 'knex';
import { WriterLane } from '../../src/adapters/outbound/persistence/knex/dialect/writer-lane.js';
import type { Session } from '../../src/adapters/outbound/persistence/knex/session.js';
import { WriterTurn } from '../../src/adapters/outbound/persistence/knex/dialect/writer-turn.js';

describe('the lane of writers', () => {
  let connection: Knex;
  let lane: WriterLane;
  let commits: number;
  /** Whether each commit waited for the disk. */
  let waited: boolean[];
  let savepoints: number;

  beforeAll(async () => {
    const filename = ':memory:';
    connection = knex({ client: 'better-sqlite3', connection: { filename }, useNullAsDefault: true });
    await connection.schema.createTable('works', (table) => table.increments('id'));
    await connection.schema.createTable('blobs', (table) => table.binary('blob'));
  });
  afterAll(() => connection.destroy());

  beforeEach(() => {
    commits = 0;
    waited = [];
    savepoints = 0;
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
      if (sql.startsWith('savepoint')) savepoints += 1;
      return (await connection.raw(sql)) as readonly unknown[];
    };
    lane = new WriterLane({ knex: connection, run, waitForDisk }, new WriterTurn());
  });

  const rows = async (): Promise<number> => {
    const [row] = (await connection('works').count({ number: '*' })) as { number: number }[];
    return row?.number ?? 0;
  };
  const add = (session: Session): Promise<unknown> => session.run('insert into works default values', []);

  /** Works of so many turns of the event loop, one in each. */
  const arriveInTurns = (turns: number): Promise<unknown> => {
    const later =
      turns === 1 ? undefined : new Promise((resume) => setImmediate(resume)).then(() => arriveInTurns(turns - 1));
    return Promise.all([lane.execute(add), later]);
  };

  it('commits once for works of turns that each bring more', async () => {
    await arriveInTurns(5);
    expect(commits).toBe(1);
  });

  it('waits for the disk unless all that it commits together may be lost', async () => {
    const addOne = (repeatable: boolean) => lane.execute(add, { repeatable });
    await addOne(true);
    await Promise.all([addOne(true), addOne(false), addOne(true)]);
    await Promise.all([addOne(true), addOne(true)]);
    await addOne(false);
    expect(waited).toEqual([false, true, false, true]);
  });

  it('keeps nobody waiting for more than eight turns, whatever comes', async () => {
    await arriveInTurns(40);
    expect(commits).toBeGreaterThanOrEqual(5);
  });

  it('runs works that ask at once one after the other, without a savepoint for each', async () => {
    const before = await rows();
    await Promise.all([1, 2, 3].map(() => lane.execute(add, { atOnce: true })));
    expect([commits, savepoints, (await rows()) - before]).toEqual([1, 0, 3]);
  });

  it('gives each its savepoint where one of them takes its time', async () => {
    await Promise.all([lane.execute(add, { atOnce: true }), lane.execute(add)]);
    expect([commits, savepoints]).toEqual([1, 2]);
  });

  it('has nobody fail beside one that fails at once, whose rows are undone', async () => {
    const before = await rows();
    const failing = lane.execute(
      async (session) => {
        await add(session);
        throw new Error('no');
      },
      { atOnce: true },
    );
    const settled = await Promise.allSettled([
      lane.execute(add, { atOnce: true }),
      failing,
      lane.execute(add, { atOnce: true }),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect([commits, (await rows()) - before]).toEqual([1, 2]);
  });

  describe.each([
    ['at once', { atOnce: true }],
    ['step by step', {}],
  ])('of works that are done %s', (_manner, asked) => {
    it('tells all of a group why the database ended their transaction', async () => {
      await connection.raw('pragma max_page_count = 20');
      const fill = (session: Session): Promise<unknown> =>
        session.run('insert into blobs values (zeroblob(200000))', []);
      const settled = await Promise.allSettled([add, fill, add].map((work) => lane.execute(work, asked)));
      await connection.raw('pragma max_page_count = 1000000');
      expect(settled.map((each) => (each.status === 'rejected' ? (each.reason as Error).message : 'done'))).toEqual(
        [1, 2, 3].map(() => expect.stringContaining('database or disk is full')),
      );
    });
  });
});
