import { expect, it } from '@jest/globals';
import { ReplayCommits } from '../../../src/application/repositories/operations/replay-commits.js';

type Parts = ConstructorParameters<typeof ReplayCommits>[0];

const ADA = { name: 'Ada', email: 'ada@example.com', at: new Date(0), offset: 0 };
const idOf = (number: number): string => number.toString(16).padStart(40, '0');

it('commits are done once more for a minute at most, however few there are', async () => {
  let now = 0;
  const done: string[] = [];
  const commit = (_: string, id: string) =>
    Promise.resolve({ id, tree: id, parents: [idOf(1)], message: 'x', author: ADA, committer: ADA });
  const replay = new ReplayCommits({
    history: { walk: () => Promise.resolve([5, 4, 3, 2].map(idOf)) },
    objects: { commit },
    merger: {
      replay: (_store: string, _tree: string, { id }: { readonly id: string }) => {
        now += 31_000;
        done.push(id);
        return Promise.resolve({ outcome: 'merged', tree: id });
      },
    },
    clock: { now: () => new Date(now) },
  } as unknown as Parts);
  const draft = { add: () => Promise.resolve(idOf(9)) } as unknown as Parameters<ReplayCommits['execute']>[1];
  expect(await replay.execute('a', draft, { from: idOf(5), onto: idOf(1) }, ADA)).toEqual({ outcome: 'too_many' });
  expect(done).toEqual([2, 3].map(idOf));
});
