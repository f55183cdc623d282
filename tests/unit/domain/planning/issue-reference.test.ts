import { describe, expect, it } from '@jest/globals';
import { issueReferences } from '../../../../src/domain/planning/issue-reference.js';

const read = (message: string): string[] =>
  issueReferences(message).map(({ project, iid, closes }) => `${closes ? 'closes ' : ''}${project ?? ''}#${iid}`);

describe('issues that a commit message names', () => {
  it.each([
    ['Closes #1', ['closes #1']],
    ['close #1', ['closes #1']],
    ['closed: #1', ['closes #1']],
    ['Closing #1', ['closes #1']],
    ['Fix #2', ['closes #2']],
    ['fixes #2, fixed #3', ['closes #2', 'closes #3']],
    ['fixing issue #2', ['closes #2']],
    ['Resolves #1, #2 and #3', ['closes #1', 'closes #2', 'closes #3']],
    ['resolving issues #1 and group/sub/project#2', ['closes #1', 'closes group/sub/project#2']],
    ['Implements: #4', ['closes #4']],
    ['implementing #4.', ['closes #4']],
    ['See #5', ['#5']],
    ['Closes #1. See #5 and group/project#6', ['closes #1', '#5', 'group/project#6']],
    ['See #1, closes #1', ['closes #1']],
    ['discloses #1', ['#1']],
    ['closes the door, #1', ['#1']],
    ['Colour #12ab, a#1, &#39; and http://x/y#7', []],
    ['', []],
  ])('%j: %j', (message, expected) => {
    expect(read(message)).toEqual(expected);
  });

  it('are found in time that grows with the text, whatever it is', () => {
    for (const text of [
      'a/'.repeat(200_000),
      'closes '.repeat(60_000),
      `closes ${'#1, '.repeat(80_000)}`,
      '.-'.repeat(200_000),
      `closes #1${' '.repeat(200_000)}`,
    ])
      expect(read(text).length).toBeLessThanOrEqual(50);
  });
});
