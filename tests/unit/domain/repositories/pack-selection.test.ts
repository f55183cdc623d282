import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { packsToGather, staysShared } from '../../../../src/domain/repositories/pack-selection.js';

const MEBIBYTE = 1024 * 1024;
const packsOf = (...sizes: readonly number[]) =>
  sizes.map((bytes, index) => ({ name: `pack-${index}`, bytes, shared: false }));
const sizesOf = (...sizes: readonly number[]) => packsToGather(packsOf(...sizes)).map(({ bytes }) => bytes);

describe('packs to gather', () => {
  it('are those that are not twice the size of the next smaller one, and what their sum outgrows', () => {
    expect(sizesOf()).toEqual([]);
    expect(sizesOf(100)).toEqual([]);
    expect(sizesOf(400, 100, 200)).toEqual([]);
    expect(sizesOf(1, 1, 1, 1, 1_000)).toEqual([1, 1, 1, 1]);
    expect(sizesOf(10, 10, 30, 1_000)).toEqual([10, 10, 30]);
  });

  it('leave at least twice the size of one to the next', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1_000_000 }), { maxLength: 40 }), (sizes) => {
        const chosen = packsToGather(packsOf(...sizes));
        const gathered = chosen.reduce((sum, { bytes }) => sum + bytes, 0);
        const names = new Set(chosen.map(({ name }) => name));
        const left = packsOf(...sizes).filter(({ name }) => !names.has(name));
        const rising = [...left.map(({ bytes }) => bytes), ...(gathered > 0 ? [gathered] : [])].sort((a, b) => a - b);
        for (let index = 1; index < rising.length; index += 1)
          expect(rising[index]).toBeGreaterThanOrEqual(2 * rising[index - 1]!);
      }),
    );
  });

  it('leave alone what is large and shared with another store', () => {
    const shared = { name: 'pack-shared', bytes: 20 * MEBIBYTE, shared: true };
    expect(staysShared(shared)).toBe(true);
    expect(staysShared({ ...shared, bytes: MEBIBYTE })).toBe(false);
    expect(staysShared({ ...shared, shared: false })).toBe(false);
    const own = { ...shared, name: 'pack-own', shared: false };
    expect(packsToGather([shared, own])).toEqual([]);
  });
});
