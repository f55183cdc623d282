import { describe, expect, it } from '@jest/globals';
import { reachingAnyOf } from '../../../../src/domain/review/brought-commits.js';

describe('commits that a branch was brought', () => {
  const links = [
    { id: 'lower', parents: ['base'] },
    { id: 'upper', parents: ['lower'] },
    { id: 'joined', parents: ['apart', 'upper'] },
    { id: 'apart', parents: ['base'] },
    { id: 'beside', parents: ['apart'] },
  ];

  it('are reached by whatever is one of them, follows one, or joins what does', () => {
    const tips = ['lower', 'upper', 'joined', 'apart', 'beside'];
    expect([...reachingAnyOf(tips, links, new Set(['lower', 'merge']))]).toEqual(['lower', 'upper', 'joined']);
  });

  it('are reached by nothing where they are of another branch', () => {
    expect(reachingAnyOf(['upper', 'beside'], links, new Set(['merge'])).size).toBe(0);
  });
});
