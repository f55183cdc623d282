import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compileNamePattern } from '../../../src/adapters/outbound/regex/name-patterns.js';

describe('expressions that branches are chosen by', () => {
  const PARTS = [
    'a',
    'b',
    '.',
    '[ab]',
    '[^a]',
    '\\d',
    'a*',
    'b+?',
    '(a|b)',
    '(?:ab)?',
    '^',
    '$',
    'a{2}',
    'b{1,2}',
    '(a*)*',
    '|',
  ];

  it('match what regular expressions match', () => {
    const expressions = fc.array(fc.constantFrom(...PARTS), { maxLength: 6 }).map((parts) => parts.join(''));
    const names = fc.array(fc.constantFrom('a', 'b', '1', '/'), { maxLength: 8 }).map((signs) => signs.join(''));
    fc.assert(
      fc.property(expressions, names, (expression, name) => {
        const known = new RegExp(expression).test(name);
        expect([expression, name, compileNamePattern(expression)?.(name)]).toEqual([expression, name, known]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('ignore case where they say so, and know classes', () => {
    expect(compileNamePattern('(?i)^MAIN$')?.('main')).toBe(true);
    expect(compileNamePattern('^v\\d+\\.\\d+-[a-z-]+$')?.('v1.20-rc-a')).toBe(true);
    expect(compileNamePattern('[]a]')?.(']')).toBe(true);
  });

  it.each([
    '(',
    ')',
    '[',
    '*',
    'a**',
    '\\1',
    '(?=a)',
    'a{1001}',
    'a{2,1}',
    '\\',
    '[z-a]',
    '(('.repeat(40),
    'a'.repeat(600),
  ])('are refused as %j', (expression) => {
    expect(compileNamePattern(expression)).toBeUndefined();
  });

  it('are not asked more than they may be', () => {
    const pattern = compileNamePattern(`${'.*'.repeat(100)}x`)!;
    const asked = Array.from({ length: 2_000 }, () => pattern('a'.repeat(250)));
    expect([asked[0], asked.at(-1)]).toEqual([false, undefined]);
  });
});
