import { describe, expect, it } from '@jest/globals';
import type { Page, RowSource } from '../../../src/application/storage/ports/stored-rows.js';
import { createTurns, heeding } from '../../../src/application/storage/turns.js';
import { pausingClock } from '../../support/adjustable-clock.js';

const inTurns = (served: boolean, spare = 0, share?: () => number) => {
  const { clock, waited, pause } = pausingClock();
  return {
    clock,
    waited,
    rest: createTurns({ clock, pause, spare: () => spare }, () => Promise.resolve(served), share),
  };
};

describe('whoever works in turns', () => {
  it('rests three times as long as each piece of work took, without the rest before it', async () => {
    const { clock, waited, rest } = inTurns(true);
    for (const took of [12, 30, 5]) {
      clock.advance(took);
      await rest();
    }
    expect(waited).toEqual([36, 90, 15]);
  });

  it('rests for a second at most', async () => {
    const { clock, waited, rest } = inTurns(true);
    clock.advance(60_000);
    await rest();
    expect(waited).toEqual([1_000]);
  });

  it.each([
    { spare: 1, waits: [36] },
    { spare: 1.25, waits: [27] },
    { spare: 2, waits: [] },
    { spare: 7, waits: [] },
  ])('rests for less where others leave $spare processors', async ({ spare, waits }) => {
    const { clock, waited, rest } = inTurns(true, spare);
    clock.advance(12);
    await rest();
    expect(waited).toEqual(waits);
  });

  it('rests for the share that is left of each rest', async () => {
    const shares = [1, 0.5, 0];
    const { clock, waited, rest } = inTurns(true, 0, () => shares.shift() ?? 0);
    for (const took of [12, 12, 12]) {
      clock.advance(took);
      await rest();
    }
    expect(waited).toEqual([36, 18]);
  });

  it('does not rest while nobody is served', async () => {
    const { clock, waited, rest } = inTurns(false);
    clock.advance(12);
    await rest();
    expect(waited).toEqual([]);
  });
});

describe('rows in turns', () => {
  it('are the same, and something is heeded before each page', async () => {
    const told: string[] = [];
    async function* pages(): AsyncGenerator<Page, void, undefined> {
      for (const number of ['1', '2']) yield await Promise.resolve({ rows: [[number]], faults: [] });
    }
    const rows: RowSource = { pages, pagesAfter: pages, counters: () => Promise.resolve(new Map([['users', '7']])) };
    const heeded = heeding(rows, () => Promise.resolve(void told.push('heeded')));
    const table = { name: 'users', columns: ['id'], key: [] };
    for (const read of [heeded.pages(table), heeded.pagesAfter(table, ['0'])])
      for await (const page of read) told.push(String(page.rows[0]));
    expect(told).toEqual(['heeded', '1', 'heeded', '2', 'heeded', '1', 'heeded', '2']);
    expect(await heeded.counters()).toEqual(new Map([['users', '7']]));
  });
});
