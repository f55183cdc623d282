import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { withoutEnd, withoutEnds } from '../../../src/domain/shared/without-ends.js';

const LONG = `a${'.'.repeat(200_000)}b`;

describe('a text without its ends', () => {
  it('lacks the characters that may go, and keeps those within', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', '.', ' ', 'é', '\u{1f600}'), maxLength: 12 });
    fc.assert(
      fc.property(texts, (text) => {
        expect(withoutEnd(text, /[. ]/)).toBe(text.replace(/[. ]+$/, ''));
        expect(withoutEnds(text, /[. ]/)).toBe(text.replace(/^[. ]+|[. ]+$/g, ''));
      }),
    );
  });

  it('keeps 200,000 of them in a row within', () => {
    expect(withoutEnd(LONG, /\./)).toBe(LONG);
    expect(withoutEnds(`..${LONG}.`, /\./)).toBe(LONG);
  });
});
