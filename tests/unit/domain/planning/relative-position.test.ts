import { describe, expect, it } from '@jest/globals';
import { between, GAP, spread } from '../../../../src/domain/planning/relative-position.js';

describe('the place of an issue among others', () => {
  it('is in the middle of two, or half a gap beyond the last', () => {
    expect(between(10, 20)).toBe(15);
    expect(between(-3, -1)).toBe(-2);
    expect(between(GAP, undefined)).toBe(GAP * 1.5);
    expect(between(undefined, GAP)).toBe(GAP / 2);
    expect(between(undefined, undefined)).toBe(0);
  });

  it('is none where no number is left between two', () => {
    expect(between(10, 11)).toBeUndefined();
    expect(between(10, 10)).toBeUndefined();
  });

  it('of several is equally far from each other, and beyond an end as far as from the beginning', () => {
    expect(spread(3, 0, 400)).toEqual([100, 200, 300]);
    expect(spread(2, 0, undefined)).toEqual([GAP, 2 * GAP]);
    expect(spread(2, undefined, 0)).toEqual([-2 * GAP, -GAP]);
  });

  it('of several is none where they would soon stand too close again', () => {
    expect(spread(3, 0, 4 * 16)).toEqual([16, 32, 48]);
    expect(spread(3, 0, 4 * 16 - 1)).toBeUndefined();
  });
});
