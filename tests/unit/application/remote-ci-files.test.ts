import { describe, expect, it } from '@jest/globals';
import { RemoteCiFiles } from '../../../src/application/pipelines/remote-ci-files.js';
import type { ProjectId } from '../../../src/domain/shared/identifiers.js';
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
    const fetch = files.for(SLOW);
    for (const address of ['a', 'b', 'a']) expect(await fetch(address)).toEqual({ text: address });
    expect(asked.map(([address]) => address)).toEqual(['a', 'b']);
    await files.for(SLOW)('a');
    expect(asked).toHaveLength(3);
  });

  it('take ten seconds together at most, and five each', async () => {
    const { files, asked } = slowFiles(4_000);
    const fetch = files.for(SLOW);
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
    for (let pipeline = 0; pipeline < 4; pipeline += 1) expect(await files.for(SLOW)('a')).toEqual({ text: 'a' });
    expect(await files.for(SLOW)('a')).toEqual({ problem: TOO_SLOW_BEFORE });
    expect(await files.for(OTHER)('a')).toEqual({ text: 'a' });
    clock.advance(60_000);
    expect(await files.for(SLOW)('a')).toEqual({ text: 'a' });
  });
});
