import { describe, expect, it } from '@jest/globals';
import { findCoverage } from '../../../src/adapters/outbound/ci/find-coverage.js';

describe('how much of the code tests reach, by their log', () => {
  it.each([
    ['/Total: (\\d+\\.\\d+)%/', 'Total: 12.5%\nTotal: 81.25%\nTotal: none\n', 81.25],
    ['/^TOTAL.+?(\\d+%)$/', 'TOTAL 120 3 97%\r\n', 97],
    ['/\\d+ % covered/', '\u001b[32m98 % covered\u001b[0m', 98],
    ['/a (\\d+)/', 'a 1 a 2 a 3\nb 4', 3],
    ['no slashes (\\d+)', 'no slashes 7', 7],
    ['/nothing/', 'nothing here has a number', null],
    ['/(unclosed/', '(unclosed 5', null],
    ['/(?=x)5/', 'x5', null],
    ['/x{500}{2}/', 'x', null],
  ])('%j of %j is %j', (pattern, log, coverage) => {
    expect(findCoverage(pattern, log)).toBe(coverage);
  });

  it('is looked for in linear time, whatever the expression and the log', () => {
    const hostile = ['a'.repeat(100_000), `${'a'.repeat(900)}\n`.repeat(110), 'a\n'.repeat(50_000)];
    for (const log of hostile)
      for (const pattern of ['/(a+)+$/', '/a.*b|a/', '/(a|aa)*c/', '/a*?a*?a*?b/']) findCoverage(pattern, log);
    const slow = ['/(?:[ab]*[ef]*){45}[cd]|a/', '/(?:[ab]?){90}[cd]/'];
    for (const log of hostile) for (const pattern of slow) expect(findCoverage(pattern, `${log}\n`)).toBeNull();
    expect(findCoverage('/(a|aa)*c (\\d)/', `${hostile[1]!}c 5`)).toBe(5);
  });
});
