import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { JobRunner, type HandlersByKind } from '../../src/application/shared/jobs/job-runner.js';
import type { ProjectId } from '../../src/domain/shared/identifiers.js';
import type { Repositories } from '../../src/infrastructure/composition/storages.js';
import { after, ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const uncounted = { count: () => {} };

describeEachDatabase('the runner of jobs', (openTestDatabase) => {
  let parts: ContractParts;
  let done: number[][];

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
  });

  afterAll(() => parts.close());

  beforeEach(async () => {
    done = [];
    await parts.database.transact(({ query }) => query('jobs').delete());
  });

  const runner = (handlers: HandlersByKind<Repositories>, now: Date | (() => Date) = NOW) =>
    new JobRunner<Repositories>(
      { execute: (work, manner) => parts.work(work, manner) },
      [handlers],
      { now: typeof now === 'function' ? now : () => now },
      uncounted,
      silent,
    );
  const enqueue = (subjects: readonly number[]) =>
    parts.work(({ jobs }) =>
      jobs.enqueueAll(
        'tell_people',
        subjects.map((subject) => ({ subject, at: NOW })),
      ),
    );
  /** Notes what it is given, three at once, and fails where the subject is 13. */
  const threeAtOnce = {
    atOnce: 3,
    steps: async (_: Repositories, subjects: readonly number[]) => {
      if (subjects.includes(13)) throw new Error('Unlucky.');
      done.push([...subjects]);
      return subjects.map(() => 'done' as const);
    },
  };
  const waiting = () => parts.database.reader.query('jobs').orderBy('id').select('kind', 'payload', 'attempts');

  it('does those of a kind that takes several together, as they came, and others by themselves', async () => {
    const removed: number[] = [];
    await enqueue([1, 2]);
    await parts.work(({ jobs }) => jobs.enqueue('remove_project', 99 as ProjectId, NOW));
    await enqueue([3, 4, 5]);
    await parts.work(({ jobs }) => jobs.enqueue('tell_people', 6, after(1)));
    const remove = async (_: Repositories, id: number) => {
      removed.push(id);
      return 'done' as const;
    };
    expect(await runner({ tell_people: threeAtOnce, remove_project: remove }).runDue()).toBe(6);
    expect(done).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
    expect(removed).toEqual([99]);
    expect((await waiting()).map(({ payload }) => JSON.parse(payload) as unknown)).toEqual([{ subjectId: 6 }]);
  });

  it('does those that failed together one by one, and only the one to blame waits', async () => {
    await enqueue([1, 13, 2, 3, 4, 5]);
    expect(await runner({ tell_people: threeAtOnce }).runDue()).toBe(5);
    expect(done).toEqual([[1], [2], [3, 4, 5]]);
    expect(await waiting()).toEqual([{ kind: 'tell_people', payload: '{"subjectId":13}', attempts: 1 }]);
    expect(await runner({ tell_people: threeAtOnce }).runDue()).toBe(0);
    expect(await runner({ tell_people: threeAtOnce }, after(5)).runDue()).toBe(0);
    expect((await waiting()).map(({ attempts }) => attempts)).toEqual([2]);
  });

  it('leaves those of a set that have more to do, and comes back to them', async () => {
    await enqueue([1, 2, 3]);
    const steps = async (_: Repositories, subjects: readonly number[]) => {
      done.push([...subjects]);
      return subjects.map((subject) => (subject === 2 && done.length === 1 ? 'more' : 'done'));
    };
    expect(await runner({ tell_people: { atOnce: 3, steps } }).runDue()).toBe(4);
    expect(done).toEqual([[1, 2, 3], [2]]);
    expect(await waiting()).toEqual([]);
  });

  it('does others between the steps of a long one, also those that came later', async () => {
    let ticks = 0;
    const now = () => new Date(NOW.getTime() + (ticks += 1));
    const seen: string[] = [];
    const remove = async ({ jobs }: Repositories) => {
      seen.push('step');
      if (seen.length === 1)
        await jobs.enqueueAll(
          'tell_people',
          [7, 8].map((subject) => ({ subject, at: now() })),
        );
      return seen.length < 5 ? ('more' as const) : ('done' as const);
    };
    const tell = async (_: Repositories, subject: number) => {
      seen.push(`told ${subject}`);
      return 'done' as const;
    };
    await parts.work(({ jobs }) => jobs.enqueue('remove_project', 99 as ProjectId, NOW));
    expect(await runner({ tell_people: tell, remove_project: remove }, now).runDue()).toBe(5);
    expect(seen).toEqual(['step', 'told 7', 'told 8', 'step', 'step']);
    expect(await waiting()).toEqual([]);
  });

  it('does each once, whoever else runs them at the same time', async () => {
    const subjects = Array.from({ length: 50 }, (_, place) => place + 100);
    await enqueue(subjects);
    await Promise.all([1, 2, 3].map(() => runner({ tell_people: threeAtOnce }).runDue()));
    expect(done.flat().sort((one, other) => one - other)).toEqual(subjects);
    expect(await waiting()).toEqual([]);
  });
});
