import { statSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Knex } from 'knex';
import { TABLES } from '../../src/adapters/outbound/persistence/knex/tables.js';
import type { Table } from '../../src/adapters/outbound/persistence/knex/tables/table.js';
import { FENCED } from '../../src/adapters/outbound/persistence/knex/dialect/storage/fenced.js';
import { sayNode } from '../../src/adapters/outbound/persistence/knex/storage/read-control.js';
import { STORED_TABLES } from '../../src/adapters/outbound/persistence/knex/storage/stored-tables.js';
import { startSha256 } from '../../src/adapters/outbound/security/sha256-digest.js';
import { describeDifference } from '../../src/application/storage/compare-stores.js';
import { lookAtStore } from '../../src/application/storage/look-at-store.js';
import type { MoveStep } from '../../src/application/storage/move-storage.js';
import { RowsInTheWay, type StorageEnd } from '../../src/application/storage/ports/storage-end.js';
import { abortMove, cutStorage, forgetStorage, reopenStorage } from '../../src/application/storage/settle-storage.js';
import { UNTOUCHED } from '../../src/domain/storage/storage-control.js';
import { describeDatabase, type OpenTestDatabase } from '../support/databases.js';
import { reportPostgres, reportSqlite } from '../support/schema-report.js';
import { selectedDatabases, type DatabaseName } from '../support/selected-databases.js';
import {
  compare,
  goThereAndBack,
  hostileRows,
  move,
  mover,
  onDatabase,
  plant,
  readAll,
  sealed,
  withEnds,
  withThoseReferredTo,
  type MoverOptions,
} from '../support/stores.js';
import { TestService } from '../support/test-service.js';
import { until } from '../support/until.js';

const REPORT = { sqlite: reportSqlite, postgres: reportPostgres };

const ROWS = 4;
/** Their ids have types of their own, which these rows have no need of. */
const USERS: string = 'users';
const LABELS: string = 'labels';
const PROJECTS: string = 'projects';
/** Longer than what is brought between two looks at those who are served. */
const LONG_PIECE_MS = 7;
const jobs = (count: number, firstId: number) =>
  Array.from({ length: count }, (_, place) => ({
    id: firstId + place,
    kind: 'late',
    attempts: 0,
    payload: '{}',
    run_at: new Date(0).toISOString(),
    created_at: new Date(0).toISOString(),
  }));
/** As a process that serves from there does, beside which a move works in turns. */
const standBy = (source: string): Promise<void> =>
  onDatabase(source, (database) =>
    sayNode(database, { node: 'one', version: '1', state: 'standing by', reason: null, beat: 1 }),
  );
const fails = (): Promise<never> => Promise.reject(new Error('the power went'));
const PLANTED = hostileRows(ROWS, 7);

/** The rows are planted once in a suite: the database that has them is copied. */
const fillOnce = (rows: typeof PLANTED): ((open: OpenTestDatabase) => Promise<string>) => {
  const filledOnce = new Map<OpenTestDatabase, Promise<string>>();
  return async (open) => {
    const plantOnce = async (): Promise<string> => {
      const url = await open();
      await plant(url, rows);
      return url;
    };
    const planted = filledOnce.get(open) ?? plantOnce();
    filledOnce.set(open, planted);
    return open(await planted);
  };
};
const filled = fillOnce(PLANTED);

/** What tests change rows of, and the tables that these refer to: where it is not of the tables that a move is asked, it goes faster with few. */
const FEW = withThoseReferredTo([USERS, LABELS, PROJECTS, 'subject_labels', 'jobs', 'refs']);
const filledWithFew = fillOnce(new Map([...PLANTED].filter(([name]) => FEW.some((table) => table.name === name))));
const moverOfFew = (source: StorageEnd, target: StorageEnd, options: MoverOptions = {}) =>
  mover(source, target, { tables: FEW, ...options });
const moveFew = (from: string, to: string, options: MoverOptions = {}) => move(from, to, { tables: FEW, ...options });
const readFew = (url: string) => readAll(url, FEW);
const compareFew = (one: string, other: string) => compare(one, other, FEW);

/** What triggers note of a change of each row. */
const notesOf = (rows: ReturnType<typeof hostileRows>) =>
  [...rows].flatMap(([name, each]) =>
    each.map((row) => {
      const key = (TABLES as Readonly<Record<string, Table>>)[name]?.key ?? [];
      return { table_name: name, row_key: JSON.stringify(key.map((column) => row[column])) };
    }),
  );

const [one = 'sqlite', other = one] = selectedDatabases();
/** Each database as source and as target. What else there is to a pair of databases of one kind goes both ways first, above. */
const WAYS =
  one === other
    ? [[one, other] as const]
    : ([
        [one, other],
        [other, one],
      ] as const);

const describePair = (
  from: DatabaseName,
  to: DatabaseName,
  suite: (openSource: OpenTestDatabase, openTarget: OpenTestDatabase) => void,
): void =>
  describeDatabase(from, 'a move', (openSource) =>
    describeDatabase(to, 'to another database', (openTarget) => suite(openSource, openTarget)),
  );

for (const from of selectedDatabases())
  for (const to of selectedDatabases())
    describePair(from, to, (openSource, openTarget) => {
      it('brings every value of every table, and the number that each table gives out next, there and back', () =>
        goThereAndBack(openSource, openTarget, { times: 1 }));

      it('lets a service that serves go over, and one that starts follow, and says so', async () => {
        const [source, target] = [await openSource(), await openTarget()];
        const service = await TestService.start(source);
        const { token } = await service.addUser('ada');
        const create = (of: TestService, name: string) =>
          of.call<{ id: number }>('POST', '/projects', { token, json: { name } });
        const { body } = await create(service, 'Engine');
        try {
          expect(await move(source, target)).toMatchObject({ verification: { equal: true } });
          expect(await create(service, 'Second')).toMatchObject({ status: 201, body: { id: body.id + 1 } });
          expect(await service.call('GET', `/projects/${body.id}`, { token })).toMatchObject({ status: 200 });
        } finally {
          await service.close();
        }
        const follower = await TestService.start(source);
        try {
          expect(follower.logger.troubles).toHaveLength(1);
          expect(await create(follower, 'Third')).toMatchObject({ status: 201, body: { id: body.id + 2 } });
        } finally {
          await follower.close();
        }
        const rows = await onDatabase(target, ({ schema }) => schema('projects').select('name'));
        expect(rows).toHaveLength(3);
        await expect(onDatabase(source, ({ schema }) => schema('projects').delete())).rejects.toThrow('storage moved');
      });
    });

const NONE = { copied: 0, known: 0 };

for (const [from, to] of WAYS)
  describePair(from, to, (openSource, openTarget) => {
    it('leaves the schema of the target as migrations made it', async () => {
      const [source, target, fresh] = [await filled(openSource), await openTarget(), await openTarget()];
      await move(source, target);
      const report = (url: string) => onDatabase(url, ({ schema }) => REPORT[to](schema));
      expect(await report(target)).toEqual(await report(fresh));
    });

    it('goes on where it was when it was interrupted after any page', async () => {
      for (const pages of [0, 7]) {
        const [source, target] = [await filled(openSource), await openTarget()];
        let left = pages;
        const interrupted = withEnds([source, target], (one, other) => {
          const append = other.append.bind(other);
          other.append = (...parameters) => {
            if (left === 0) return Promise.reject(new Error('the power went'));
            left -= 1;
            return append(...parameters);
          };
          return mover(one, other).execute();
        });
        await expect(interrupted).rejects.toThrow('the power went');
        expect(await move(source, target)).toMatchObject({ resumed: true });
        expect(await readAll(target)).toEqual(await readAll(source));
        // What the first run had not told of yet counts as well.
        const { copied, known } = await withEnds([source, source], async (end) => (await end.copiedRows()) ?? NONE);
        expect([known > 0, copied]).toEqual([true, known]);
      }
    });

    it('goes on from wherever its ends were when it was interrupted', async () => {
      const breaks: readonly ((one: StorageEnd, other: StorageEnd) => void)[] = [
        (one) => (one.arm = fails),
        (_, other) => (other.beginFilling = fails),
        (_, other) => (other.takeOver = fails),
        (one) => (one.snapshot = fails),
        (_, other) => (other.transact = fails),
        (_, other) => (other.analyze = fails),
        (one) => (one.forgetNotes = fails),
        (one) => (one.whileLocked = fails),
        // Between the commit of the target and that of the source.
        (one) => {
          const whileLocked = one.whileLocked.bind(one);
          one.whileLocked = (work) => whileLocked((rows) => work({ ...rows, leave: fails }));
        },
      ];
      const [source, target] = [await filledWithFew(openSource), await openTarget()];
      for (const breakOne of breaks) {
        await withEnds([source, target], async (one, other) => {
          breakOne(one, other);
          await expect(moverOfFew(one, other, { sealedSuccessor: sealed(target) }).execute()).rejects.toThrow(
            'the power went',
          );
          expect(await one.control()).toMatchObject({ role: 'primary' });
        });
        await onDatabase(source, ({ schema }) =>
          schema(USERS)
            .where({ id: 3 })
            .update({ name: `${breaks.indexOf(breakOne)}` }),
        );
      }
      await moveFew(source, target);
      expect(await readFew(target)).toEqual(await readFew(source));
    });

    it('takes over whatever is written while it runs', async () => {
      const [source, target] = [await filledWithFew(openSource), await openTarget()];
      const write: readonly ((schema: Knex) => Promise<unknown>)[] = [
        (schema) => schema('jobs').insert(jobs(1, 100)),
        (schema) => schema(USERS).where({ id: 3 }).update({ name: 'Ada\t\\N' }),
        (schema) => schema('labels').where({ id: 6 }).delete(),
        // What is unique goes from one row to another.
        async (schema) => {
          await schema(USERS).where({ id: 9 }).update({ username_key: 'between' });
          await schema(USERS).where({ id: 12 }).update({ username_key: 'nine' });
          await schema(USERS).where({ id: 9 }).update({ username_key: 'twelve' });
        },
        (schema) => schema('subject_labels').where({ label_id: 9 }).delete(),
      ];
      await withEnds([source, target], (one, other) => {
        const [snapshot, whileLocked] = [one.snapshot.bind(one), one.whileLocked.bind(one)];
        let turn = 0;
        const next = () => onDatabase(source, async ({ schema }) => void (await write[turn++]?.(schema)));
        one.snapshot = async (read) => {
          await next();
          return snapshot(read);
        };
        one.whileLocked = async (work) => {
          while (turn < write.length) await next();
          return whileLocked(work);
        };
        return moverOfFew(one, other, { sealedSuccessor: sealed(target) }).execute();
      });
      expect(await readFew(target)).toEqual(await readFew(source));
      expect((await compareFew(source, target)).equal).toBe(true);
    });

    describe('takes over while writers wait', () => {
      const rename = (schema: Knex, id: number, key: string) =>
        schema(USERS).where({ id }).update({ username_key: key });
      const swap = async (schema: Knex): Promise<void> => {
        const users = await schema(USERS).whereIn('id', [9, 12]).orderBy('id').select('id', 'username_key');
        const [one, other] = users.map((user: { readonly username_key: string }) => user.username_key);
        await rename(schema, 9, 'between');
        await rename(schema, 12, one ?? '');
        await rename(schema, 9, other ?? '');
      };
      // What has the label is not written itself, and would go with the project unless the label left that before.
      const removeProject = async (schema: Knex): Promise<void> => {
        await schema(LABELS).where({ id: 9 }).update({ project_id: 6 });
        await schema(PROJECTS).where({ id: 9 }).delete();
      };
      const each = [
        { what: 'rows that changed, and those that went with others', write: [removeProject] },
        { what: 'rows that are in the way of each other time and again', write: [swap, swap, swap, swap] },
      ];

      it.each(each)('$what', async ({ write }) => {
        const [source, target] = [await filledWithFew(openSource), await openTarget()];
        const labelled = { subject_id: 6, label_id: 9 };
        await onDatabase(source, ({ schema }) => schema('subject_labels').insert(labelled));
        let [written, inTheWay] = [0, 0];
        await withEnds([source, target], (one, other) => {
          const whileLocked = one.whileLocked.bind(one);
          one.whileLocked = async (work) => {
            // Not again where the one before took too long, as it may on a slow machine: its rows have not gone over.
            if (written === inTheWay) await onDatabase(source, async ({ schema }) => write[written++]?.(schema));
            try {
              return await whileLocked(work);
            } catch (error) {
              if (error instanceof RowsInTheWay) inTheWay += 1;
              throw error;
            }
          };
          return moverOfFew(one, other, { sealedSuccessor: sealed(target) }).execute();
        });
        expect(inTheWay).toBe(to === 'postgres' ? write.length - 1 : 0);
        expect(await readFew(target)).toEqual(await readFew(source));
        expect((await compareFew(source, target)).equal).toBe(true);
        const still = await onDatabase(target, ({ schema }) =>
          schema('subject_labels').where(labelled).select('label_id'),
        );
        expect(still).toHaveLength(1);
      });

      it('rows of any table, in place of those that are there', async () => {
        const [source, target] = [await filled(openSource), await openTarget()];
        await withEnds([source, target], (one, other) => {
          const whileLocked = one.whileLocked.bind(one);
          one.whileLocked = async (work) => {
            await onDatabase(source, ({ schema }) => schema.batchInsert('storage_changes', notesOf(PLANTED), 50));
            return whileLocked(work);
          };
          return mover(one, other, { sealedSuccessor: sealed(target) }).execute();
        });
        expect(await readAll(target)).toEqual(await readAll(source));
      });
    });

    it('that has not ended lets nobody serve from its target, and everybody from its source', async () => {
      const [source, target] = [await openSource(), await openTarget()];
      await withEnds([source, target], async (one, other) => {
        one.whileLocked = fails;
        await expect(mover(one, other, { sealedSuccessor: sealed(target) }).execute()).rejects.toThrow(
          'the power went',
        );
      });
      const service = await TestService.start(source);
      try {
        await service.addUser('ada');
      } finally {
        await service.close();
      }
      await expect(TestService.start(target)).rejects.toThrow(/^This database is being filled from/);
      await move(source, target);
      expect(await readAll(target)).toEqual(await readAll(source));
    });

    it('is told by readiness and metrics of what serves meanwhile, and is no failure', async () => {
      const [source, target] = [await openSource(), await openTarget()];
      await withEnds([source, target], async (one, other) => {
        one.whileLocked = fails;
        await expect(mover(one, other, { sealedSuccessor: sealed(target) }).execute()).rejects.toThrow(
          'the power went',
        );
        await one.tellCopied({ copied: 660, known: 1_000 });
      });
      const service = await TestService.start(source);
      try {
        const ask = async (path: string): Promise<string> => (await fetch(`${service.url}/-/${path}`)).text();
        await until(async () => (await ask('readiness')).includes('"storage"'));
        expect(JSON.parse(await ask('readiness'))).toMatchObject({ status: 'ok', storage: 'moving 66 %' });
        const metrics = await ask('metrics');
        expect(metrics).toContain('gatehouse_storage_move_state{state="copying"} 1\n');
        expect(metrics).toContain('gatehouse_storage_move_rows_copied 660\n');
        await withEnds([source, target], (one, other) => abortMove(one, other));
        await until(async () => !(await ask('readiness')).includes('"storage"'));
        expect(await ask('metrics')).not.toMatch(/^gatehouse_storage_move_rows_copied /m);
      } finally {
        await service.close();
      }
    });

    it('lets nobody write to any table once that was left, whatever they had begun to read before', async () => {
      const source = await filled(openSource);
      await onDatabase(source, async ({ schema }) => {
        const reading = await schema.transaction(
          undefined,
          from === 'postgres' ? { isolationLevel: 'repeatable read' } : {},
        );
        try {
          expect(await reading('users').pluck('id')).not.toEqual([]);
          await withEnds([source, source], async (end) => {
            await end.prepareToLeave();
            await end.mark({ ...UNTOUCHED, state: 'copying' }, UNTOUCHED);
            await end.fence({ ...UNTOUCHED, role: 'left' });
          });
          await expect(reading.raw('update users set id = id')).rejects.toThrow(/storage moved|out of reach/);
        } finally {
          await reading.rollback();
        }
        for (const { name, columns } of STORED_TABLES) {
          const [column = ''] = columns;
          const writes = [
            `delete from ${name}`,
            `update ${name} set ${column} = ${column}`,
            `insert into ${name} select * from ${name}`,
          ];
          if (from === 'postgres') writes.push(`truncate ${name} cascade`);
          for (const write of writes) await expect(schema.raw(write)).rejects.toThrow(FENCED);
        }
      });
    });

    it('lets everybody write to a table that is only about to be left', async () => {
      const source = await filledWithFew(openSource);
      await withEnds([source, source], (end) => end.prepareToLeave());
      const { length } = await onDatabase(source, ({ schema }) =>
        schema('users').update({ name: 'Ada' }).returning('id'),
      );
      expect(length).toBeGreaterThan(0);
    });

    it('that was killed after the source was left is ended by whoever comes first', async () => {
      for (const end of [move, async (source: string) => (await TestService.start(source)).close()]) {
        const [source, target] = [await openSource(), await openTarget()];
        await withEnds([source, target], async (one, other) => {
          other.mark = fails;
          const killed = mover(one, other, { sealedSuccessor: sealed(target) }).execute();
          await expect(killed).rejects.toThrow('the power went');
        });
        await expect(TestService.start(target)).rejects.toThrow(/^This database is being filled from/);
        await end(source, target);
        await withEnds([source, target], async (one, other) => {
          expect(await one.control()).toMatchObject({ role: 'left' });
          expect(await other.control()).toMatchObject({ role: 'primary', epoch: 1 });
        });
      }
    });

    it('lets nobody write at its target before that is marked, though it was away when they went over', async () => {
      const [source, target] = [await openSource(), await openTarget()];
      const service = await TestService.start(source);
      const rename = (from: string, to: string) =>
        onDatabase(target, ({ schema }) => schema.schema.renameTable(from, to));
      try {
        const { token } = await service.addUser('ada');
        await withEnds([source, target], async (one, other) => {
          other.mark = async () => {
            await rename('storage_control', 'storage_control_away');
            return fails();
          };
          const killed = mover(one, other, { sealedSuccessor: sealed(target) }).execute();
          await expect(killed).rejects.toThrow('storage_control');
        });
        const created = service.call('POST', '/projects', { token, json: { name: 'Engine' } });
        const answers = await Promise.all([created, rename('storage_control_away', 'storage_control')]);
        expect(answers[0]).toMatchObject({ status: 201 });
        await withEnds([source, target], async (one, other) => {
          expect(await one.control()).toMatchObject({ role: 'left' });
          expect(await other.control()).toMatchObject({ role: 'primary', epoch: 1 });
        });
      } finally {
        await service.close();
      }
    });

    it('brings in turns with those who are served what they wrote meanwhile, but not what writers wait for', async () => {
      const [source, target] = [await filledWithFew(openSource), await openTarget()];
      const write = (firstId: number) =>
        onDatabase(source, ({ schema }) => schema.batchInsert('jobs', jobs(1_200, firstId), 100));
      const rests = { inRounds: 0, whileWritersWait: 0 };
      let [inRound, writersWait, ms] = [false, false, Date.now()];
      const beside = {
        spare: () => 0,
        clock: { now: () => new Date((ms += LONG_PIECE_MS)) },
        pause: async () => {
          if (writersWait) rests.whileWritersWait += 1;
          else if (inRound) rests.inRounds += 1;
        },
      };
      await withEnds([source, target], async (one, other) => {
        const [analyze, transact] = [other.analyze.bind(other), other.transact.bind(other)];
        const whileLocked = one.whileLocked.bind(one);
        other.analyze = async () => {
          await analyze();
          await write(1_000);
          await standBy(source);
        };
        other.transact = async (run, work) => {
          inRound = true;
          return transact(run, work).finally(() => (inRound = false));
        };
        one.whileLocked = async (work) => {
          await write(3_000);
          writersWait = true;
          return whileLocked(work).finally(() => (writersWait = false));
        };
        await moverOfFew(one, other, { sealedSuccessor: sealed(target), ...beside }).execute();
      });
      expect(rests.inRounds).toBeGreaterThan(10);
      expect(rests.whileWritersWait).toBe(0);
      expect((await compareFew(source, target)).equal).toBe(true);
    });

    it('rests for a minute at most, and less and less, while a server that serves others holds a moment for it', async () => {
      const [source, target] = [await filled(openSource), await openTarget()];
      let [step, ms, rests] = [1, Date.now(), 0];
      const beside = {
        spare: () => 0,
        clock: { now: () => new Date((ms += step)) },
        pause: async () => void (rests += step > 1 ? 1 : 0),
        report: (told: MoveStep) => (step = told.step === 'made indexes' ? 2_000 : 1),
      };
      await withEnds([source, target], async (one, other) => {
        const analyze = other.analyze.bind(other);
        other.analyze = async () => {
          await analyze();
          await standBy(source);
        };
        await mover(one, other, { sealedSuccessor: sealed(target), ...beside }).execute();
      });
      if (from === 'postgres') expect(rests).toBeLessThan(20);
      else expect(rests).toBeGreaterThan(50);
      expect(rests).toBeGreaterThan(0);
    });

    it('that was killed after the source was left still knows that both were equal before', async () => {
      const [source, target] = [await filledWithFew(openSource), await openTarget()];
      await withEnds([source, target], async (one, other) => {
        other.mark = fails;
        const killed = moverOfFew(one, other, { sealedSuccessor: sealed(target) }).execute();
        await expect(killed).rejects.toThrow('the power went');
      });
      const { beforeCut, verification } = await moveFew(source, target);
      expect(beforeCut).toMatch(/^[0-9a-f]{64}$/);
      expect(verification).toMatchObject({ equal: true });
    });

    it('ends an earlier run of the command that is still there', async () => {
      const [source, target] = [await filledWithFew(openSource), await openTarget()];
      await withEnds([source, target], async (one, other) => {
        const transact = other.transact.bind(other);
        other.transact = async (run, work) => {
          other.transact = transact;
          await other.takeOver('a later run');
          return transact(run, work);
        };
        await expect(moverOfFew(one, other).execute()).rejects.toThrow('Another process moves this database');
      });
      await moveFew(source, target);
      expect(await readFew(target)).toEqual(await readFew(source));
    });

    it('that holds follows what changes until it is told to cut over', async () => {
      const [source, target] = [await filledWithFew(openSource), await openTarget()];
      await withEnds([source, target], async (one, other) => {
        let told = Promise.resolve();
        const report = ({ step }: MoveStep): void => {
          if (step !== 'holding') return;
          told = (async () => {
            await onDatabase(source, ({ schema }) => schema(USERS).where({ id: 3 }).update({ name: 'Held' }));
            await withEnds([source, source], (here) => cutStorage(here));
          })();
        };
        await moverOfFew(one, other, { sealedSuccessor: sealed(target), hold: true, report }).execute();
        await told;
      });
      const [row] = await onDatabase(target, ({ schema }) => schema(USERS).where({ id: 3 }).select('name'));
      expect(row).toEqual({ name: 'Held' });
    });

    it('makes its last mark at no target that was emptied meanwhile', async () => {
      const [source, target] = [await filledWithFew(openSource), await openTarget()];
      await withEnds([source, target], async (one, other) => {
        const whileLocked = one.whileLocked.bind(one);
        one.whileLocked = async (work) => {
          const result = await whileLocked(work);
          await other.empty();
          return result;
        };
        await expect(moverOfFew(one, other).execute()).rejects.toThrow('is not what ');
        expect(await other.control()).toMatchObject({ role: 'primary', epoch: 0, move: undefined });
      });
    });

    it('is given up by abort: the source takes writes again, and the target can be moved to again', async () => {
      const [source, target] = [await filledWithFew(openSource), await openTarget()];
      const before = await readFew(source);
      await withEnds([source, target], async (one, other) => {
        one.whileLocked = fails;
        await expect(moverOfFew(one, other).execute()).rejects.toThrow('the power went');
        await abortMove(one, other);
        expect(await one.control()).toMatchObject({ role: 'primary', state: 'given up' });
      });
      expect(await readFew(source)).toEqual(before);
      await onDatabase(source, ({ schema }) => schema('jobs').delete());
      await moveFew(source, target);
      expect(await readFew(target)).toEqual(await readFew(source));
    });

    it.each(['copied', 'made indexes', 'verified', 'holding'] as const)(
      'that is at work (%s) ends with a sentence when it is given up, and both databases are as they were before',
      async (when) => {
        const [source, target] = [await filledWithFew(openSource), await openTarget()];
        const before = await readFew(source);
        let aborted: Promise<void> | undefined;
        const report = ({ step }: MoveStep): void => {
          if (step === when) aborted ??= withEnds([source, target], (one, other) => abortMove(one, other));
        };
        const moved = moveFew(source, target, { hold: true, report });
        await expect(moved).rejects.toThrow('The move was given up meanwhile.');
        await aborted;
        await withEnds([source, target], async (one, other) => {
          expect(await one.control()).toMatchObject({ role: 'primary', state: 'given up', sealedSuccessor: undefined });
          expect(await other.control()).toMatchObject({ role: 'primary', epoch: 0, move: undefined });
        });
        expect(await readFew(source)).toEqual(before);
        await onDatabase(source, async ({ schema }) => {
          await schema('jobs').delete();
          expect(await schema('storage_changes').select('id')).toEqual([]);
        });
        await moveFew(source, target);
        expect(await readFew(target)).toEqual(await readFew(source));
      },
    );

    it('is given up to the end by whoever runs abort once more, where that was killed half-way', async () => {
      const [source, target] = [await filledWithFew(openSource), await openTarget()];
      await withEnds([source, target], async (one, other) => {
        one.whileLocked = fails;
        await expect(moverOfFew(one, other, { sealedSuccessor: sealed(target) }).execute()).rejects.toThrow(
          'the power went',
        );
      });
      await withEnds([source, target], async (one, other) => {
        one.release = fails;
        await expect(abortMove(one, other)).rejects.toThrow('the power went');
        // Whoever comes next still knows how the target is reached.
        expect(await one.control()).toMatchObject({ state: undefined, sealedSuccessor: expect.any(String) });
      });
      await withEnds([source, target], async (one, other) => {
        await abortMove(one, other);
        await expect(abortMove(one, other)).rejects.toThrow('is not being moved');
      });
      await onDatabase(source, async ({ schema }) => {
        await schema('jobs').delete();
        expect(await schema('storage_changes').select('id')).toEqual([]);
      });
      expect((await readFew(target)).get(USERS)).toEqual([]);
    });

    it('has its databases to itself, and a second one is told so', async () => {
      const [source, target] = [await openSource(), await openTarget()];
      for (const place of [source, target])
        await withEnds([place, place], async (one, other) => {
          await one.hold();
          await one.hold();
          // Whoever can read the file of the lock can lock it.
          if (place.startsWith('sqlite:'))
            expect(statSync(`${place.slice('sqlite:'.length)}.move-lock`).mode & 0o777).toBe(0o600);
          await expect(other.hold(0)).rejects.toThrow('Another process moves this database');
          await one.close();
          await other.hold(0);
          one.close = () => Promise.resolve();
        });
    });

    it('is taken back by reopen, unless the successor has changed', async () => {
      const [source, target] = [await filledWithFew(openSource), await openTarget()];
      await moveFew(source, target);
      await onDatabase(target, ({ schema }) => schema('jobs').delete());
      const wayBack = { tables: STORED_TABLES, startDigest: startSha256, sealedSource: sealed(source) };
      await withEnds([source, target], async (one, other) => {
        const reopened = reopenStorage(one, other, { ...wayBack, discardChanges: false });
        await expect(reopened).rejects.toThrow(`has changed (${ROWS} rows)`);
        expect(await other.control()).toMatchObject({ role: 'primary' });
        await reopenStorage(one, other, { ...wayBack, discardChanges: true });
        expect(await one.control()).toMatchObject({ role: 'primary', epoch: 2 });
        expect(await other.control()).toMatchObject({ role: 'left' });
      });
      await onDatabase(source, ({ schema }) => schema('jobs').delete());
      await expect(onDatabase(target, ({ schema }) => schema('refs').delete())).rejects.toThrow('storage moved');
    });

    it('goes back to a database that was left once that was forgotten', async () => {
      const [source, target] = [await filledWithFew(openSource), await openTarget()];
      await moveFew(source, target);
      await expect(moveFew(target, source)).rejects.toThrow('a move fills one that is empty');
      await withEnds([source, target], (one, other) => forgetStorage(one, other));
      await moveFew(target, source);
      expect(await readFew(source)).toEqual(await readFew(target));
    });

    it('leaves no new installation where a database was forgotten: whoever starts with that one follows as before', async () => {
      const [source, target] = [await openSource(), await openTarget()];
      const service = await TestService.start(source);
      await service.addUser('ada');
      await service.close();
      await move(source, target);
      const wayBack = { tables: FEW, startDigest: startSha256, sealedSource: sealed(source), discardChanges: true };
      const isEmptied = async (): Promise<void> => {
        const follower = await TestService.start(source);
        await follower.close();
        expect(follower.logger.lines).toContainEqual(
          expect.objectContaining({ message: 'the storage was moved: DATABASE_URL names a database that was left' }),
        );
        await expect(TestService.start(source, {}, Buffer.alloc(32, 8))).rejects.toThrow(
          'is sealed with another key than SECRET_KEY: set SECRET_KEY_PREVIOUS',
        );
        expect((await readFew(source)).get(USERS)).toEqual([]);
        await withEnds([source, target], async (one, other) => {
          await expect(forgetStorage(one, other)).rejects.toThrow('was emptied already');
          await expect(reopenStorage(one, other, wayBack)).rejects.toThrow('was emptied');
          await expect(moverOfFew(one, other).execute()).rejects.toThrow('there is nothing to move');
        });
      };
      await withEnds([source, target], (one, other) => forgetStorage(one, other));
      await isEmptied();
      await withEnds([target, source], async (one, other) => {
        other.append = fails;
        await expect(mover(one, other).execute()).rejects.toThrow('the power went');
        await abortMove(one, other);
      });
      await isEmptied();
      await move(target, source);
      expect(await readAll(source)).toEqual(await readAll(target));
      await (await TestService.start(source)).close();
    });

    it('refuses to go elsewhere before it has ended or was given up', async () => {
      const [source, target, other] = [await filledWithFew(openSource), await openTarget(), await openTarget()];
      await withEnds([source, target], async (one, next) => {
        next.append = fails;
        await expect(moverOfFew(one, next).execute()).rejects.toThrow('the power went');
      });
      await expect(moveFew(source, other)).rejects.toThrow('finish that, or run "gatehouse storage abort"');
      await withEnds([source, target], (one, next) => abortMove(one, next));
      await moveFew(source, other);
      await expect(moveFew(source, target)).rejects.toThrow('there is nothing to move');
    });

    it('refuses a target that is in use', async () => {
      const [source, target] = [await filled(openSource), await filled(openTarget)];
      const before = await readAll(target);
      await expect(move(source, target)).rejects.toThrow('a move fills one that is empty');
      expect(await readAll(target)).toEqual(before);
      await onDatabase(source, ({ schema }) => schema('jobs').delete());
    });
  });

for (const database of selectedDatabases())
  describeDatabase(database, 'two stores', (openTestDatabase) => {
    it('that differ in one value are told apart by table, key and column, whatever its type', async () => {
      const [one, other] = [await filled(openTestDatabase), await filled(openTestDatabase)];
      expect((await compare(one, other)).equal).toBe(true);
      const changed = {
        integer: ['protected_branches', 'push_level', 3],
        big_integer: ['repositories', 'size_bytes', 5],
        boolean: ['users', 'admin', database === 'sqlite' ? 2 : null],
        text: ['users', 'name', 'Ada'],
        key: ['users', 'search_key', 'ada'],
        code: ['jobs', 'kind', 'other'],
        json: ['jobs', 'payload', '{}'],
        date: ['personal_access_tokens', 'expires_at', '2026-01-01'],
        instant: ['jobs', 'run_at', '2026-01-01T00:00:00.000Z'],
        digest: ['sessions', 'digest', 'x'],
        sealed: ['alert_integrations', 'sealed_key', 'x'],
      } as const;
      const expected: string[] = [];
      for (const [type, [table, column, value]] of Object.entries(changed)) {
        expect((TABLES as Readonly<Record<string, Table>>)[table]?.columns[column]?.type).toBe(type);
        await onDatabase(other, ({ schema }) =>
          schema(table)
            .where({ id: 6 })
            .update({ [column]: type === 'boolean' ? schema.raw('not ??', [column]) : value }),
        );
        expected.push(`${table} 6: differs in ${column}`);
      }
      const { tables, equal } = await compare(one, other);
      expect(equal).toBe(false);
      const told = tables.flatMap(({ differences }) => differences.map(describeDifference));
      for (const line of expected)
        expect(told.some((each) => each.startsWith(line.slice(0, line.indexOf(' differs'))))).toBe(true);
      for (const [, [, column]] of Object.entries(changed)) expect(told.join('\n')).toContain(column);
      expect(told).toHaveLength(new Set(expected.map((line) => line.split(':')[0])).size);
    });

    it('of which one lacks rows at its beginning, in its middle or at its end differ by those', async () => {
      const [one, other] = [await filled(openTestDatabase), await filled(openTestDatabase)];
      await onDatabase(one, ({ schema }) => schema('jobs').whereIn('id', [3, 9]).delete());
      await onDatabase(other, ({ schema }) => schema('jobs').whereIn('id', [12]).delete());
      const { tables } = await compare(one, other);
      const told = tables.flatMap(({ differences }) => differences.map(describeDifference));
      expect(told).toEqual(['jobs 3: missing here', 'jobs 9: missing here', 'jobs 12: missing there']);
    });
  });

describe('values that not every database can keep', () => {
  describeDatabase('sqlite', 'a look', (openTestDatabase) => {
    it('finds each of them by table, key and column, and a move refuses them before it writes anything', async () => {
      const [source, target] = [await filled(openTestDatabase), await openTestDatabase()];
      await onDatabase(source, async ({ schema }) => {
        await schema.raw("update users set name = cast(x'610062' as text), admin = 'yes' where id = 3");
        await schema.raw("update users set name = cast(x'61eda080' as text), created_at = 'yesterday' where id = 6");
        await schema.raw("update projects set description = x'fffe' where id = 3");
        await schema.raw('update protected_tags set create_level = 5000000000 where id = 9');
      });
      await withEnds([source, target], async (one) => {
        const { faults } = await one.byPages((rows) => lookAtStore(STORED_TABLES, rows));
        expect(faults.map(({ table, key, column }) => `${table} ${key.join()} ${column}`).sort()).toEqual([
          'projects 3 description',
          'protected_tags 9 create_level',
          'users 3 admin',
          'users 3 name',
          'users 6 created_at',
          'users 6 name',
        ]);
      });
      await expect(move(source, target)).rejects.toThrow('users 3 name: holds U+0000 at character 2');
      await onDatabase(source, ({ schema }) => schema('jobs').delete());
    });

    it('are references to rows that are not there, too', async () => {
      const [source, target] = [await filled(openTestDatabase), await openTestDatabase()];
      await onDatabase(source, async ({ schema }) => {
        await schema.raw('pragma foreign_keys = off');
        await schema.raw('update labels set project_id = 77 where id = 6');
        await schema.raw('update subject_labels set label_id = 78 where label_id = 9');
      });
      const refused = move(source, target);
      await expect(refused).rejects.toThrow('labels 6 project_id: refers to a row of projects that is not there.');
      await expect(refused).rejects.toThrow(
        /^subject_labels .* label_id: refers to a row of labels that is not there\.$/m,
      );
      await withEnds([source, target], async (one, other) => {
        expect(await one.control()).toMatchObject({ role: 'primary', move: undefined });
        expect(await other.control()).toMatchObject({ role: 'primary', move: undefined });
      });
    });

    it('are replaced in the source where that is asked for and they are text, and are named afterwards', async () => {
      const [source, target] = [await filled(openTestDatabase), await openTestDatabase()];
      const write = (statement: string) => onDatabase(source, ({ schema }) => schema.raw(statement));
      await write("update users set name = cast(x'610062' as text), admin = 'yes' where id = 3");
      await write("update projects set description = cast(x'61ff62' as text) where id = 6");
      await expect(move(source, target, { mend: true })).rejects.toThrow('users 3 admin: holds neither true nor false');
      await write("update users set name = cast(x'610062' as text), admin = 1 where id = 3");
      const { mended, verification } = await move(source, target, { mend: true });
      expect(mended?.map(({ table, key, column }) => `${table} ${key.join()} ${column}`)).toEqual(['users 3 name']);
      expect(verification?.equal).toBe(true);
      const read = (table: string, column: string, id: number) =>
        onDatabase(target, ({ schema }) => schema(table).where({ id }).first(column));
      expect(await read(USERS, 'name', 3)).toEqual({ name: 'a\uFFFDb' });
      expect(await read('projects', 'description', 6)).toEqual({ description: 'a\uFFFDb' });
    });
  });
});
