import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { linkedText } from '../../../src/adapters/inbound/http/pages/linked-text.js';

const linksIn = (text: string) => linkedText(text).flatMap(({ href }) => href ?? []);

describe('a text with addresses', () => {
  it.each([
    ['https://runbooks.example/hot', ['https://runbooks.example/hot']],
    ['See http://a.example/x?y=1#z, then (https://b.example/c).', ['http://a.example/x?y=1#z', 'https://b.example/c']],
    ['<https://a.example/"onclick=x>', ['https://a.example/']],
    ['HTTPS://A.EXAMPLE/b', ['HTTPS://A.EXAMPLE/b']],
  ])('leads where %j says', (text, links) => {
    expect(linksIn(text)).toEqual(links);
  });

  it.each([
    '',
    'no address',
    'javascript:alert(1)',
    'ftp://a.example',
    'data:text/html,x',
    'https://',
    'http://...',
    '//a.example',
  ])('makes no link of %j', (text) => {
    expect(linksIn(text)).toEqual([]);
  });

  it('has every character of it, once, and leads nowhere but to the web', () => {
    const word = fc.constantFrom(
      'https://',
      'http://a',
      '.example',
      '/',
      ' ',
      '<b>',
      '"',
      ')',
      '.',
      'x',
      'javascript:',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string({ maxLength: 3 })), { maxLength: 12 }), (words) => {
        const text = words.join('');
        const pieces = linkedText(text);
        expect(pieces.map((piece) => piece.text).join('')).toBe(text);
        for (const { href } of pieces)
          if (href !== undefined) expect(['http:', 'https:']).toContain(new URL(href).protocol);
      }),
    );
  });
});
