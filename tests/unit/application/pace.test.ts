import { describe, expect, it } from '@jest/globals';
import { createPace } from '../../../src/application/storage/pace.js';
import { pausingClock } from '../../support/adjustable-clock.js';

const paced = (rate: number | undefined) => {
  const { clock, waited, pause } = pausingClock();
  return { clock, waited, pace: createPace(rate, { clock, pause }) };
};

describe('a pace', () => {
  it('waits as long as so many rows may take', async () => {
    const { pace, waited } = paced(1_000);
    await pace(2_000);
    await pace(500);
    expect(waited).toEqual([2_000, 500]);
  });

  it('never makes good for a time that was spent otherwise', async () => {
    const { clock, pace, waited } = paced(1_000);
    await pace(1_000);
    clock.advance(60_000);
    await pace(1_000);
    expect(waited).toEqual([1_000, 1_000]);
  });

  it('waits for nothing where nobody wants it', async () => {
    const { pace, waited } = paced(undefined);
    await pace(1_000_000);
    expect(waited).toEqual([]);
  });
});
