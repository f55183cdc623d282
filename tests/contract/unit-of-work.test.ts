import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Database } from '../../src/adapters/outbound/persistence/knex/database.js';
import { UniqueViolation } from '../../src/adapters/outbound/persistence/knex/dialect/constraint-violations.js';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import type { Session } from '../../src/adapters/outbound/persistence/knex/session.js';
import { createAesSecretBox } from '../../src/adapters/outbound/security/aes-secret-box.js';
import { together } from '../../src/application/shared/together.js';
import { Conflict } from '../../src/domain/shared/domain-error.js';
import { openUnitOfWork } from '../../src/infrastructure/composition/open-unit-of-work.js';
import type { Repositories } from '../../src/infrastructure/composition/storages.js';
import { describeEachDatabase } from '../support/databases.js';

const NOW = new Date('2026-03-01T12:00:00.123Z');

/** As servers come: the one of tests waits for no disk, whoever asks. */
const waitingForDisk = (url: string): string => {
  if (!url.startsWith('postgres')) return url;
  const parts = new URL(url);
  parts.searchParams.set('options', '-c synchronous_commit=on');
  return parts.href;
};

describeEachDatabase('the unit of work', (openTestDatabase) => {
  let database: Database;

  beforeAll(async () => {
    database = openDatabase({ url: waitingForDisk(await openTestDatabase()), poolMax: 8 });
  });

  afterAll(() => database.close());

  const unitOfWork = () =>
    openUnitOfWork({
      database,
      secretBox: createAesSecretBox(randomBytes(32), 'test'),
      wake: () => undefined,
      subscribers: [],
    });
  const addUser = (username: string) => (repositories: Repositories) =>
    repositories.users.add({
      username,
      name: username,
      state: 'active',
      admin: false,
      passwordHash: null,
      createdAt: NOW,
    });
  const exists = (username: string) =>
    unitOfWork().execute(async ({ users }) => (await users.findByUsername(username)) !== undefined);

  it('commits what a work returns from', async () => {
    const added = await unitOfWork().execute(addUser('babbage'));
    expect(added).toMatchObject({ username: 'babbage', createdAt: NOW });
    expect(await exists('babbage')).toBe(true);
  });

  it('rolls back what a work throws from, and passes the error on', async () => {
    const failing = unitOfWork().execute(async (repositories) => {
      await addUser('lovelace')(repositories);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await exists('lovelace')).toBe(false);
  });

  it('leaves the siblings of a failing work intact when many run at once', async () => {
    const works = Array.from({ length: 40 }, (_, index) =>
      unitOfWork().execute(async (repositories) => {
        await addUser(`sibling-${index}`)(repositories);
        if (index % 4 === 0) throw new Error(`no ${index}`);
        return index;
      }),
    );
    const outcomes = await Promise.allSettled(works);
    for (const [index, { status }] of outcomes.entries()) {
      expect(status).toBe(index % 4 === 0 ? 'rejected' : 'fulfilled');
      expect(await exists(`sibling-${index}`)).toBe(index % 4 !== 0);
    }
  });

  it('lets exactly one of many works take a name, whatever its case', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => unitOfWork().execute(addUser(index % 2 === 0 ? 'turing' : 'Turing'))),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(Conflict);
    }
  });

  it('passes on what failed, and none of what was not reached behind it, whichever is heard of first', async () => {
    await unitOfWork().execute(addUser('somerville'));
    const heardOfLate = async (promise: Promise<unknown>): Promise<unknown> => {
      try {
        return await promise;
      } catch (error) {
        for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
        throw error;
      }
    };
    const failing = unitOfWork().execute((repositories) =>
      together([heardOfLate(addUser('somerville')(repositories)), repositories.users.findByUsername('somerville')]),
    );
    await expect(failing).rejects.toThrow(Conflict);
  });

  it('waits for the disk, but not for a work that may be repeated', async () => {
    const question = database.inThisThread
      ? 'select synchronous as level from pragma_synchronous()'
      : `select current_setting('synchronous_commit') as level`;
    const levels = [];
    for (const manner of ['repeatable', 'step by step', 'repeatable', undefined] as const) {
      const [row] = await database.transact((session) => session.run<{ level: unknown }>(question, []), manner);
      levels.push(row?.level);
    }
    expect(levels).toEqual(database.inThisThread ? [1, 2, 1, 2] : ['off', 'on', 'off', 'on']);
  });

  it('refuses a query after its work has ended, so that a forgotten await harms nobody', async () => {
    let leaked: Repositories | undefined;
    await unitOfWork().execute((repositories) => {
      leaked = repositories;
      return Promise.resolve();
    });
    await expect(addUser('late')(leaked!)).rejects.toThrow('This session has ended');
  });

  describe('of a work that asks at once', () => {
    const add = 'insert into labels_of_a_test (name) values (?) returning name';
    const transact = <Result>(work: (session: Session) => Promise<Result>) => database.transact(work, 'at once');
    const names = async () =>
      (await database.reader.run<{ readonly name: string }>('select name from labels_of_a_test order by name', [])).map(
        ({ name }) => name,
      );

    beforeAll(() =>
      database.schema.schema.createTable('labels_of_a_test', (table) => void table.text('name').unique().notNullable()),
    );
    afterAll(() => database.schema.schema.dropTable('labels_of_a_test'));
    beforeEach(() => database.transact(async ({ query }) => void (await query('labels_of_a_test').delete())));

    /** Once on connections that have not prepared the statements, and once on such that have. */
    const twice = async (check: (time: number) => Promise<unknown>) => {
      for (let time = 0; time < 2; time += 1) await check(time);
    };

    it('commits all of it, and tells each answer', () =>
      twice(async (time) => {
        const answers = await transact((session) =>
          together([session.run(add, [`a${time}`]), session.run(add, [`b${time}`])]),
        );
        expect(answers).toEqual([[{ name: `a${time}` }], [{ name: `b${time}` }]]);
        expect(await names()).toEqual(expect.arrayContaining([`a${time}`, `b${time}`]));
      }));

    it('keeps nothing of it when the database refuses a part, and throws that', () =>
      twice(async () => {
        const failing = transact((session) =>
          together([session.run(add, ['one']), session.run(add, ['one']), session.run(add, ['two'])]),
        );
        await expect(failing).rejects.toThrow(UniqueViolation);
        expect(await names()).toEqual([]);
      }));

    it('sends nothing of it when it throws before it waits', async () => {
      const failing = transact(async (session) => {
        const asked = session.run(add, ['one']);
        if (asked instanceof Promise) throw new Error('changed my mind');
        return asked;
      });
      await expect(failing).rejects.toThrow('changed my mind');
      expect(await names()).toEqual([]);
    });

    it('refuses what is asked in a later turn', async () => {
      let late: Promise<unknown> | undefined;
      await transact(async (session) => {
        await session.run(add, ['one']);
        await new Promise((resume) => setImmediate(resume));
        late = Promise.resolve().then(() => session.run(add, ['two']));
        await late.catch(() => undefined);
      });
      await expect(late).rejects.toThrow('This session has ended');
      expect(await names()).toEqual(['one']);
    });

    it('leaves others alone when many run at once', async () => {
      const works = Array.from({ length: 40 }, (_, index) =>
        transact((session) => session.run(add, [index % 4 === 0 ? 'the same' : `other-${index}`])),
      );
      const outcomes = await Promise.allSettled(works);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(31);
      expect(await names()).toHaveLength(31);
    });
  });

  it('shows a reader only what was committed', async () => {
    let countInside: number | undefined;
    const count = async () => Number((await database.reader.query('users').where({ username: 'hidden' })).length);
    await unitOfWork().execute(async (repositories) => {
      await addUser('hidden')(repositories);
      countInside = await count();
    });
    expect(countInside).toBe(0);
    expect(await count()).toBe(1);
  });

  it('takes a lock for one holder at a time', async () => {
    const order: string[] = [];
    await Promise.all(
      ['first', 'second'].map((name) =>
        database.withLock('clean-up', async () => {
          order.push(`${name} in`);
          await new Promise((resume) => setTimeout(resume, 20));
          expect(await database.tryWithLock('clean-up', () => Promise.resolve('got in'))).toBeUndefined();
          order.push(`${name} out`);
        }),
      ),
    );
    expect(order.map((step) => step.split(' ')[1])).toEqual(['in', 'out', 'in', 'out']);
    expect(await database.tryWithLock('clean-up', () => Promise.resolve('got in'))).toBe('got in');
  });
});
