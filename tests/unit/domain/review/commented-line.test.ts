import { describe, expect, it } from '@jest/globals';
import { lineShown } from '../../../../src/domain/review/commented-line.js';

describe('a line that a commit shows', () => {
  const patch = '@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n@@ -10 +10,2 @@\n ten\n+eleven\n';

  it.each([
    [1, 'new', { oldLine: 1, newLine: 1 }],
    [2, 'old', { oldLine: 2, newLine: null }],
    [2, 'new', { oldLine: null, newLine: 2 }],
    [3, 'new', { oldLine: 3, newLine: 3 }],
    [4, 'new', undefined],
    [11, 'new', { oldLine: null, newLine: 11 }],
    [11, 'old', undefined],
    [9, 'old', undefined],
  ] as const)('has the numbers of line %i as %s: %j', (line, type, numbers) => {
    expect(lineShown(patch, line, type)).toEqual(numbers);
  });
});
