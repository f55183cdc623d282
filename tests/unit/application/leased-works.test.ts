import { describe, expect, it } from '@jest/globals';
import { LeasedWorks, type Works } from '../../../src/application/shared/leased-works.js';
import type { Pause } from '../../../src/application/shared/while-held.js';
import { AdjustableClock } from '../../support/adjustable-clock.js';

type OneWork = Works<string, string>;

/** Works that wait, by their names; the first letter says whose one is. Pauses end at once, but for those of works that are done. */
const begin = (waiting: string[], parts: Partial<OneWork> = {}) => {
  const noted: [found: string, failure: Error | undefined][] = [];
  const pause: Pause = (_ms, signal) =>
    new Promise((resolve) => {
      const soon = setTimeout(resolve, 5);
      signal.addEventListener('abort', () => (clearTimeout(soon), resolve()), { once: true });
    });
  const works = new LeasedWorks<string, string>(
    { secrets: { token: () => 'token' }, clock: new AdjustableClock(), pause },
    {
      atOnce: 2,
      atOnceOfOne: 1,
      whose: (found) => found[0]!,
      lease: (_lease, exceptOf) => {
        const index = waiting.findIndex((one) => !exceptOf.includes(one[0]!));
        return Promise.resolve(index === -1 ? undefined : waiting.splice(index, 1)[0]);
      },
      renew: () => Promise.resolve(true),
      attempt: () => Promise.resolve(),
      note: (found, _holder, failure) => {
        noted.push([found, failure]);
        return Promise.resolve();
      },
      ...parts,
    },
  );
  return { works, noted };
};

/** Fails once its signal says so. */
const untilEnded: OneWork['attempt'] = (_found, _holder, signal) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('ended')), { once: true }));

describe('works that are leased', () => {
  it('are all done, and noted with what they failed with', async () => {
    const failure = new Error('no');
    const attempt: OneWork['attempt'] = (found) => (found === 'b1' ? Promise.reject(failure) : Promise.resolve());
    const { works, noted } = begin(['a1', 'b1', 'c1'], { attempt });
    expect(await works.runDue()).toBe(3);
    expect(noted.sort()).toEqual([
      ['a1', undefined],
      ['b1', failure],
      ['c1', undefined],
    ]);
  });

  it('leave room for those of others', async () => {
    const begun: string[] = [];
    let most = 0;
    let running = 0;
    const attempt: OneWork['attempt'] = async (found) => {
      begun.push(found);
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setTimeout(resolve, 20));
      running -= 1;
    };
    await begin(['a1', 'a2', 'b1', 'c1'], { attempt }).works.runDue();
    expect([begun.slice(0, 2), begun.length, most]).toEqual([['a1', 'b1'], 4, 2]);
  });

  it.each<[string, OneWork['renew']]>([
    ['is lost', () => Promise.resolve(false)],
    ['can’t be renewed', () => Promise.reject(new Error('away'))],
  ])('are broken off once their lease %s', async (_what, renew) => {
    const { works, noted } = begin(['a1'], { renew, attempt: untilEnded });
    await works.runDue();
    expect(noted).toEqual([['a1', new Error('ended')]]);
  });

  it('are broken off by a stop, after which none begins', async () => {
    const waiting = ['a1', 'a2'];
    const { works, noted } = begin(waiting, { attempt: untilEnded });
    const round = works.runDue();
    await new Promise((resolve) => setTimeout(resolve, 20));
    works.stop();
    expect([await round, works.isStopping, noted.length, waiting]).toEqual([1, true, 1, ['a2']]);
  });
});
