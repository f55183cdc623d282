import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonInPieces } from '../../../src/adapters/inbound/http/json-in-pieces.js';

const inPieces = (value: unknown): readonly string[] => [...jsonInPieces(value)];

/** Texts of characters that JSON escapes, of two halves, and of halves alone, around the length at which they are cut. */
const text = fc
  .tuple(fc.constantFrom('a', '"', '\\', '\n', '\u0000', '\u2028', 'ä', '😀', '\ud83d', '\ude00'), fc.nat(3), fc.nat(4))
  .map(([character, times, more]) => `${'x'.repeat(more)}${character.repeat(times * 16_384)}${character}`);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.constant(null),
    fc.boolean(),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('any'), { maxLength: 4 }),
  object: fc.dictionary(fc.constantFrom('title', 'description', 'of', '"'), tie('any')),
})).any;

describe('JSON in pieces', () => {
  it('is what it is as one text', () => {
    fc.assert(
      fc.property(value, (each) => expect(inPieces(each).join('')).toBe(JSON.stringify(each))),
      {
        numRuns: 200,
      },
    );
  });

  it('has no piece as long as a long text', () => {
    const pieces = inPieces({ title: 'Long', of: { description: 'x'.repeat(1_000_000) } });
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(50_000);
  });

  it('is one piece where no text is long', () => {
    expect(inPieces({ title: 'Short', at: new Date(0) })).toEqual([
      '{"title":"Short","at":"1970-01-01T00:00:00.000Z"}',
    ]);
  });
});
