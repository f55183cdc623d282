import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalText } from '../../../src/domain/shared/canonical-text.js';

describe('canonical text', () => {
  it('is the same for every way of writing a character', () => {
    expect(canonicalText('Zoe\u0308')).toBe('Zo\u00EB');
    expect(canonicalText('\uFB01', 'NFKD')).toBe('fi');
  });

  it('is the normalization form of any text with up to 30 marks in a row', () => {
    const marks = fc.string({ unit: fc.constantFrom('\u0301', '\u0327', '\u0345'), maxLength: 30 });
    const letters = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(fc.tuple(letters, marks)), (pieces) => {
        // Letters that end in marks of their own would make the row longer.
        const text = pieces.map(([letter, row]) => `${letter}.${row}`).join('');
        expect(canonicalText(text)).toBe(text.normalize('NFC'));
      }),
    );
  });

  it('keeps 30 marks in a row, so that ordering them takes no long time', () => {
    const text = `a${'\u0315\u0300'.repeat(500_000)}`;
    expect(canonicalText(text, 'NFKD').length).toBe(31);
  });
});
