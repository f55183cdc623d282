import { describe, expect, it } from '@jest/globals';
import { suggestionsIn } from '../../../src/domain/collaboration/suggestion.js';

describe('suggestions in a comment', () => {
  it('are blocks of code by this word', () => {
    expect(suggestionsIn('Why not\n```suggestion:-1+2\nx\n```\nor\n~~~ruby\ny\n~~~')).toEqual([
      { kind: 'suggestion', above: 1, below: 2, content: 'x\n' },
    ]);
  });

  it('are found beside a long row of marks that ends in no line', () => {
    const row = `${'`'.repeat(200_000)}\u2028\``;
    expect(suggestionsIn(`${row}\n\`\`\`suggestion\nx\n\`\`\``)).toHaveLength(1);
  });
});
