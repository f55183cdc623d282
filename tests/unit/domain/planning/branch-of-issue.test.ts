import { describe, expect, it } from '@jest/globals';
import { branchOfIssue } from '../../../../src/domain/planning/branch-of-issue.js';
import { branchRef, isRefName } from '../../../../src/domain/repositories/ref-name.js';

describe('the name of a branch for an issue', () => {
  const named = (title: string, confidential = false) => branchOfIssue({ iid: 7, title, confidential });

  it.each([
    ['Large sums are negative', '7-large-sums-are-negative'],
    ['  Überlauf: größer als 2^31!  ', '7-uberlauf-gro-er-als-2-31'],
    ['a..b@{c}~d^e:f?g*h[i]\\j', '7-a-b-c-d-e-f-g-h-i-j'],
    ['数字', '7-issue'],
    ['-', '7-issue'],
    ['x'.repeat(300), `7-${'x'.repeat(50)}`],
    [`${'x'.repeat(49)} y`, `7-${'x'.repeat(49)}`],
  ])('of the title %j', (title, name) => {
    expect(named(title)).toBe(name);
    expect(isRefName(branchRef(name))).toBe(true);
  });

  it('says nothing of a confidential one', () => {
    expect(named('The key is under the mat', true)).toBe('7-confidential-issue');
  });
});
