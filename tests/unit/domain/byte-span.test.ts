import { describe, expect, it } from '@jest/globals';
import { spanIn } from '../../../src/domain/shared/byte-span.js';

describe('what a Range asks for of 100 bytes', () => {
  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=10-19', 10, 19],
    ['bytes=90-', 90, 99],
    ['bytes=90-100', 90, 99],
    ['bytes=90-99999999999999999999999999', 90, 99],
    ['bytes=-1', 99, 99],
    ['bytes=-100', 0, 99],
    ['bytes=-5000', 0, 99],
    ['BYTES= 1-2 ', 1, 2],
  ])('is a part: %s', (range, first, last) => {
    expect(spanIn(range, 100)).toEqual({ first, last });
  });

  it.each(['bytes=100-', 'bytes=100-200', 'bytes=99999999999999999999999-', 'bytes=-0'])(
    'is not there: %s',
    (range) => {
      expect(spanIn(range, 100)).toBe('unsatisfiable');
    },
  );

  it.each([
    ...['bytes=0-1,5-6', 'bytes=20-10', 'bytes=', 'bytes=-', 'bytes=a-b', 'bytes=1.5-2', 'bytes=--1', 'bytes=1-2-3'],
    ...['items=0-1', '0-1', '', 'bytes 0-1', `bytes=${'0-1,'.repeat(5_000)}0-1`],
  ])('is all of them: %s', (range) => {
    expect(spanIn(range, 100)).toBeUndefined();
  });

  it('is never there of nothing', () => {
    expect(['bytes=0-', 'bytes=-1', 'bytes=0-0'].map((range) => spanIn(range, 0))).toEqual([
      'unsatisfiable',
      'unsatisfiable',
      'unsatisfiable',
    ]);
  });
});
