import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_SECONDS, readDuration, writeDuration } from '../../../src/domain/collaboration/duration.js';
import { addressedNames } from '../../../src/domain/collaboration/todo.js';
import { processorTime, QUICK_MS } from '../../support/quick.js';

describe('a duration', () => {
  it('is read in units, in words, and as hours where it has none', () => {
    const hour = 3_600;
    const cases: Readonly<Record<string, number>> = {
      '3h 30m': 3.5 * hour,
      '3h30m': 3.5 * hour,
      '1mo 2w 3d 4h 5m 6s': (160 + 80 + 24 + 4) * hour + 306,
      '2 hours': 2 * hour,
      '1 week, ': NaN,
      '1.5d': 12 * hour,
      '2': 2 * hour,
      ' 1D ': 8 * hour,
      '-1h': -hour,
      '0': 0,
      '-0h': 0,
      '1 minute 30 seconds': 90,
    };
    for (const [text, seconds] of Object.entries(cases))
      expect([text, readDuration(text)]).toEqual([text, Number.isNaN(seconds) ? undefined : seconds]);
    for (const text of ['', ' ', '-', 'h', '1x', '1h-2m', '1e9h', '٣h', '1h\n;', '--1h'])
      expect([text, readDuration(text)]).toEqual([text, undefined]);
  });

  it('is read back as it was written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_SECONDS }), (seconds) => {
        expect(readDuration(writeDuration(seconds) ?? '')).toBe(seconds);
      }),
    );
    expect([writeDuration(0), writeDuration(12_600), writeDuration(7 * 8 * 3_600)]).toEqual([null, '3h 30m', '1w 2d']);
  });

  it('of any length is read without delay', () => {
    for (const text of ['1'.repeat(255), '1h'.repeat(127), ' '.repeat(255), `${'1 '.repeat(126)}x`])
      expect(processorTime(() => readDuration(text))).toBeLessThan(QUICK_MS);
  });
});

describe('names that a text begins with', () => {
  it('are those before any other word', () => {
    expect(addressedNames('@ada, @Bob and @cleo: look at @dora')).toEqual(['ada', 'bob', 'cleo']);
    expect(addressedNames('@ada')).toEqual(['ada']);
    expect(addressedNames('Hi @ada')).toEqual([]);
    expect(addressedNames('`@ada`')).toEqual([]);
    expect(addressedNames(`${'@a '.repeat(5_000)}!`).length).toBe(1);
  });
});
