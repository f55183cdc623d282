import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ChildSlots } from '../../src/adapters/outbound/git/child-slots.js';
import { CatFilePool } from '../../src/adapters/outbound/git/cat-file-pool.js';
import { dataOfPacksKib, dataOfTreesKib } from '../../src/adapters/outbound/git/command.js';
import { Git } from '../../src/adapters/outbound/git/git.js';
import { openGitStores, type GitStores } from '../../src/adapters/outbound/git/open-git-stores.js';
import { Runner, type Command } from '../../src/adapters/outbound/git/runner/runner.js';
import { StoreFolders } from '../../src/adapters/outbound/git/store-folders.js';
import { GitFileSearch } from '../../src/adapters/outbound/git/git-file-search.js';
import { GitHistoryReader } from '../../src/adapters/outbound/git/git-history-reader.js';
import { GitArchiveWriter } from '../../src/adapters/outbound/git/git-archive-writer.js';
import { GitObjectIntake } from '../../src/adapters/outbound/git/git-object-intake.js';
import { GitObjectReader } from '../../src/adapters/outbound/git/git-object-reader.js';
import { GitMerger } from '../../src/adapters/outbound/git/git-merger.js';
import { readPatch } from '../../src/adapters/outbound/git/read-patch.js';
import { ToldChanges } from '../../src/adapters/outbound/git/told-changes.js';
import { TreeLists } from '../../src/adapters/outbound/git/tree-lists.js';
import {
  encodeCommit,
  encodeTag,
  encodeTree,
  type NewObject,
  type TreeEntry,
} from '../../src/domain/repositories/object-format.js';
import { isGitFolder } from '../../src/domain/repositories/tree-path.js';
import { ObjectsRefused, TooLarge } from '../../src/application/repositories/ports/object-stores.js';
import type { BringCommits } from '../../src/application/repositories/operations/bring-commits.js';
import type { RefReader } from '../../src/application/repositories/ports/ref-reader.js';
import type { Repository } from '../../src/application/repositories/ports/repository-repositories.js';
import { LookAtBranches } from '../../src/application/review/look-at-branches.js';
import type { BranchPair } from '../../src/domain/review/merge-request.js';
import { fastImport, git, newStoreName, removeFolder, temporaryFolder, withGit } from '../support/git.js';

const refsAreThere = (): Promise<void> => Promise.resolve();

const LITTLE_MEMORY_KIB = 96 * 1024;
const ADA = { name: 'Ada', email: 'ada@example.com', at: new Date(1_700_000_000_000), offset: 120 };
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

const gathered = async (stream: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
};

async function* inPieces(bytes: Buffer, size = 1_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

withGit('the ports of stores', () => {
  describe('the ports of stores', () => {
    const root = temporaryFolder();
    const folders = new StoreFolders(root);
    let stores: GitStores;

    beforeAll(() => {
      stores = openGitStores({ directory: root, binary: 'git', pushLimit: 50_000_000 });
    });

    afterAll(() => {
      stores.close();
      removeFolder(root);
    });

    /** One object that is on its way into a store. */
    const draftOf = async (store: string, object: NewObject) => {
      const draft = await stores.intake.draft(store);
      return Object.assign(draft, { id: await draft.add(object) });
    };

    const newStore = async (): Promise<string> => {
      const store = newStoreName();
      await stores.keeper.create(store);
      return store;
    };

    const idOf = async (store: string, name: string): Promise<string> =>
      (await git(['--git-dir', folders.of(store), 'rev-parse', name])).trim();

    /** A history with a folder, a rename, a merge and names that are hard to print. */
    const filled = async (): Promise<string> => {
      const store = await newStore();
      await fastImport(folders.of(store), [
        { branch: 'main', message: 'First\n\nWith a body\n', files: { 'README.md': 'one\ntwo\n', 'src/a.txt': 'a\n' } },
        { branch: 'main', message: 'Second', files: { 'src/b.txt': 'b\n', 'src/ä "q"\t.txt': 'odd\n' } },
        { branch: 'clash', from: 'main', message: 'Clash', files: { 'README.md': 'one\ndeux\n' } },
        { branch: 'topic', from: 'main', message: 'Topic', files: { 'README.md': 'one\nzwei\n' }, author: 'Bob' },
        { branch: 'main', message: 'Third', files: { 'src/deep/c.txt': 'c\n' } },
      ]);
      return store;
    };

    /** A pack with everything that a ref leads to. */
    const packOf = async (store: string, ids: readonly string[]): Promise<Buffer> => {
      const into = temporaryFolder();
      const argv = ['--git-dir', folders.of(store), 'pack-objects', '--quiet', '--revs', join(into, 'made')];
      const name = (await git(argv, { input: `${ids.join('\n')}\n` })).trim();
      const bytes = readFileSync(join(into, `made-${name}.pack`));
      removeFolder(into);
      return bytes;
    };

    describe('reading objects', () => {
      it('answers commits with their people, dates and message, and trees with their entries', async () => {
        const store = await filled();
        const commit = await stores.objects.commit(store, await idOf(store, 'main~2'));
        expect(commit).toMatchObject({
          parents: [],
          message: 'First\n\nWith a body\n',
          author: { name: 'Ada', email: 'ada@example.com', at: '2023-11-15T00:13:20.000+02:00' },
          signature: null,
        });
        const tree = await stores.objects.tree(store, await idOf(store, 'main'));
        expect(tree?.map(({ mode, name }) => [mode, text(name)])).toEqual([
          ['100644', 'README.md'],
          ['40000', 'src'],
        ]);
      });

      it('finds what a path leads to, and nothing behind a file', async () => {
        const store = await filled();
        const main = await idOf(store, 'main');
        const entry = await stores.objects.entryAt(store, main, 'src/ä "q"\t.txt');
        expect(text((await stores.objects.read(store, entry!.id))!.content)).toBe('odd\n');
        expect(await stores.objects.entryAt(store, main, 'README.md/x')).toBeUndefined();
        expect(await stores.objects.entryAt(store, main, 'missing')).toBeUndefined();
        expect((await stores.objects.entryAt(store, main, ''))?.mode).toBe('40000');
      });

      it('answers undefined for what is missing, and goes on', async () => {
        const store = await filled();
        const missing = 'f'.repeat(40);
        const main = await idOf(store, 'main');
        const [none, there] = await Promise.all([
          stores.objects.info(store, missing),
          stores.objects.info(store, main),
        ]);
        expect([none, there?.type]).toEqual([undefined, 'commit']);
        expect(await stores.objects.commit(store, missing)).toBeUndefined();
      });

      it('refuses to read a large blob in one piece, and streams it', async () => {
        const store = await newStore();
        const large = 'x'.repeat(2_000_000);
        await fastImport(folders.of(store), [{ branch: 'main', message: 'Large', files: { large } }]);
        const id = await idOf(store, 'main:large');
        await expect(stores.objects.read(store, id)).rejects.toBeInstanceOf(TooLarge);
        expect((await gathered(await stores.objects.stream(store, id))).length).toBe(2_000_000);
      });

      it('answers many questions of one turn, each its own', async () => {
        const store = await filled();
        const ids = (await git(['--git-dir', folders.of(store), 'rev-list', '--all'])).trim().split('\n');
        const answers = await Promise.all(
          Array.from({ length: 200 }, (_, index) => stores.objects.commit(store, ids[index % ids.length]!)),
        );
        expect(answers.map((commit) => commit?.id)).toEqual(
          Array.from({ length: 200 }, (_, index) => ids[index % ids.length]),
        );
      });

      it('expands the beginning of an id, but not one that is no id', async () => {
        const store = await filled();
        const main = await idOf(store, 'main');
        expect(await stores.objects.expand(store, main.slice(0, 9))).toBe(main);
        expect(await stores.objects.expand(store, 'main')).toBeUndefined();
        expect(await stores.objects.expand(store, main.slice(0, 3))).toBeUndefined();
      });

      it('never hands text to git that is no id', async () => {
        const store = await filled();
        await expect(stores.objects.info(store, '--help')).rejects.toThrow();
        await expect(stores.objects.stream(store, 'HEAD')).rejects.toThrow();
        await expect(stores.history.log(store, { tips: ['--all'], limit: 1 })).rejects.toThrow();
        await expect(stores.objects.info('../../etc', 'f'.repeat(40))).rejects.toThrow();
      });
    });

    describe('reading history', () => {
      it('lists commits by range, path, author and page', async () => {
        const store = await filled();
        const [main, topic] = [await idOf(store, 'main'), await idOf(store, 'topic')];
        const titles = async (query: object) =>
          (await stores.history.log(store, { tips: [main], limit: 100, ...query })).map(
            ({ message }) => message.split('\n')[0],
          );
        expect(await titles({})).toEqual(['Third', 'Second', 'First']);
        expect(await titles({ not: [topic] })).toEqual(['Third']);
        expect(await titles({ path: 'src/b.txt' })).toEqual(['Second']);
        expect(await titles({ path: ':(exclude)src' })).toEqual([]);
        expect(await titles({ tips: [main, topic], author: 'BOB' })).toEqual(['Topic']);
        expect(await titles({ skip: 1, limit: 1 })).toEqual(['Second']);
        expect(await titles({ until: new Date(1_700_000_001_500) })).toEqual(['Second', 'First']);
        expect(await stores.history.count(store, { tips: [main, topic] })).toBe(4);
        expect(await stores.history.distance(store, main, topic)).toEqual({ ahead: 1, behind: 1 });
      });

      it('finds what commits have in common, or nothing', async () => {
        const store = await filled();
        await fastImport(folders.of(store), [{ branch: 'alone', message: 'Alone', files: { x: 'x' } }]);
        const [main, topic, alone] = [
          await idOf(store, 'main'),
          await idOf(store, 'topic'),
          await idOf(store, 'alone'),
        ];
        expect(await stores.history.mergeBase(store, [main, topic])).toBe(await idOf(store, 'main~1'));
        expect(await stores.history.mergeBase(store, [main, alone])).toBeUndefined();
      });

      it('reads two stores as one, where neither has what the other needs, and writes into none', async () => {
        const [one, other] = [await filled(), await newStore()];
        const [first, topic] = await Promise.all(['main~2', 'topic'].map((name) => idOf(one, name)));
        await git(['--git-dir', folders.of(one), 'push', '--quiet', folders.of(other), `${first}:refs/heads/main`]);
        await fastImport(folders.of(other), [{ branch: 'own', from: 'main', message: 'Own', files: { own: 'own\n' } }]);
        const own = await idOf(other, 'own');
        const both = stores.objects.both(other, one);
        expect(await stores.history.mergeBase(both, [topic!, own])).toBe(first);
        expect(await stores.history.walk(both, { tips: [own], not: [topic!], limit: 10 })).toEqual([own]);
        const { files } = await stores.history.diff(both, topic!, own);
        expect(files.map(({ newPath }) => newPath)).toEqual(['README.md', 'own', 'src/b.txt', 'src/ä "q"\t.txt']);
        expect((await stores.objects.commit(both, topic!))?.message.trim()).toBe('Topic');
        expect(await stores.objects.info(other, topic!)).toBeUndefined();
        expect(await stores.objects.info(one, own)).toBeUndefined();
        await stores.keeper.remove(one);
        expect(await stores.objects.commit(stores.objects.both(other, newStoreName()), own)).toBeDefined();
      });

      it('shows a diff file by file: added, changed, renamed, binary, removed', async () => {
        const store = await newStore();
        const body = 'line\n'.repeat(50);
        await fastImport(folders.of(store), [
          {
            branch: 'main',
            message: 'One',
            files: { 'old name': body, gone: 'x\n', same: 'diff --git a b\n', bin: 'a\0b' },
          },
          {
            branch: 'main',
            message: 'Two',
            files: {
              'old name': null,
              'new name': `${body}more\n`,
              gone: null,
              same: 'diff --git a b\n@@ x\n',
              bin: 'a\0c',
            },
          },
        ]);
        const [from, to] = [await idOf(store, 'main~1'), await idOf(store, 'main')];
        const { files, overflow } = await stores.history.diff(store, from, to);
        expect(overflow).toBe(false);
        const shown = files.map(({ status, oldPath, newPath, additions, deletions, binary }) => [
          status,
          oldPath,
          newPath,
          additions,
          deletions,
          binary,
        ]);
        expect(shown.sort()).toEqual([
          ['deleted', 'gone', 'gone', 0, 1, false],
          ['modified', 'bin', 'bin', 0, 0, true],
          ['modified', 'same', 'same', 1, 0, false],
          ['renamed', 'old name', 'new name', 1, 0, false],
        ]);
        expect(files.find(({ newPath }) => newPath === 'same')?.patch).toBe('@@ -1 +1,2 @@\n diff --git a b\n+@@ x\n');
        const first = await stores.history.diff(store, null, from);
        expect(first.files.map(({ status }) => status)).toEqual(['added', 'added', 'added', 'added']);
        const cut = await stores.history.diff(store, from, to, { files: 1 });
        expect([cut.files.length, cut.overflow]).toEqual([1, true]);
      });

      it('leaves out what differs in blanks alone, and mistakes no file for another', async () => {
        const store = await newStore();
        await fastImport(folders.of(store), [
          { branch: 'main', message: 'One', files: { a: 'a\nb\n', b: 'x\n', c: 'moved\n', d: 'one\ntwo\n' } },
          {
            branch: 'main',
            message: 'Two',
            files: { a: 'a \nb\n', b: 'y\n', c: null, moved: 'moved\n', d: 'one \nthree\n' },
          },
        ]);
        const [from, to] = [await idOf(store, 'main~1'), await idOf(store, 'main')];
        const { files, overflow } = await stores.history.diff(store, from, to, { ignoreWhitespace: true });
        expect(overflow).toBe(false);
        expect(files.map(({ newPath, status, additions, patch }) => [newPath, status, additions, patch])).toEqual([
          ['a', 'modified', 0, ''],
          ['b', 'modified', 1, '@@ -1 +1 @@\n-x\n+y\n'],
          ['d', 'modified', 1, '@@ -1,2 +1,2 @@\n one \n-two\n+three\n'],
          ['moved', 'renamed', 0, ''],
        ]);
        const whole = await stores.history.diff(store, from, to);
        expect(whole.files[0]?.patch).toBe('@@ -1,2 +1,2 @@\n-a\n+a \n b\n');
      });

      it.each(['\r', '\u2028', '\u2029'])('shows no file with a patch that another holds behind %j', async (end) => {
        const store = await newStore();
        const change = { a: 'x\n', b: 'bad\n' };
        await fastImport(folders.of(store), [
          { branch: 'main', message: 'One', files: { a: '', b: 'good\n' } },
          { branch: 'main', message: 'Two', files: change },
        ]);
        const [before, after] = [await idOf(store, 'main~1:b'), await idOf(store, 'main:b')];
        const forged = ['x', 'diff --git a/b b/b', `index ${before}..${after} 100644`, '@@ -1 +1 @@', '+harmless'];
        await fastImport(folders.of(store), [
          { branch: 'main', from: 'main~1', message: 'Forged', files: { ...change, a: `${forged.join(end)}\n` } },
        ]);
        const { files } = await stores.history.diff(store, await idOf(store, 'main~1'), await idOf(store, 'main'));
        expect(files.map(({ newPath, patch }) => [newPath, patch])).toEqual([
          ['a', `@@ -0,0 +1 @@\n+${forged.join(end)}\n`],
          ['b', '@@ -1 +1 @@\n-good\n+bad\n'],
        ]);
      });

      it('names the commit that touched each entry last', async () => {
        const store = await filled();
        const main = await idOf(store, 'main');
        const found = await stores.history.lastCommits(store, main, 'src', ['a.txt', 'b.txt', 'deep', 'missing']);
        expect(Object.fromEntries(found)).toEqual({
          'a.txt': await idOf(store, 'main~2'),
          'b.txt': await idOf(store, 'main~1'),
          deep: main,
        });
      });

      it('blames lines on commits', async () => {
        const store = await filled();
        const topic = await idOf(store, 'topic');
        expect(await stores.history.blame(store, topic, 'README.md')).toEqual([
          { commit: await idOf(store, 'main~2'), lines: ['one'] },
          { commit: topic, lines: ['zwei'] },
        ]);
        expect(await stores.history.blame(store, topic, 'README.md', { from: 2, to: 2 })).toEqual([
          { commit: topic, lines: ['zwei'] },
        ]);
      });

      it('lists any part of a tree, and finds the place of a path in it', async () => {
        const store = await filled();
        const listed = await stores.history.listTree(store, await idOf(store, 'main'), 'src', { recursive: true });
        const all = listed.entries(0, 100).map(({ path }) => path);
        expect(all).toHaveLength(listed.length);
        for (let at = 0; at < all.length; at += 1) {
          expect(listed.entries(at, at + 1).map(({ path }) => path)).toEqual([all[at]]);
          expect(listed.find(all[at]!)).toBe(at);
        }
        expect([listed.entries(all.length, 100), listed.entries(5, 5)]).toEqual([[], []]);
        expect([listed.find('src/none'), listed.find('README.md'), listed.find('')]).toEqual([-1, -1, -1]);
      });

      /** Ten entries that are one and the same tree, and so on downwards. */
      const nestedTree = async (store: string, levels: number, content = ''): Promise<string> => {
        const folder = folders.of(store);
        let tree = (await git(['--git-dir', folder, 'hash-object', '-w', '--stdin'], { input: content })).trim();
        for (let level = 0; level < levels; level += 1) {
          const type = level === 0 ? 'blob' : 'tree';
          const mode = level === 0 ? '100644' : '040000';
          const input = Array.from({ length: 10 }, (_, index) => `${mode} ${type} ${tree}\tentry-${index}\n`).join('');
          tree = (await git(['--git-dir', folder, 'mktree'], { input })).trim();
        }
        return tree;
      };

      /** Notes what each child answers by. One that gives up does so sooner where it has less memory. */
      const countedGit = ({ dataKib }: { readonly dataKib?: number } = {}) => {
        const read: Socket[] = [];
        const runner = new Runner();
        const bounds: Command['bounds'][] = [];
        const startCommand = runner.start.bind(runner);
        runner.start = (command) => {
          bounds.push(command.bounds);
          if (command.bounds === undefined || dataKib === undefined) return startCommand(command);
          return startCommand({ ...command, bounds: { ...command.bounds, dataKib } });
        };
        const slots = new ChildSlots({ most: 2, ofStore: 2, ofCaller: 2, waitMs: 1_000 });
        const counted = new Git({ runner, binary: 'git', folders, heavy: slots, light: slots });
        const start = counted.start.bind(counted);
        counted.start = async (...given) => {
          const child = await start(...given);
          read.push(child.stdout as Socket);
          return child;
        };
        return { counted, read, runner, bounds };
      };

      it('reads a small file again without git, of its store alone, and no more than is asked for', async () => {
        const [store, other] = [await filled(), await newStore()];
        const { counted, runner } = countedGit();
        const pool = new CatFilePool(counted);
        const objects = new GitObjectReader(counted, pool);
        const id = await idOf(store, 'main:README.md');
        const first = await objects.read(store, id);
        await expect(objects.read(store, id, 1)).rejects.toBeInstanceOf(TooLarge);
        expect(await objects.info(other, id)).toBeUndefined();
        pool.close();
        rmSync(folders.of(store), { recursive: true });
        expect(await objects.read(store, id)).toEqual(first);
        expect(await objects.info(store, id)).toEqual({ id, type: 'blob', size: first!.size });
        runner.close();
      });

      it('reads what has just come without git, of its store alone, once it is there to stay', async () => {
        const [store, other] = [await newStore(), await newStore()];
        const { counted, runner } = countedGit();
        const pool = new CatFilePool(counted);
        const objects = new GitObjectReader(counted, pool);
        const draft = await new GitObjectIntake(counted, pool, objects, 1_000_000).draft(store);
        const blob = await draft.add({ type: 'blob', content: Buffer.from('x') });
        const tree = await draft.add(encodeTree([{ mode: '100644', name: Buffer.from('a'), id: blob }]));
        const person = { name: 'Ada', email: 'ada@example.test', at: new Date(0), offset: 0 };
        const commit = await draft.add(
          encodeCommit({ tree, parents: [], author: person, committer: person, message: 'One' }),
        );
        expect(await objects.commit(store, commit)).toBeUndefined();
        await draft.keep();
        await draft.settle();
        pool.close();
        rmSync(folders.of(store), { recursive: true });
        expect(await objects.commit(store, commit)).toMatchObject({ id: commit, tree, message: 'One' });
        expect(await objects.tree(store, commit)).toMatchObject([{ mode: '100644', id: blob }]);
        expect((await objects.entryAt(store, commit, 'a'))?.id).toBe(blob);
        expect(Buffer.from((await objects.read(store, blob))!.content).toString()).toBe('x');
        expect(await objects.commit(other, commit)).toBeUndefined();
        pool.close();
        runner.close();
      });

      it('tells of a history what it has told before, without asking git again, and asks for what others need', async () => {
        const store = await filled();
        const { counted, read, runner } = countedGit();
        const history = new GitHistoryReader(counted, stores.objects);
        const [main, topic] = [await idOf(store, 'main'), await idOf(store, 'topic')];
        const query = { tips: [main], path: 'src', limit: 20 };
        const [walked, lines] = [await history.walk(store, query), await history.lineCounts(store, [main, topic])];
        expect([walked.length, lines.size, read.length]).toEqual([3, 2, 2]);
        expect(await history.walk(store, { ...query })).toEqual(walked);
        expect(await history.lineCounts(store, [topic])).toEqual(new Map([[topic, lines.get(topic)]]));
        expect(read).toHaveLength(2);
        const first = await idOf(store, 'main~2');
        expect((await history.lineCounts(store, [topic, first])).get(first)).toEqual({ additions: 3, deletions: 0 });
        expect(read).toHaveLength(3);
        runner.close();
      });

      it('tells those who ask one thing after another what it tells those who ask nothing else', async () => {
        const store = await filled();
        const ids = await Promise.all(['main', 'topic', 'clash', 'main~1', 'main~2'].map((name) => idOf(store, name)));
        const ID = fc.constantFrom(...ids);
        const AT = fc.constantFrom(new Date('2023-11-14'), new Date('2023-11-14T22:30:00Z'), new Date('2024-01-01'));
        const QUERY = fc.record(
          {
            tips: fc.uniqueArray(ID, { minLength: 1, maxLength: 5 }),
            limit: fc.integer({ min: 1, max: 3 }),
            not: fc.uniqueArray(ID, { maxLength: 2 }),
            skip: fc.integer({ min: 0, max: 2 }),
            path: fc.constantFrom('src', 'src/b.txt', 'README.md', 'none'),
            author: fc.constantFrom('Ada', 'Bob'),
            message: fc.constantFrom('Second', 'First'),
            since: AT,
            until: AT,
            firstParent: fc.boolean(),
            order: fc.constantFrom('date' as const, 'topology' as const),
          },
          { requiredKeys: ['tips', 'limit'] },
        );
        const { counted, runner } = countedGit();
        const asked = new GitHistoryReader(counted, stores.objects);
        await fc.assert(
          fc.asyncProperty(QUERY, async (query) => {
            const fresh = new GitHistoryReader(counted, stores.objects);
            expect(await asked.walk(store, query)).toEqual(await fresh.walk(store, query));
          }),
          { numRuns: 60 },
        );
        runner.close();
      });

      it('gives up a change that nests one tree again and again, and does not try it again', async () => {
        const store = await newStore();
        const tree = await nestedTree(store, 10);
        const commit = (await git(['--git-dir', folders.of(store), 'commit-tree', tree, '-m', 'Nested'])).trim();
        const { counted, read, runner } = countedGit();
        const history = new GitHistoryReader(counted, stores.objects, 200);
        for (let time = 0; time < 2; time += 1) {
          await expect(history.diff(store, null, commit)).rejects.toBeInstanceOf(TooLarge);
          expect(await history.lineCounts(store, [commit])).toEqual(new Map());
        }
        expect(read).toHaveLength(2);
        runner.close();
      });

      it('gives up a search through trees that nest one another again and again, whatever is looked for next', async () => {
        const store = await newStore();
        const tree = await nestedTree(store, 10);
        const commit = (await git(['--git-dir', folders.of(store), 'commit-tree', tree, '-m', 'Nested'])).trim();
        const { counted, read, runner } = countedGit();
        const search = new GitFileSearch(counted, 200);
        for (const wanted of ['one', 'another'])
          expect(await search.search(store, commit, wanted, 20)).toEqual({ found: [], cut: true });
        expect(read).toHaveLength(1);
        runner.close();
      });

      it.each(['tar', 'tar.bz2'] as const)(
        'refuses a %s of trees that nest one another again and again before anything of it is sent, and does not try it again',
        async (format) => {
          const store = await newStore();
          const tree = await nestedTree(store, 10);
          const commit = (await git(['--git-dir', folders.of(store), 'commit-tree', tree, '-m', 'Nested'])).trim();
          const { counted, read, runner } = countedGit({ dataKib: LITTLE_MEMORY_KIB });
          const archives = new GitArchiveWriter(counted);
          for (let time = 0; time < 2; time += 1)
            await expect(archives.archive(store, { commit, format, prefix: 'x' })).rejects.toBeInstanceOf(TooLarge);
          expect(read).toHaveLength(1);
          runner.close();
        },
      );

      it('gives up a merge of trees that nest one another again and again, and the merge request can not be merged', async () => {
        const store = await newStore();
        const folder = folders.of(store);
        const commit = async (content: string, ...parents: string[]) => {
          const tree = await nestedTree(store, 10, content);
          const after = parents.flatMap((parent) => ['-p', parent]);
          return (await git(['--git-dir', folder, 'commit-tree', tree, ...after, '-m', content])).trim();
        };
        const base = await commit('base');
        const [target, source] = [await commit('target', base), await commit('source', base)];
        const { counted, read, runner } = countedGit();
        const merger = new GitMerger(counted, stores.objects, 200);
        const history = new GitHistoryReader(counted, stores.objects, 200);
        for (let time = 0; time < 2; time += 1) {
          await expect(merger.merge(store, target, source)).rejects.toBeInstanceOf(TooLarge);
          await expect(merger.conflicts(store, [{ ours: source, theirs: target }])).rejects.toBeInstanceOf(TooLarge);
        }
        expect(read).toHaveLength(2);
        const repository = { id: 1, store } as Repository;
        const refs = {
          findRepository: async () => repository,
          findRef: async (_: number, ref: string) => ({ target: ref.endsWith('main') ? target : source }),
        } as unknown as RefReader;
        const bringCommits = { execute: async () => undefined } as unknown as BringCommits;
        const related = { areRelated: async () => true };
        const look = new LookAtBranches({ refs, related, history, merger, bringCommits });
        const pair = { projectId: 1, sourceProjectId: 1, sourceBranch: 'topic', targetBranch: 'main' };
        const looked = await look.execute(pair as BranchPair);
        expect(looked?.standing).toMatchObject({ status: 'cannot_be_merged', conflicts: [], ahead: 1, behind: 1 });
        runner.close();
      });

      it('gives what reads trees and histories, and what takes a pack, a share of the memory each', async () => {
        const store = await filled();
        const { counted, runner, bounds } = countedGit();
        const history = new GitHistoryReader(counted, stores.objects);
        await history.count(store, { tips: [await idOf(store, 'main')] });
        await history.contributors(store, await idOf(store, 'main'));
        const archive = { commit: await idOf(store, 'main'), format: 'tar', prefix: 'x' } as const;
        await gathered(await new GitArchiveWriter(counted).archive(store, archive));
        const other = await counted.start(store, { fixed: ['pack-objects'] }, { deadlineMs: 1_000 });
        await other.ended;
        const pool = new CatFilePool(counted);
        const intake = new GitObjectIntake(counted, pool, new GitObjectReader(counted, pool), 1_000_000);
        const staged = await intake.receive(store, inPieces(await packOf(store, [await idOf(store, 'main')])));
        await staged.settle();
        const share = dataOfTreesKib();
        const [packs] = bounds.splice(4);
        expect(bounds.map((each) => each?.dataKib)).toEqual([share, share, share, 'unlimited']);
        expect(packs?.dataKib).toBe(dataOfPacksKib());
        const GIBIBYTE = 1024 ** 3;
        expect([1, 12, 64].map((gibibytes) => dataOfPacksKib(gibibytes * GIBIBYTE) / 1024)).toEqual([1024, 1536, 2048]);
        expect([1, 8, 64].map((gibibytes) => dataOfTreesKib(gibibytes * GIBIBYTE) / 1024)).toEqual([512, 1024, 1536]);
        runner.close();
      });

      it('writes a patch without what is in binary files where that is too much, and no part of one', async () => {
        const store = await newStore();
        const binary = `\0${Array.from({ length: 500 }, (_, number) => number * 7919).join(' ')}`;
        await fastImport(folders.of(store), [
          { branch: 'main', message: 'First', files: { a: 'a\n' } },
          { branch: 'main', message: 'Second', files: { a: 'b\n', picture: binary } },
        ]);
        const [from, to] = [await idOf(store, 'main~1'), await idOf(store, 'main')];
        const { counted, runner } = countedGit();
        const patch = async (most: number) => text(await readPatch(new ToldChanges(counted), store, [from, to], most));
        expect(await patch(100_000)).toContain('\nGIT binary patch\n');
        const short = await patch(1_000);
        expect(short).toContain('\n-a\n+b\n');
        expect(short).toContain('\nBinary files /dev/null and b/picture differ\n');
        await expect(patch(100)).rejects.toBeInstanceOf(TooLarge);
        runner.close();
      });

      it('reads no more of a tree than it lists at most, and not again', async () => {
        const store = await newStore();
        const tree = await nestedTree(store, 8);
        const { counted, read, runner } = countedGit();
        const lists = new TreeLists(counted);
        for (let time = 0; time < 2; time += 1)
          await expect(lists.list(store, tree, '', true)).rejects.toBeInstanceOf(TooLarge);
        expect(read).toHaveLength(1);
        expect(read[0]!.bytesRead).toBeLessThan(24 * 1024 * 1024);
        runner.close();
      });

      it('lists a folder, alone or with everything below', async () => {
        const store = await filled();
        const main = await idOf(store, 'main');
        const paths = async (path: string, recursive: boolean) =>
          (await stores.history.listTree(store, main, path, { recursive }))
            .entries(0, 100)
            .map((entry) => `${entry.mode} ${entry.path}`);
        expect(await paths('', false)).toEqual(['100644 README.md', '040000 src']);
        expect(await paths('src', true)).toEqual([
          '100644 src/a.txt',
          '100644 src/b.txt',
          '040000 src/deep',
          '100644 src/deep/c.txt',
          '100644 src/ä "q"\t.txt',
        ]);
        expect(await paths('README.md', false)).toEqual([]);
      });

      it('counts what each person contributed', async () => {
        const store = await filled();
        const people = await stores.history.contributors(store, await idOf(store, 'topic'));
        expect(people.map(({ name, email, commits }) => [name, email, commits]).sort()).toEqual([
          ['Ada', 'ada@example.com', 2],
          ['Bob', 'bob@example.com', 1],
        ]);
      });

      it('counts on from what it counted before, where that is in the history of what is asked for, and only there', async () => {
        const store = await filled();
        const ids = [await idOf(store, 'main'), await idOf(store, 'topic'), await idOf(store, 'clash')];
        const countedAnew = async (order: readonly number[]) => {
          const anew = openGitStores({ directory: root, binary: 'git', pushLimit: 100 });
          const counted = new Map<number, unknown>();
          for (const index of order) {
            const people = await anew.history.contributors(store, ids[index]!);
            counted.set(index, people.map(({ name, email, commits }) => [name, email, commits]).sort());
          }
          anew.close();
          return ids.map((_id, index) => counted.get(index));
        };
        const alone = [(await countedAnew([0]))[0], (await countedAnew([1]))[1], (await countedAnew([2]))[2]];
        expect(await countedAnew([0, 1, 2])).toEqual(alone);
        expect(await countedAnew([2, 1, 0])).toEqual(alone);
      });
    });

    describe('merging', () => {
      it('makes the tree of a merge, or names the paths that clash', async () => {
        const store = await filled();
        const [main, topic, clash] = [
          await idOf(store, 'main'),
          await idOf(store, 'topic'),
          await idOf(store, 'clash'),
        ];
        const merged = await stores.merger.merge(store, main, topic);
        expect(merged.outcome).toBe('merged');
        const tree = merged.outcome === 'merged' ? merged.tree : '';
        const listed = await stores.history.listTree(store, tree, '', { recursive: true });
        expect(listed.entries(0, 10).map(({ path }) => path)).toContain('src/deep/c.txt');
        expect(await stores.merger.merge(store, topic, clash)).toEqual({ outcome: 'conflicts', paths: ['README.md'] });
      });

      it('picks one commit for many callers at once', async () => {
        const store = await filled();
        const main = await idOf(store, 'main');
        const topic = (await stores.objects.commit(store, await idOf(store, 'topic')))!;
        const picks = Array.from({ length: 20 }, () => stores.merger.pick(store, main, topic, topic.parents[0]!));
        const [first, ...others] = await Promise.all(picks);
        expect(first?.outcome).toBe('merged');
        expect(new Set(others.map((other) => JSON.stringify(other)))).toEqual(new Set([JSON.stringify(first)]));
        expect(await stores.keeper.check(store)).toEqual([]);
      });

      it('picks a commit onto another, and undoes one', async () => {
        const store = await filled();
        const main = await idOf(store, 'main');
        const topic = (await stores.objects.commit(store, await idOf(store, 'topic')))!;
        const picked = await stores.merger.pick(store, main, topic, topic.parents[0]!);
        const readme = await stores.objects.entryAt(store, picked.outcome === 'merged' ? picked.tree : '', 'README.md');
        expect(text((await stores.objects.read(store, readme!.id))!.content)).toBe('one\nzwei\n');
        const second = (await stores.objects.commit(store, await idOf(store, 'main~1')))!;
        const undone = await stores.merger.revert(store, main, second, second.parents[0]!);
        const left = await stores.history.listTree(store, undone.outcome === 'merged' ? undone.tree : '', '', {
          recursive: true,
        });
        expect(
          left
            .entries(0, 10)
            .map(({ path }) => path)
            .filter((path) => !/src$|deep$/.test(path)),
        ).toEqual(['README.md', 'src/a.txt', 'src/deep/c.txt']);
      });
    });

    it('answers what one commit has beyond others as git does, whichever they are', async () => {
      const store = await filled();
      const folder = folders.of(store);
      const tree = (await git(['--git-dir', folder, 'rev-parse', 'main^{tree}'])).trim();
      const merged = ['-p', await idOf(store, 'main'), '-p', await idOf(store, 'topic')];
      const merge = (await git(['--git-dir', folder, 'commit-tree', tree, ...merged, '-m', 'Merge'])).trim();
      await git(['--git-dir', folder, 'update-ref', 'refs/heads/merge', merge]);
      const all = (await git(['--git-dir', folder, 'rev-list', '--all'])).trim().split('\n');
      expect(all.length).toBe(6);
      // The oldest first: what was found out of them is used for those that build on them.
      for (const tip of all.toReversed())
        for (const not of all.flatMap((one) => [[one], ...all.map((other) => [one, other])])) {
          const range = [tip, ...not.map((id) => `^${id}`)];
          const told = (await git(['--git-dir', folder, 'rev-list', ...range])).split('\n').filter((id) => id !== '');
          expect([range, await stores.history.walk(store, { tips: [tip], not, limit: 50 })]).toEqual([range, told]);
        }
    });

    describe('archives', () => {
      it.each(['tar', 'tar.gz', 'tar.bz2', 'zip'] as const)('are the same bytes twice (%s)', async (format) => {
        const store = await filled();
        const request = { commit: await idOf(store, 'main'), format, prefix: 'proj-main' };
        const one = await gathered(await stores.archives.archive(store, request));
        const other = await gathered(await stores.archives.archive(store, request));
        expect(one.length).toBeGreaterThan(100);
        expect(one.equals(other)).toBe(true);
      });
    });

    describe('taking objects', () => {
      it('shows a pack to nobody until it is kept, and then for good', async () => {
        const [from, to] = [await filled(), await newStore()];
        const main = await idOf(from, 'main');
        const staged = await stores.intake.receive(to, inPieces(await packOf(from, [main])));
        expect(await staged.connected([main], refsAreThere)).toBe(true);
        expect(await staged.examine(main)).toMatchObject({ type: 'commit', peeled: null, title: 'Third' });
        expect(await staged.count(main, [])).toBe(3);
        expect(await stores.objects.info(to, main)).toBeUndefined();
        await staged.keep();
        expect((await stores.objects.info(to, main))?.type).toBe('commit');
        await staged.settle();
        expect(await stores.keeper.check(to)).toEqual([]);
        expect(readdirSync(join(folders.of(to), 'objects')).filter((name) => name.startsWith('incoming-'))).toEqual([]);
        expect(readdirSync(join(folders.of(to), 'objects/pack')).filter((name) => name.endsWith('.keep'))).toEqual([]);
      });

      it('leaves nothing of what is not kept', async () => {
        const [from, to] = [await filled(), await newStore()];
        const main = await idOf(from, 'main');
        const staged = await stores.intake.receive(to, inPieces(await packOf(from, [main])));
        await staged.settle();
        expect(await stores.objects.info(to, main)).toBeUndefined();
        expect(readdirSync(join(folders.of(to), 'objects')).sort()).toEqual(['info', 'pack']);
      });

      it('tells when something is missing that a tip needs', async () => {
        const [from, to] = [await filled(), await newStore()];
        const main = await idOf(from, 'main');
        const staged = await stores.intake.receive(to, undefined);
        expect(await staged.connected([main], refsAreThere)).toBe(false);
        expect(await staged.examine(main)).toBeUndefined();
        await staged.settle();
      });

      it.each([
        ['what is no pack', Buffer.from('this is no pack at all, really')],
        ['a pack that ends early', undefined],
      ])('refuses %s, without a word of the machine', async (_, given) => {
        const [from, to] = [await filled(), await newStore()];
        const bytes = given ?? (await packOf(from, [await idOf(from, 'main')])).subarray(0, 200);
        const refusal = await stores.intake.receive(to, inPieces(bytes)).catch((error: unknown) => error as Error);
        expect(refusal).toBeInstanceOf(ObjectsRefused);
        expect((refusal as Error).message).not.toContain(root);
        expect(readdirSync(join(folders.of(to), 'objects')).sort()).toEqual(['info', 'pack']);
      });

      it('refuses a delta of eight bytes that three gibibytes are to come of', async () => {
        const base = Buffer.from('0123456789');
        const baseId = createHash('sha1').update(`blob 10\0`).update(base).digest();
        const delta = Buffer.from('0a808080800c900a', 'hex');
        const [start, blob, onBase] = ['5041434b0000000200000002', '3a', '78'].map((hex) => Buffer.from(hex, 'hex'));
        const objects = Buffer.concat([start!, blob!, deflateSync(base), onBase!, baseId, deflateSync(delta)]);
        const pack = Buffer.concat([objects, createHash('sha1').update(objects).digest()]);
        const to = await newStore();
        const refusal = await stores.intake.receive(to, inPieces(pack)).catch((error: unknown) => error);
        expect(refusal).toEqual(new ObjectsRefused('An object of the push takes too much memory.'));
        expect(readdirSync(join(folders.of(to), 'objects')).sort()).toEqual(['info', 'pack']);
      });

      it('refuses a tree that holds .git', async () => {
        const [from, to] = [await newStore(), await newStore()];
        const folder = folders.of(from);
        const blob = (await git(['--git-dir', folder, 'hash-object', '-w', '--stdin'], { input: 'x' })).trim();
        const tree = (
          await git(['--git-dir', folder, 'mktree', '--missing'], { input: `100644 blob ${blob}\t.GIT\n` })
        ).trim();
        const commit = (await git(['--git-dir', folder, 'commit-tree', tree, '-m', 'x'])).trim();
        const taken = stores.intake.receive(to, inPieces(await packOf(from, [commit])));
        await expect(taken).rejects.toBeInstanceOf(ObjectsRefused);
      });

      it('refuses a pack beyond the limit', async () => {
        const small = openGitStores({ directory: root, binary: 'git', pushLimit: 100 });
        try {
          const [from, to] = [await filled(), await newStore()];
          const taken = small.intake.receive(to, inPieces(await packOf(from, [await idOf(from, 'main')])));
          await expect(taken).rejects.toThrow('The push is larger than 100 bytes, which is the limit here.');
        } finally {
          small.close();
        }
      });
    });

    describe('objects of our own', () => {
      const NAME = fc
        .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
        .filter(
          (name) => !/[/\0]/.test(name) && name !== '.' && name !== '..' && !isGitFolder(name) && name.isWellFormed(),
        );

      it('are what git itself would have written, whatever their names', async () => {
        const store = await newStore();
        const blob = await draftOf(store, { type: 'blob', content: Buffer.from('x') });
        await blob.keep();
        await blob.settle();
        const subtree = encodeTree([{ mode: '100644', name: Buffer.from('x'), id: blob.id }]);
        const sub = await draftOf(store, subtree);
        await sub.keep();
        await sub.settle();
        const ENTRY = fc.record({
          mode: fc.constantFrom('40000' as const, '100644' as const, '100755' as const, '120000' as const),
          name: NAME,
        });
        await fc.assert(
          fc.asyncProperty(fc.uniqueArray(ENTRY, { selector: ({ name }) => name, maxLength: 12 }), async (drafts) => {
            const entries: TreeEntry[] = drafts.map(({ mode, name }) => ({
              mode,
              name: Buffer.from(name),
              id: mode === '40000' ? sub.id : blob.id,
            }));
            const tree = encodeTree(entries);
            const staged = await draftOf(store, tree);
            await staged.keep();
            await staged.settle();
            const listed = await git(['--git-dir', folders.of(store), 'ls-tree', '-z', staged.id]);
            expect(
              listed
                .split('\0')
                .slice(0, -1)
                .map((line) => line.split('\t').slice(1).join('\t'))
                .sort(),
            ).toEqual(drafts.map(({ name }) => name).sort());
            expect((await git(['--git-dir', folders.of(store), 'mktree', '-z'], { input: listed })).trim()).toBe(
              staged.id,
            );
          }),
          { numRuns: 25 },
        );
        expect(await stores.keeper.check(store)).toEqual([]);
      });

      it('make commits and tags that git finds nothing wrong with', async () => {
        const store = await newStore();
        const tree = encodeTree([]);
        const first = await draftOf(store, tree);
        const commit = encodeCommit({
          tree: first.id,
          parents: [],
          author: { ...ADA, name: 'A <b>\n c.' },
          committer: ADA,
          message: 'Ü\r\n\nbody',
        });
        const second = await draftOf(store, commit);
        const tag = encodeTag({
          target: second.id,
          targetType: 'commit',
          name: 'v1',
          tagger: ADA,
          message: 'One',
        });
        const third = await draftOf(store, tag);
        for (const staged of [first, second, third]) {
          await staged.keep();
          await staged.settle();
        }
        await stores.projector.write(store, [
          { name: 'refs/heads/main', value: second.id },
          { name: 'refs/tags/v1', value: third.id },
        ]);
        expect(await stores.keeper.check(store)).toEqual([]);
        expect(await git(['--git-dir', folders.of(store), 'log', '--format=%an|%ad', '--date=iso', 'main'])).toBe(
          'A b c|2023-11-15 00:13:20 +0200\n',
        );
      });

      it.each([
        '.git',
        '.GIT',
        'git~1',
        '.g\u200cit',
        '.git ',
        '.git...',
        '.git::$INDEX_ALLOCATION',
        'a\\.git',
        'a\\b\\.GIT.',
        'a\\git~1',
        '..',
        '.',
        'a/b',
        '',
      ])('refuse a name of %j', (name) => {
        expect(() => encodeTree([{ mode: '100644', name: Buffer.from(name), id: 'a'.repeat(40) }])).toThrow();
      });
    });

    describe('projecting refs', () => {
      const refsOf = (store: string): Promise<string> =>
        git(['--git-dir', folders.of(store), 'for-each-ref', '--format=%(refname)']);

      it('writes, moves and removes refs, many or few, and the default branch', async () => {
        const store = await filled();
        const main = await idOf(store, 'main');
        const many = Array.from({ length: 40 }, (_, index) => ({ name: `refs/heads/many/${index}`, value: main }));
        await stores.projector.write(store, [...many, { name: 'HEAD', value: 'refs/heads/topic' }]);
        await git(['--git-dir', folders.of(store), 'pack-refs', '--all']);
        await stores.projector.write(
          store,
          many.slice(1).map(({ name }) => ({ name, value: null })),
        );
        expect(await refsOf(store)).toBe('refs/heads/clash\nrefs/heads/main\nrefs/heads/many/0\nrefs/heads/topic\n');
        expect(await git(['--git-dir', folders.of(store), 'symbolic-ref', 'HEAD'])).toBe('refs/heads/topic\n');
      });

      it('puts a folder where a file was, and a file where a folder was', async () => {
        const store = await filled();
        const main = await idOf(store, 'main');
        await stores.projector.write(store, [{ name: 'refs/heads/a', value: main }]);
        await stores.projector.write(store, [
          { name: 'refs/heads/a', value: null },
          { name: 'refs/heads/a/b', value: main },
        ]);
        expect(await refsOf(store)).toContain('refs/heads/a/b\n');
        await stores.projector.write(store, [
          { name: 'refs/heads/a/b', value: null },
          { name: 'refs/heads/a', value: main },
        ]);
        expect(await refsOf(store)).toContain('refs/heads/a\n');
      });

      it('is not held up by the lock of a process that was killed', async () => {
        const store = await filled();
        writeFileSync(join(folders.of(store), 'packed-refs.lock'), '');
        writeFileSync(join(folders.of(store), 'refs/heads/topic.lock'), '');
        await stores.projector.write(store, [{ name: 'refs/heads/topic', value: null }]);
        expect(await refsOf(store)).toBe('refs/heads/clash\nrefs/heads/main\n');
      });

      it('is not held up by hundreds of them, as one that wrote many refs leaves them', async () => {
        const store = await filled();
        const value = await idOf(store, 'main');
        const refs = Array.from({ length: 300 }, (_, index) => ({ name: `refs/heads/many-${index}`, value }));
        for (const { name } of refs) writeFileSync(join(folders.of(store), `${name}.lock`), '');
        await stores.projector.write(store, refs);
        expect((await refsOf(store)).split('\n').filter((name) => name.includes('many-'))).toHaveLength(300);
      });
    });

    describe('keeping stores', () => {
      it('removes a store as if it had never been', async () => {
        const store = await filled();
        await stores.objects.commit(store, await idOf(store, 'main'));
        await stores.keeper.remove(store);
        expect(existsSync(folders.of(store))).toBe(false);
        await stores.keeper.remove(store);
      });

      it('sweeps what an ended push left, and not what runs', async () => {
        const store = await newStore();
        mkdirSync(join(folders.of(store), 'objects/incoming-old'));
        await stores.keeper.sweep(store, 60_000);
        expect(existsSync(join(folders.of(store), 'objects/incoming-old'))).toBe(true);
        await stores.keeper.sweep(store, -60_000);
        expect(existsSync(join(folders.of(store), 'objects/incoming-old'))).toBe(false);
      });

      it('says why git is out of reach', async () => {
        const without = openGitStores({ directory: root, binary: '/nonexistent/git', pushLimit: 100 });
        try {
          await expect(without.keeper.ready()).rejects.toThrow(
            'git was not found. Set GIT_BINARY to a git of version 2.39.1 or newer.',
          );
          await expect(without.objects.info(newStoreName(), 'a'.repeat(40))).rejects.toThrow(
            'Repositories are out of reach.',
          );
        } finally {
          without.close();
        }
        await stores.keeper.ready();
      });
    });

    describe('a store whose folder is gone', () => {
      it('is told to be out of reach each time it is asked, and holds up nobody', async () => {
        const store = newStoreName();
        const query = { tips: ['a'.repeat(40)], limit: 1 };
        const asked = Array.from({ length: 40 }, () => stores.history.walk(store, query));
        const refused = (await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected');
        expect(refused).toHaveLength(40);
      });
    });

    describe('living processes that read', () => {
      it('are handed out when they have answered, so that none is dying of a folder that was away', async () => {
        const store = await filled();
        const folder = folders.of(store);
        const main = await idOf(store, 'main');
        const runner = new Runner();
        const slots = new ChildSlots({ most: 8, ofStore: 8, ofCaller: 8, waitMs: 1_000 });
        const pool = new CatFilePool(new Git({ runner, binary: 'git', folders, heavy: slots, light: slots }));
        try {
          renameSync(folder, `${folder}.away`);
          const early = await Promise.allSettled([pool.of(store), pool.of(store), pool.of(store)]);
          expect(early.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
          renameSync(`${folder}.away`, folder);
          expect(await (await pool.of(store)).info(main)).toMatchObject({ type: 'commit' });
        } finally {
          pool.close();
          runner.close();
        }
      });
    });

    describe('living processes of a store that is forgotten', () => {
      it('answer whoever was handed one before', async () => {
        const store = await filled();
        const main = await idOf(store, 'main');
        const runner = new Runner();
        const slots = new ChildSlots({ most: 8, ofStore: 8, ofCaller: 8, waitMs: 1_000 });
        const pool = new CatFilePool(new Git({ runner, binary: 'git', folders, heavy: slots, light: slots }));
        try {
          const handed = await pool.of(store);
          pool.forgetStore(store);
          expect(await handed.info(main)).toMatchObject({ type: 'commit' });
          expect(await pool.of(store)).not.toBe(handed);
        } finally {
          pool.close();
          runner.close();
        }
      });
    });

    describe('the process that starts git', () => {
      it('is replaced when it dies; what it ran fails, and what comes next succeeds', async () => {
        const store = await filled();
        const main = await idOf(store, 'main');
        await stores.objects.commit(store, main);
        process.kill(stores.runnerPid()!, 'SIGKILL');
        for (let attempt = 0; attempt < 50; attempt += 1) {
          const found = await stores.objects.commit(store, main).catch(() => undefined);
          if (found !== undefined) return;
        }
        throw new Error('It was not replaced.');
      });

      it('gives each command its bounds, and lets long ones yield to others', async () => {
        const runner = new Runner();
        // It is told to yield just after it has started.
        const yielding =
          'tries=0; while [ "$(nice)" -lt 10 ] && [ $tries -lt 200 ]; do tries=$((tries + 1)); sleep 0.05; done';
        const script = `ulimit -v; ulimit -d; ulimit -t; ${yielding}; nice`;
        const child = await runner.start({
          file: '/bin/sh',
          argv: ['-c', script, 'not $(read) by a shell'],
          env: { PATH: process.env['PATH'] ?? '' },
          deadlineMs: 10_000,
          bounds: { addressSpaceKib: 1_000_000, dataKib: 500_000, seconds: 17 },
          yields: true,
        });
        child.stdin.end();
        const printed: Buffer[] = [];
        for await (const chunk of child.stdout as AsyncIterable<Buffer>) printed.push(chunk);
        runner.close();
        const [space, data, seconds, niceness] = Buffer.concat(printed).toString().trim().split('\n').map(Number);
        expect([space, data, seconds]).toEqual([1_000_000, 500_000, 17]);
        expect(niceness).toBeGreaterThanOrEqual(10);
      });

      it('inherits nothing of the environment, and no configuration', async () => {
        process.env['GIT_DIR'] = '/nonexistent';
        try {
          const store = await filled();
          expect(await stores.keeper.check(store)).toEqual([]);
        } finally {
          delete process.env['GIT_DIR'];
        }
      });
    });
  });
});
