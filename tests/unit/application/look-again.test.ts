import { expect, it } from '@jest/globals';
import { LookAgain } from '../../../src/application/review/look-again.js';
import type { ProjectId, UserId } from '../../../src/domain/shared/identifiers.js';

/** Looks at merge requests 1 to 4, each of which takes so many seconds; answers after which of them each go began, and what was looked at. */
const looks = async (seconds: Readonly<Record<number, number>>) => {
  const [begun, looked]: [number[], number[]] = [[], []];
  let now = 0;
  const lookAgain = new LookAgain({
    reader: { toLookAt: (_project, _branch, after) => Promise.resolve([1, 2, 3, 4].filter((id) => id > after)) },
    followTarget: { execute: () => Promise.resolve(new Set([2])) },
    refresh: {
      execute: (id) => {
        looked.push(id);
        now += (seconds[id] ?? 0) * 1_000;
        return Promise.resolve();
      },
    },
    clock: { now: () => new Date(now) },
  });
  let after: number | undefined = 0;
  while (after !== undefined) {
    begun.push(after);
    after = await lookAgain.execute({ projectId: 1 as ProjectId, branch: 'main', by: 1 as UserId, after });
  }
  return { begun, looked };
};

it('looks at all merge requests around a branch in one go where that is soon done', async () => {
  expect(await looks({ 1: 1, 3: 2 })).toEqual({ begun: [0], looked: [1, 3, 4] });
});

it('lets others in after one that took long, and then goes on', async () => {
  expect(await looks({ 1: 15, 3: 15 })).toEqual({ begun: [0, 1, 3], looked: [1, 3, 4] });
});
