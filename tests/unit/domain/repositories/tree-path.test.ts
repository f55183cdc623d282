import { describe, expect, it } from '@jest/globals';
import { isGitFolder, isGitFolderToGit, treePathProblem } from '../../../../src/domain/repositories/tree-path.js';

describe('names that git keeps for itself', () => {
  it.each(['.git', '.GIT', '.git. .', '.g\u200cit', '.git::$INDEX_ALLOCATION', 'git~1', 'a\\.git '])(
    'are %j',
    (name) => {
      expect([isGitFolder(name), isGitFolderToGit(name)]).toEqual([true, true]);
    },
  );

  it.each(['git', '.git.x', '. git', '.gitx'])('are not %j', (name) => {
    expect([isGitFolder(name), isGitFolderToGit(name)]).toEqual([false, false]);
    expect(treePathProblem(name)).toBeUndefined();
  });

  it('are found among long names, too', () => {
    const row = '. '.repeat(100_000);
    expect([isGitFolder(`.git${row}`), isGitFolder(`.git${row}x`)]).toEqual([true, false]);
  });
});
