import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { drawBadge } from '../../../src/adapters/inbound/http/pages/badges/draw-badge.js';

const PASSED = { key: 'pipeline', value: 'passed', colour: 'good' } as const;
const FLAT = { style: 'flat' } as const;

const TAGS = new Set(['svg', 'title', 'clipPath', 'g', 'rect', 'text']);
const ATTRIBUTES = new Set([
  ...['xmlns', 'width', 'height', 'role', 'aria-label', 'id', 'rx', 'x', 'y', 'fill', 'fill-opacity', 'clip-path'],
  ...['font-family', 'font-size', 'text-anchor', 'textLength', 'lengthAdjust'],
]);

describe('a drawn badge', () => {
  it('says both words, to eyes and to screen readers', () => {
    const svg = drawBadge(PASSED, FLAT);
    expect(svg).toContain('aria-label="pipeline: passed"');
    expect(svg).toContain('<title>pipeline: passed</title>');
    expect(svg).toMatch(/>pipeline<\/text>.*>passed<\/text>/);
  });

  it('is square where that is asked for', () => {
    expect(drawBadge(PASSED, FLAT)).toContain('rx="3"');
    expect(drawBadge(PASSED, { style: 'flat-square' })).toContain('rx="0"');
  });

  it('is as wide as its parts, and a text is fitted to the part that it is given', () => {
    expect(drawBadge(PASSED, { style: 'flat', keyWidth: 100, valueWidth: 50 })).toContain('width="150"');
    const narrow = drawBadge(PASSED, { style: 'flat', keyWidth: 30, valueWidth: 70 });
    expect(narrow).toContain('textLength="20"');
    expect(narrow.match(/textLength/g)).toHaveLength(1);
  });

  it('shortens what is long', () => {
    const svg = drawBadge({ ...PASSED, value: 'v'.repeat(1_000) }, { style: 'flat', keyText: 'k'.repeat(1_000) });
    expect(svg).toContain(`>${'k'.repeat(63)}…</text>`);
    expect(svg).toContain(`>${'v'.repeat(63)}…</text>`);
    expect(svg.length).toBeLessThan(2_000);
  });

  it('whatever it says, is made of a closed list of tags and attributes, and is well-formed', () => {
    const hostile = fc.constantFrom(
      '<script>',
      '"/><g onload="a">',
      "'",
      '&amp;',
      ']]>',
      '\u0000',
      '\u202e',
      '\ud800',
      '{',
    );
    const text = fc.array(fc.oneof(hostile, fc.string({ maxLength: 8 })), { maxLength: 8 }).map((all) => all.join(''));
    fc.assert(
      fc.property(text, text, (keyText, value) => {
        const svg = drawBadge({ ...PASSED, value }, { style: 'flat', keyText });
        for (const [, tag, attributes = ''] of svg.matchAll(/<\/?([a-zA-Z]+)((?:\s[^<>]*)?)\/?>/g)) {
          expect(TAGS).toContain(tag);
          for (const [, name] of attributes.matchAll(/\s([^\s=]+)="[^"]*"/g)) expect(ATTRIBUTES).toContain(name);
          expect(attributes.replaceAll(/\s[^\s=]+="[^"]*"/g, '').replace('/', '')).toBe('');
        }
        expect(svg.replaceAll(/<\/?[a-zA-Z]+(?:\s[^<>]*)?\/?>/g, '')).not.toMatch(/[<>]|&(?!(?:amp|lt|gt|quot|#39);)/);
        expect(svg).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
      }),
    );
  });
});
