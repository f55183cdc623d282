import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CheckStatus } from '../../../src/domain/pipelines/commit-status.js';
import { nextStatuses, type WaitingJob } from '../../../src/domain/pipelines/job-processing.js';

const ALONE = { resourceGroup: null, startInSeconds: null, bridge: false };

const job = (name: string, stageIndex: number, status: CheckStatus, more: Partial<WaitingJob> = {}): WaitingJob => ({
  id: Number.parseInt(name, 36),
  name,
  stageIndex,
  status,
  allowFailure: false,
  when: 'on_success',
  needs: null,
  ...ALONE,
  ...more,
});

const next = (...jobs: readonly WaitingJob[]): Readonly<Record<string, string>> => {
  const found = nextStatuses(jobs);
  return Object.fromEntries(jobs.flatMap(({ id, name }) => (found.has(id) ? [[name, found.get(id)!]] : [])));
};

describe('what begins next in a pipeline', () => {
  it('is every job of its first stage', () => {
    expect(next(job('a', 1, 'created'), job('b', 1, 'created'), job('c', 2, 'created'))).toEqual({
      a: 'pending',
      b: 'pending',
    });
  });

  it('waits for its time where it is delayed, once those before it have succeeded', () => {
    const after = (status: CheckStatus) => next(job('a', 1, status), job('b', 2, 'created', { when: 'delayed' }));
    expect([after('running'), after('success'), after('failed')]).toEqual([{}, { b: 'scheduled' }, { b: 'skipped' }]);
    expect(next(job('a', 1, 'scheduled'), job('b', 2, 'created'))).toEqual({});
  });

  it('is the next stage once all jobs of those before have succeeded', () => {
    expect(next(job('a', 1, 'success'), job('b', 1, 'running'), job('c', 2, 'created'))).toEqual({});
    expect(next(job('a', 1, 'success'), job('b', 1, 'success'), job('c', 2, 'created'))).toEqual({ c: 'pending' });
  });

  it('is nothing after a failure but what waits for one, or is done always', () => {
    const after = [
      job('b', 2, 'created'),
      job('c', 2, 'created', { when: 'on_failure' }),
      job('d', 2, 'created', { when: 'always' }),
      job('e', 3, 'created'),
    ];
    expect(next(job('a', 1, 'failed'), ...after)).toEqual({ b: 'skipped', c: 'pending', d: 'pending' });
  });

  it('goes on after a job that may fail', () => {
    expect(next(job('a', 1, 'failed', { allowFailure: true }), job('b', 2, 'created'))).toEqual({ b: 'pending' });
  });

  it('waits for somebody where a job is begun by hand, and holds up what follows unless it may be left out', () => {
    const manual = job('a', 1, 'created', { when: 'manual' });
    expect(next(manual, job('b', 2, 'created'))).toEqual({ a: 'manual' });
    expect(next({ ...manual, allowFailure: true }, job('b', 2, 'created'))).toEqual({ a: 'manual', b: 'pending' });
  });

  it('is nothing after a stage that was canceled', () => {
    expect(next(job('a', 1, 'canceled'), job('b', 2, 'created', { when: 'always' }))).toEqual({ b: 'skipped' });
  });

  it('is what needs other jobs once they have succeeded, whatever the rest of their stage does', () => {
    const needing = job('c', 2, 'created', { needs: ['a'] });
    expect(next(job('a', 1, 'success'), job('b', 1, 'running'), needing)).toEqual({ c: 'pending' });
    expect(next(job('a', 1, 'running'), job('b', 1, 'success'), needing)).toEqual({});
    expect(next(job('a', 1, 'running'), job('c', 2, 'created', { needs: [] }))).toEqual({ c: 'pending' });
  });

  it('leaves out what needs a job that was left out, and all that needs that', () => {
    const jobs = [
      job('a', 1, 'failed'),
      job('b', 2, 'created', { needs: ['a'] }),
      job('c', 2, 'created', { needs: ['b'] }),
    ];
    expect(next(...jobs)).toEqual({ b: 'skipped', c: 'skipped' });
  });
});

describe('jobs that end one after the other', () => {
  const status = fc.constantFrom<CheckStatus>('success', 'failed', 'canceled');
  const jobs = fc
    .array(
      fc.record({
        stageIndex: fc.integer({ min: 1, max: 4 }),
        allowFailure: fc.boolean(),
        when: fc.constantFrom<WaitingJob['when']>('on_success', 'on_failure', 'always', 'manual'),
        needs: fc.option(fc.array(fc.nat({ max: 8 }), { maxLength: 3 })),
        end: status,
      }),
      { minLength: 1, maxLength: 9 },
    )
    .map((drawn) => {
      const sorted = [...drawn].sort((one, other) => one.stageIndex - other.stageIndex);
      return sorted.map(({ needs, end, ...rest }, index) => ({
        end,
        waiting: {
          ...{ id: index, name: `j${index}`, status: 'created' as CheckStatus, ...rest, ...ALONE },
          // Earlier ones alone: circles are refused with the file.
          needs: needs && needs.filter((each) => each < index).map((each) => `j${each}`),
        },
      }));
    });

  it('leave none waiting for others for ever, and none begins before what it needs has ended', () => {
    fc.assert(
      fc.property(jobs, (all) => {
        const now = new Map(all.map(({ waiting }) => [waiting.id, waiting.status]));
        for (let round = 0; round <= all.length; round += 1) {
          const standing = all.map(({ waiting }) => ({ ...waiting, status: now.get(waiting.id)! }));
          const next = nextStatuses(standing);
          const after = (name: string) => {
            const { waiting } = all.find(({ waiting: other }) => other.name === name)!;
            return next.get(waiting.id) ?? now.get(waiting.id)!;
          };
          for (const [id, to] of next) {
            const needed = all[id]!.waiting.needs ?? [];
            if (to === 'pending')
              for (const name of needed) expect(['pending', 'running', 'created']).not.toContain(after(name));
          }
          for (const [id, to] of next) now.set(id, to);
          // Whoever waits for a runner, or for somebody, ends.
          for (const { waiting, end } of all)
            if (['pending', 'manual'].includes(now.get(waiting.id)!)) now.set(waiting.id, end);
        }
        expect([...now.values()]).not.toContain('created');
      }),
    );
  });
});
