import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { issueReferences } from '../../../../src/domain/planning/issue-reference.js';
import { mayNameIssues } from '../../../../src/domain/repositories/commit-message.js';

const PART = fc.constantFrom('Closes ', '#', '1', '23', 'group/project', ' ', ',', '\n', 'and ', '-', 'fixes: ', 'x');

it('never takes a message that names an issue for one that names none', () => {
  fc.assert(
    fc.property(fc.array(PART, { maxLength: 12 }), (parts) => {
      const message = parts.join('');
      if (issueReferences(message).length > 0) expect(mayNameIssues(message)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
  expect([mayNameIssues('Mend it\n\nCloses group/project#7'), mayNameIssues('Use C# and #hash')]).toEqual([
    true,
    false,
  ]);
});
