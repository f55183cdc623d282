import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openGitStores, type GitStores } from '../../src/adapters/outbound/git/open-git-stores.js';
import { StoreFolders } from '../../src/adapters/outbound/git/store-folders.js';
import { newStoreName, removeFolder, temporaryFolder, withGit } from './git.js';
import { GrownHistories, HISTORY } from './random-histories.js';

const MANY = 100;

/** Merges so many random histories as the service does and as stock git does. */
export const describeMergedTrees = (histories: number): void =>
  withGit('merged trees', () => {
    describe('merged trees', () => {
      const root = temporaryFolder();
      let stores: GitStores;

      beforeAll(() => {
        stores = openGitStores({ directory: root, binary: 'git', pushLimit: 50_000_000 });
      });

      afterAll(() => {
        stores.close();
        removeFolder(root);
      });

      it(`are those of \`git merge\` in a work tree for ${histories} random histories, and so are the files that clash`, async () => {
        const store = newStoreName();
        await stores.keeper.create(store);
        const grown = await GrownHistories.beside(new StoreFolders(root).of(store));
        const seen = { merged: 0, conflicts: 0 };
        await fc.assert(
          fc.asyncProperty(HISTORY, async (steps) => {
            const [ours, theirs] = await grown.grow(steps);
            const result = await stores.merger.merge(store, ours, theirs);
            const made = result.outcome === 'merged' ? { tree: result.tree } : { paths: [...result.paths].sort() };
            seen[result.outcome] += 1;
            expect(made).toEqual(await grown.mergeInWorkTree([ours, theirs]));
          }),
          { numRuns: histories },
        );
        removeFolder(grown.folder);
        if (histories < MANY) return;
        process.stdout.write(`${JSON.stringify(seen)}\n`);
        // Neither is rare.
        expect(Math.min(seen.merged, seen.conflicts)).toBeGreaterThan(histories / 10);
      });
    });
  });
