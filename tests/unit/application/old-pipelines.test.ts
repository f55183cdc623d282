import { describe, expect, it } from '@jest/globals';
import { OldPipelines } from '../../../src/application/pipelines/old-pipelines.js';

const NOW = new Date('2026-06-01T00:00:00Z');
const LONG_AGO = new Date('2026-01-01T00:00:00Z');

/** Pipelines by their ids; of `needed` ones and `broken` ones none is removed. */
const pipelinesOf = (ids: readonly number[], { needed = 0, broken = new Set<number>(), logs = 0 } = {}) => {
  const there = new Set(ids);
  const left = new Map(ids.map((id) => [id, logs]));
  const looks: number[] = [];
  const pipelines = {
    hold: () => Promise.resolve(),
    find: (id: number) => Promise.resolve({ id, projectId: 1, status: 'success', updatedAt: LONG_AGO }),
    remove: ([id = 0]: readonly number[]) =>
      broken.has(id) ? Promise.reject(new Error(`no pipeline ${id}`)) : Promise.resolve(void there.delete(id)),
  };
  const ciJobs = {
    standingsOf: () => Promise.resolve([]),
    change: () => Promise.resolve(),
    removeLogsOf: ([id = 0]: readonly number[], limit: number) => {
      const removed = Math.min(limit, left.get(id) ?? 0);
      left.set(id, (left.get(id) ?? 0) - removed);
      return Promise.resolve(Array(removed).fill(id));
    },
  };
  const events = { publish: () => Promise.resolve() };
  const old = new OldPipelines({
    unitOfWork: {
      execute: (work: (repositories: never) => unknown) => work({ pipelines, ciJobs, events } as never),
    } as never,
    reader: {
      endedBefore: (_instant, after, limit) => {
        looks.push(after);
        const looked = [...there].filter((id) => id > after).slice(0, limit);
        const removable = looked.filter((id) => id > needed).map((id) => ({ id, projectId: 1 }) as never);
        return Promise.resolve({ removable, last: looked.length < limit ? undefined : looked.at(-1) });
      },
    },
    retentionDays: 30,
    clock: { now: () => NOW },
  });
  return { old, there, looks, left };
};
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('pipelines that are too old', () => {
  it('go but for those that can not be removed, and those are told', async () => {
    const { old, there } = pipelinesOf([1, 2, 3], { broken: new Set([1]) });
    await expect(old.removeSome()).rejects.toThrow('no pipeline 1');
    expect([...there]).toEqual([1]);
  });

  it('are looked at by some thousands a turn, and the next turn goes on behind those that stay', async () => {
    const { old, there, looks } = pipelinesOf(upTo(2_500), { needed: 2_400 });
    await old.removeSome();
    expect([there.size, looks.at(-1)]).toEqual([2_500, 1_800]);
    await old.removeSome();
    expect([there.size, looks.at(-1)]).toEqual([2_400, 2_400]);
    // The end was reached: what became dispensable meanwhile is found from the beginning.
    await old.removeSome();
    expect(looks.at(-10)).toBe(0);
  });

  it('lose their logs a few at a time before they go', async () => {
    const { old, there, left } = pipelinesOf([1, 2], { logs: 25 });
    await old.removeSome();
    expect([there.size, ...left.values()]).toEqual([0, 0, 0]);
  });

  it('are left to whoever comes next when the service stops', async () => {
    const { old, there } = pipelinesOf(upTo(3));
    await old.removeSome(AbortSignal.abort());
    expect(there.size).toBe(3);
  });
});
