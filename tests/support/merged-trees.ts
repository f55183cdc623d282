import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { MergePair } from '../../src/application/repositories/ports/object-stores.js';
import { openGitStores, type GitStores } from '../../src/adapters/outbound/git/open-git-stores.js';
import { StoreFolders } from '../../src/adapters/outbound/git/store-folders.js';
import { newStoreName, removeFolder, temporaryFolder, withGit } from './git.js';
import { GrownHistories, HISTORY, IN_THE_WAY_OF_A_MOVE } from './random-histories.js';

const MANY = 100;
const isIncoming = (name: string): boolean => name.startsWith('incoming-');

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

      it('clash where git says so and leaves nothing unmerged', async () => {
        const store = newStoreName();
        await stores.keeper.create(store);
        const grown = await GrownHistories.beside(new StoreFolders(root).of(store));
        const [ours, theirs] = await grown.grow(IN_THE_WAY_OF_A_MOVE);
        const paths = ['dir/a', 'lib/a'];
        expect(await grown.mergeInWorkTree([ours, theirs])).toEqual({ paths });
        expect(await stores.merger.merge(store, ours, theirs)).toEqual({ outcome: 'conflicts', paths });
        expect(await stores.merger.conflicts(store, [{ ours, theirs }])).toEqual([paths]);
        removeFolder(grown.folder);
      });

      it(`are those of \`git merge\` in a work tree for ${histories} random histories, and so are the files that clash`, async () => {
        const store = newStoreName();
        await stores.keeper.create(store);
        const grown = await GrownHistories.beside(new StoreFolders(root).of(store));
        const seen = { merged: 0, conflicts: 0 };
        const pairs: MergePair[] = [];
        const clashing: (readonly string[])[] = [];
        await fc.assert(
          fc.asyncProperty(HISTORY, async (steps) => {
            const [ours, theirs] = await grown.grow(steps);
            const result = await stores.merger.merge(store, ours, theirs);
            const made = result.outcome === 'merged' ? { tree: result.tree } : { paths: [...result.paths].sort() };
            seen[result.outcome] += 1;
            pairs.push({ ours, theirs });
            clashing.push(result.outcome === 'merged' ? [] : result.paths);
            expect(made).toEqual(await grown.mergeInWorkTree([ours, theirs]));
          }),
          { numRuns: histories },
        );
        // Many at once are told alike, and leave nothing.
        expect(await stores.merger.conflicts(store, pairs)).toEqual(clashing);
        expect(readdirSync(join(new StoreFolders(root).of(store), 'objects')).filter(isIncoming)).toEqual([]);
        removeFolder(grown.folder);
        if (histories < MANY) return;
        process.stdout.write(`${JSON.stringify(seen)}\n`);
        // Neither is rare.
        expect(Math.min(seen.merged, seen.conflicts)).toBeGreaterThan(histories / 10);
      });
    });
  });
