import { describe, expect, it } from '@jest/globals';
import { RemoteCiFiles } from '../../../src/application/pipelines/remote-ci-files.js';
import type { ProjectId, UserId } from '../../../src/domain/shared/identifiers.js';
import { AdjustableClock } from '../../support/adjustable-clock.js';

const [SLOW, OTHER] = [1 as ProjectId, 2 as ProjectId];
const TOO_SLOW = 'could not be fetched: all remote files together took longer than 10 s.';
const TOO_SLOW_BEFORE =
  'is not fetched: those that this project includes took too long just now. Try again in a minute.';

/** Files that take their time, and how long each may take. */
const slowFiles = (takesMs: number) => {
  const clock = new AdjustableClock();
  const asked: [string, number][] = [];
  const files = new RemoteCiFiles((address, { timeoutMs }) => {
    asked.push([address, timeoutMs]);
    clock.advance(Math.min(takesMs, timeoutMs));
    return Promise.resolve({ text: address });
  }, clock);
  return { files, asked, clock };
};

describe('remote CI files', () => {
  it('are asked for once for a pipeline, and again for the next', async () => {
    const { files, asked } = slowFiles(0);
    const fetch = files.forPipeline(SLOW);
    for (const address of ['a', 'b', 'a']) expect(await fetch(address)).toEqual({ text: address });
    expect(asked.map(([address]) => address)).toEqual(['a', 'b']);
    await files.forPipeline(SLOW)('a');
    expect(asked).toHaveLength(3);
  });

  it('take ten seconds together at most, and five each', async () => {
    const { files, asked } = slowFiles(4_000);
    const fetch = files.forPipeline(SLOW);
    for (const address of ['a', 'b', 'c']) await fetch(address);
    expect(asked).toEqual([
      ['a', 5_000],
      ['b', 5_000],
      ['c', 2_000],
    ]);
    expect(await fetch('d')).toEqual({ problem: TOO_SLOW });
  });

  it('are left alone for a while where those of the project were slow, and the other projects are not concerned', async () => {
    const { files, clock } = slowFiles(5_000);
    for (let pipeline = 0; pipeline < 4; pipeline += 1)
      expect(await files.forPipeline(SLOW)('a')).toEqual({ text: 'a' });
    expect(await files.forPipeline(SLOW)('a')).toEqual({ problem: TOO_SLOW_BEFORE });
    expect(await files.forPipeline(OTHER)('a')).toEqual({ text: 'a' });
    clock.advance(60_000);
    expect(await files.forPipeline(SLOW)('a')).toEqual({ text: 'a' });
  });

  it('that somebody has fetched to be told of them count for that person alone, in whatever project', async () => {
    const { files } = slowFiles(5_000);
    const [eve, ada] = [1 as UserId, 2 as UserId];
    for (let lint = 0; lint < 4; lint += 1) expect(await files.forPerson(eve)('a')).toEqual({ text: 'a' });
    expect(await files.forPerson(eve)('a')).toEqual({
      problem: 'is not fetched: those that you had fetched took too long just now. Try again in a minute.',
    });
    for (const fetch of [files.forPerson(ada), files.forPipeline(SLOW)])
      expect(await fetch('a')).toEqual({ text: 'a' });
  });

  it('are ten at once of one project or person, each of which may hold as much as a file has', async () => {
    const waiting: (() => void)[] = [];
    const files = new RemoteCiFiles(
      (address) => new Promise((resolve) => waiting.push(() => resolve({ text: address }))),
      new AdjustableClock(),
    );
    const asked = Array.from({ length: 10 }, () => files.forPerson(1 as UserId)('a'));
    expect(await files.forPerson(1 as UserId)('a')).toEqual({
      problem: 'is not fetched: too many are on their way already. Try again in a moment.',
    });
    const others = [files.forPerson(2 as UserId)('a'), files.forPipeline(OTHER)('a')];
    for (const answer of waiting) answer();
    expect(new Set((await Promise.all([...asked, ...others])).map((each) => 'text' in each))).toEqual(new Set([true]));
    const again = files.forPerson(1 as UserId)('a');
    waiting.at(-1)?.();
    expect(await again).toEqual({ text: 'a' });
  });
});
