import { describe, expect, it } from '@jest/globals';
import { JobLogs } from '../../../src/application/pipelines/job-logs.js';

/** Logs by the ids of their jobs; those of `broken` jobs can't be removed. */
const logsOf = (ids: readonly number[], broken: ReadonlySet<number> = new Set()) => {
  const there = new Set(ids);
  const ciJobs = {
    takeLog: (id: number) =>
      broken.has(id) ? Promise.reject(new Error(`no log ${id}`)) : Promise.resolve({ logBytes: 1 }),
    removeLog: (id: number) => Promise.resolve(void there.delete(id)),
    change: () => Promise.resolve(),
  };
  const logs = new JobLogs({
    unitOfWork: { execute: (work: (repositories: never) => unknown) => work({ ciJobs } as never) } as never,
    reader: { logsWrittenBefore: (_at, limit) => Promise.resolve([...there].slice(0, limit)) },
    retentionDays: 1,
    clock: { now: () => new Date(0) },
  });
  return { logs, there };
};

describe('logs of jobs that are too old', () => {
  it('go but for those that can not be removed, and those are told', async () => {
    const { logs, there } = logsOf([1, 2, 3], new Set([1]));
    await expect(logs.removeOld()).rejects.toThrow('no log 1');
    expect([...there]).toEqual([1]);
  });

  it('go some hundreds at a time, so that what else is cleaned up has its turn', async () => {
    const { logs, there } = logsOf(Array.from({ length: 500 }, (_, id) => id));
    await logs.removeOld();
    expect(there.size).toBe(200);
    await logs.removeOld();
    expect(there.size).toBe(0);
  });
});
