import { mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openGitStores, type GitStores } from '../../src/adapters/outbound/git/open-git-stores.js';
import { idOf } from '../../src/adapters/outbound/git/small-pack.js';
import { StoreFolders } from '../../src/adapters/outbound/git/store-folders.js';
import { writePack } from '../../src/adapters/outbound/git/write-pack.js';
import { ObjectsRefused, type Staged } from '../../src/application/repositories/ports/object-stores.js';
import type { NewObject } from '../../src/domain/repositories/object-format.js';
import { git, newStoreName, removeFolder, temporaryFolder, tryProgram, withGit } from '../support/git.js';
import { until } from '../support/until.js';

const refsAreThere = (): Promise<void> => Promise.resolve();

const PERSON = 'Ada <ada@example.com> 1700000000 +0000';
const blobOf = (content: string | Buffer): NewObject => ({ type: 'blob', content: Buffer.from(content) });
const idOfObject = ({ type, content }: NewObject): string => idOf(type, content);

/** As it stands, right or wrong. */
const treeOf = (...entries: readonly (readonly [mode: string, name: string, id: string])[]): NewObject => ({
  type: 'tree',
  content: Buffer.concat(
    entries.map(([mode, name, id]) => Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')])),
  ),
});

const commitOf = (tree: NewObject, { parents = '', author = PERSON, message = 'x\n' } = {}): NewObject => ({
  type: 'commit',
  content: Buffer.from(`tree ${idOfObject(tree)}\n${parents}author ${author}\ncommitter ${PERSON}\n\n${message}`),
});

const FILE = blobOf('a text\n');

async function* inPieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 100) yield await Promise.resolve(bytes.subarray(at, at + 100));
}

withGit('small pushes', () => {
  describe('small pushes', () => {
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

    const newStore = async (): Promise<string> => {
      const store = newStoreName();
      await stores.keeper.create(store);
      return store;
    };

    const packed = async (objects: readonly NewObject[]): Promise<Buffer> => {
      const folder = temporaryFolder();
      const held = objects.map((object) => [
        idOfObject(object),
        { type: object.type, content: Buffer.from(object.content) },
      ]);
      await writePack(folder, new Map(held as never));
      const name = readdirSync(folder).find((each) => each.endsWith('.pack')) ?? '';
      return readFileSync(join(folder, name));
    };

    const push = (store: string, pack: Buffer, tips: readonly string[], reachable: readonly string[] = []) =>
      stores.intake.receive(store, inPieces(pack), {
        tips,
        ledTo: (commits) => Promise.resolve(new Set(commits.filter((id) => reachable.includes(id)))),
      });

    /** What git is asked about waits in a folder. */
    const wentByGit = (store: string): boolean =>
      readdirSync(join(folders.of(store), 'objects')).some((name) => name.startsWith('incoming-'));

    const pushed = async (store: string, objects: readonly NewObject[], reachable: readonly string[] = []) => {
      const staged = await push(store, await packed(objects), [idOfObject(objects[0]!)], reachable);
      return { staged, byGit: wentByGit(store) };
    };

    const keep = async (staged: Staged): Promise<void> => {
      await staged.keep();
      await staged.settle();
    };

    /** A store with one commit of a few files. */
    const begun = async () => {
      const store = await newStore();
      const folder = treeOf(['100644', '.gitmodules', idOfObject(FILE)], ['100644', 'é', idOfObject(FILE)]);
      const tree = treeOf(['100644', 'a', idOfObject(FILE)], ['40000', 'sub', idOfObject(folder)]);
      const commit = commitOf(tree);
      const { staged } = await pushed(store, [commit, tree, folder, FILE]);
      await keep(staged);
      return { store, commit: idOfObject(commit), folder };
    };

    it('are packed under names that git reads nothing of until all is there: a crash may leave one half written', async () => {
      const folder = temporaryFolder();
      const seen = new Set<string>();
      const watcher = watch(folder, (_event, name) => void seen.add(name ?? ''));
      const content = Buffer.from(FILE.content);
      await writePack(folder, new Map([[idOfObject(FILE), { type: FILE.type, content }]]));
      await until(() => Promise.resolve([...seen].some((name) => /^pack-.*\.idx$/.test(name))));
      watcher.close();
      const unfinished = [...seen].filter((name) => !name.startsWith('pack-'));
      expect(unfinished).toHaveLength(2);
      expect(unfinished.filter((name) => !/^tmp_\w+$/.test(name))).toEqual([]);
    });

    it('are taken without a child of git, seen by nobody until they are kept, and whole then', async () => {
      const store = await newStore();
      const tree = treeOf(['100644', '.gitignore', idOfObject(FILE)], ['100755', 'run', idOfObject(FILE)]);
      const commit = commitOf(tree, { message: 'Begin\n\nMore\n' });
      const { staged, byGit } = await pushed(store, [commit, tree, FILE]);
      expect(byGit).toBe(false);
      const tip = idOfObject(commit);
      expect(await staged.connected([tip], refsAreThere)).toBe(true);
      expect(await staged.examine(tip)).toMatchObject({ type: 'commit', peeled: null, title: 'Begin' });
      expect(await staged.count(tip, [])).toBe(1);
      expect(wentByGit(store)).toBe(false);
      expect(await stores.objects.info(store, tip)).toBeUndefined();
      await staged.keep();
      const packs = join(folders.of(store), 'objects/pack');
      expect(
        readdirSync(packs)
          .map((name) => name.replace(/.*\./, ''))
          .sort(),
      ).toEqual(['idx', 'pack']);
      await staged.settle();
      expect(await git(['--git-dir', folders.of(store), 'ls-tree', '-r', '--name-only', tip])).toBe(
        '.gitignore\nrun\n',
      );
      expect(await stores.keeper.check(store)).toEqual([]);
    });

    it('leave nothing when they are not kept', async () => {
      const store = await newStore();
      const tree = treeOf(['100644', 'a', idOfObject(FILE)]);
      const { staged } = await pushed(store, [commitOf(tree), tree, FILE]);
      await staged.settle();
      expect(readdirSync(join(folders.of(store), 'objects')).sort()).toEqual(['info', 'pack']);
      expect(readdirSync(join(folders.of(store), 'objects/pack'))).toEqual([]);
    });

    it('build on what stands in the same place in a commit that a branch leads to, whatever its name', async () => {
      const { store, commit, folder } = await begun();
      const file = blobOf('another\n');
      const tree = treeOf(['100644', 'a', idOfObject(file)], ['40000', 'sub', idOfObject(folder)]);
      const next = commitOf(tree, { parents: `parent ${commit}\n` });
      const { staged, byGit } = await pushed(store, [next, tree, file], [commit]);
      expect(byGit).toBe(false);
      expect(await staged.distance(commit, idOfObject(next))).toEqual({ ahead: 0, behind: 1 });
      expect(await staged.count(idOfObject(next), [commit])).toBe(1);
      await keep(staged);
      expect(await stores.keeper.check(store)).toEqual([]);
    });

    it.each([
      ['a commit that no branch leads to', []],
      ['a commit that a branch leads to', ['commit']],
    ])('on %s say so: only there git needs no walk', async (_, reachable) => {
      const { store, commit } = await begun();
      const tree = treeOf(['100644', 'b', idOfObject(FILE)]);
      const file = FILE;
      const next = commitOf(tree, { parents: `parent ${commit}\n` });
      const { staged, byGit } = await pushed(store, [next, tree, file], reachable.length === 0 ? [] : [commit]);
      expect(byGit).toBe(reachable.length === 0);
      await staged.settle();
    });

    it.each(['--delta-base-offset', '--no-thin'])('may be deltas of what is there (%s)', async (option) => {
      const store = await newStore();
      const folder = folders.of(store);
      const lines = Array.from({ length: 400 }, (_, line) => `line ${line} of ${line * 7_919}\n`);
      const before = blobOf(lines.join(''));
      const after = blobOf(lines.with(200, 'changed\n').join(''));
      const trees = [before, after].map((file) => treeOf(['100644', 'a', idOfObject(file)]));
      const first = commitOf(trees[0]!);
      const second = commitOf(trees[1]!, { parents: `parent ${idOfObject(first)}\n` });
      await keep((await pushed(store, [first, trees[0]!, before])).staged);
      const source = await newStore();
      await keep((await pushed(source, [first, trees[0]!, before])).staged);
      await keep((await pushed(source, [second, trees[1]!, after], [idOfObject(first)])).staged);
      const into = temporaryFolder();
      const thin = option === '--no-thin' ? [] : ['--thin'];
      const argv = ['pack-objects', '--quiet', '--revs', '--stdout', '--delta-base-offset', ...thin];
      const input = `${idOfObject(second)}\n^${idOfObject(first)}\n`;
      const file = join(into, 'pack');
      const script = `git --git-dir "$1" ${argv.join(' ')} > "$2"`;
      await tryProgram('sh', ['-c', script, 'sh', folders.of(source), file], { input });
      const pack = readFileSync(file);
      expect(pack.length < 1_000).toBe(thin.length > 0);
      const staged = await push(store, pack, [idOfObject(second)], [idOfObject(first)]);
      expect(wentByGit(store)).toBe(false);
      await keep(staged);
      expect(await git(['--git-dir', folder, 'cat-file', 'blob', idOfObject(after)])).toBe(String(after.content));
      expect(await stores.keeper.check(store)).toEqual([]);
    });

    const NOT_PLAIN: readonly (readonly [string, () => readonly NewObject[], 'taken' | 'refused'])[] = [
      ['noise', () => withFile('100644', 'a', blobOf(Buffer.from([0, 1, 2, 200]))), 'taken'],
      ['a link', () => withFile('120000', 'a', FILE), 'taken'],
      ['a name of other letters', () => withFile('100644', 'é', FILE), 'taken'],
      [
        'settings of submodules',
        () => withFile('100644', '.gitmodules', blobOf('[submodule "x"]\n\turl = --x\n')),
        'refused',
      ],
      ['.git', () => withFile('100644', '.GIT', FILE), 'refused'],
      ['a short name of .git', () => withFile('100644', 'git~1', FILE), 'refused'],
      ['a tree that names one file twice', () => withTree(['100644', 'a'], ['100644', 'a']), 'refused'],
      ['a tree out of order', () => withTree(['100644', 'b'], ['100644', 'a']), 'refused'],
      ['an author without an address', () => withFile('100644', 'a', FILE, { author: 'Ada 1 +0000' }), 'refused'],
      ['a commit that holds NUL', () => withFile('100644', 'a', FILE, { message: 'x\0y' }), 'refused'],
      ['more than the tips lead to', () => [...withFile('100644', 'a', FILE), blobOf('more')], 'taken'],
      ['a file that is missing', () => withFile('100644', 'a', FILE).slice(0, 2), 'refused'],
    ];
    const withFile = (mode: string, name: string, file: NewObject, fields = {}): readonly NewObject[] => {
      const tree = treeOf([mode, name, idOfObject(file)]);
      return [commitOf(tree, fields), tree, file];
    };
    const withTree = (...entries: readonly (readonly [string, string])[]): readonly NewObject[] => {
      const tree = treeOf(...entries.map(([mode, name]) => [mode, name, idOfObject(FILE)] as const));
      return [commitOf(tree), tree, FILE];
    };

    it.each(NOT_PLAIN)('of %s are left to git', async (_, objects, end) => {
      const store = await newStore();
      const receiving = pushed(store, objects());
      if (end === 'refused') return expect(receiving).rejects.toBeInstanceOf(ObjectsRefused);
      const { staged, byGit } = await receiving;
      expect(byGit).toBe(true);
      await staged.settle();
    });

    it('of an object that is there with another content are left to git, which refuses them', async () => {
      const { store } = await begun();
      const file = blobOf('one\n');
      const objects = withFile('100644', 'z', file);
      // No two contents of one id are at hand that are text: one is filed under the id of the other.
      const id = idOfObject(file);
      const place = join(folders.of(store), 'objects', id.slice(0, 2));
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, id.slice(2)), deflateSync('blob 4\0two\n'));
      await expect(pushed(store, objects)).rejects.toBeInstanceOf(ObjectsRefused);
    });

    it('take nothing without git that `git fsck --strict` finds fault with, whatever is sent', async () => {
      const NAMES = [
        'a',
        'b',
        'c.txt',
        'dir',
        '.gitignore',
        '.gitmodules',
        '.git',
        '.GIT',
        '.git ',
        '.git.',
        'git~1',
        'GITMOD~1',
      ];
      const MORE_NAMES = ['..', '.', 'é', '.g\u200cit', 'a\\b', 'a:b', '.gitattributes', 'a/b', '', '.git\u0001', 'x '];
      const ENTRY = fc.record({
        mode: fc.oneof(
          { weight: 8, arbitrary: fc.constantFrom('100644', '40000', '100755') },
          { weight: 1, arbitrary: fc.constantFrom('040000', '100664', '120000', '160000', '100000', '') },
        ),
        name: fc.oneof(
          { weight: 6, arbitrary: fc.constantFrom(...NAMES.slice(0, 5)) },
          { weight: 1, arbitrary: fc.constantFrom(...NAMES, ...MORE_NAMES) },
          { weight: 2, arbitrary: fc.string({ minLength: 1, maxLength: 8 }) },
        ),
      });
      const COMMIT = fc.record({
        author: fc.oneof(
          { weight: 6, arbitrary: fc.constant(PERSON) },
          {
            weight: 1,
            arbitrary: fc.constantFrom(
              'A<a> 1 +0000',
              '<a> 1 +0000',
              'A <a 1 +0000',
              'A <a> 01 +0000',
              'A <a> 1 0000',
              'A <a> 1 +00000',
              'A > <a> 1 +0000',
              'A <a> 99999999999999999999 +0000',
              'A <a> 1  +0000',
              ' <a> 1 +0000',
              'A <> 1 +0000',
            ),
          },
        ),
        message: fc.oneof(fc.string(), fc.constantFrom('x\n', '', 'x\0', 'é')),
      });
      let taken = 0;
      const one = async (entries: readonly { mode: string; name: string }[], fields: object, sorted: boolean) => {
        const below = treeOf(['100644', 'file', idOfObject(FILE)]);
        const rows = entries.map(
          ({ mode, name }) => [mode, name, idOfObject(mode.endsWith('40000') ? below : FILE)] as const,
        );
        const key = ([mode, name]: readonly [string, string, string]) =>
          Buffer.from(mode === '40000' ? `${name}/` : name);
        const tree = treeOf(...(sorted ? rows.sort((x, y) => Buffer.compare(key(x), key(y))) : rows));
        const commit = commitOf(tree, fields);
        const used = [below, FILE].filter(
          (each) =>
            rows.some(([, , id]) => id === idOfObject(each)) ||
            (each === FILE && rows.some(([, , id]) => id === idOfObject(below))),
        );
        const store = await newStore();
        const result = await pushed(store, [commit, tree, ...used]).catch((error: unknown) => error as Error);
        if (result instanceof Error) return expect(result).toBeInstanceOf(ObjectsRefused);
        if (!result.byGit) {
          taken += 1;
          await keep(result.staged);
          expect(await stores.keeper.check(store)).toEqual([]);
        } else await result.staged.settle();
        removeFolder(folders.of(store));
      };
      const ENTRIES = fc.uniqueArray(ENTRY, { selector: ({ name }) => name, minLength: 1, maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(ENTRIES, COMMIT, fc.boolean(), (entries, fields, unsorted) => one(entries, fields, !unsorted)),
        { numRuns: 120 },
      );
      expect(taken).toBeGreaterThan(10);
    }, 120_000);
  });
});
