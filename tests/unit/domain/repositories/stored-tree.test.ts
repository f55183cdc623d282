import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { encodeTree, TreeDecoding, type TreeEntry } from '../../../../src/domain/repositories/object-format.js';
import { StoredTree } from '../../../../src/domain/repositories/stored-tree.js';

const utf8 = new TextEncoder();
const [ONE, OTHER] = ['1'.repeat(40), 'f'.repeat(40)];

const entry = (name: string, mode: TreeEntry['mode'] = '100644', id = ONE): TreeEntry => ({
  mode,
  name: utf8.encode(name),
  id,
});

const found = (content: Uint8Array): StoredTree => {
  const tree = new StoredTree(content);
  while (tree.findMore());
  return tree;
};

/** As entries are written by hand: modes and order as they are said. */
const raw = (...entries: readonly (readonly [mode: string, name: string])[]): Uint8Array =>
  Buffer.concat(entries.flatMap(([mode, name]) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(ONE, 'hex')]));

// Names of which one begins another: as a folder `a` comes behind `a.b`, and as a file before it.
const names = fc.constantFrom('a', 'a.b', 'a0', 'a-', 'b', 'ab', 'é', '.x', 'B');
const modes = fc.constantFrom<TreeEntry['mode']>('40000', '100644', '100755', '120000', '160000');
const entries = fc.uniqueArray(fc.tuple(names, modes), { selector: ([name]) => name });

describe('a tree of which a few entries change', () => {
  it('is what it would be if it were written anew, whatever was there and comes', () => {
    const changes = fc.uniqueArray(fc.tuple(names, fc.option(modes, { nil: undefined })), {
      selector: ([name]) => name,
    });
    fc.assert(
      fc.property(entries, changes, (before, changed) => {
        const stored = found(encodeTree(before.map(([name, mode]) => entry(name, mode))).content);
        const wanted = new Map(before.map(([name, mode]) => [name, entry(name, mode)]));
        for (const [name, mode] of changed)
          if (mode === undefined) wanted.delete(name);
          else wanted.set(name, entry(name, mode, OTHER));
        const written = stored.with(
          changed.map(([name, mode]) => ({
            name: utf8.encode(name),
            entry: mode === undefined ? undefined : entry(name, mode, OTHER),
          })),
        );
        expect(written).toEqual(wanted.size === 0 ? undefined : encodeTree([...wanted.values()]));
      }),
    );
  });

  it('tells its entries by their names, be they files or folders', () => {
    fc.assert(
      fc.property(entries, names, (there, name) => {
        const stored = found(encodeTree(there.map(([each, mode]) => entry(each, mode))).content);
        const mode = there.find(([each]) => each === name)?.[1];
        expect(stored.find(utf8.encode(name))).toEqual(mode && entry(name, mode));
        expect(stored.count).toBe(there.length);
      }),
    );
  });

  it('keeps those of old programs as they are, and tells their modes as git takes them', () => {
    const stored = found(raw(['100664', 'a'], ['0100755', 'b'], ['120777', 'c'], ['040000', 'd']));
    expect(['a', 'b', 'c', 'd'].map((name) => stored.find(utf8.encode(name))?.mode)).toEqual([
      ...['100644', '100755', '120000', '40000'],
    ]);
    const change = { name: utf8.encode('aa'), entry: entry('aa') };
    expect(stored.with([change])?.content).toEqual(
      new Uint8Array(raw(['100664', 'a'], ['100644', 'aa'], ['0100755', 'b'], ['120777', 'c'], ['040000', 'd'])),
    );
  });

  it('gets no name that git refuses', () => {
    for (const name of ['', '.git', 'a/b', '..'])
      expect(() => found(raw()).with([{ name: utf8.encode(name), entry: entry(name) }])).toThrow('Not a valid object');
  });

  it.each([
    ['is out of order', raw(['100644', 'b'], ['100644', 'a'])],
    ['has a name twice', raw(['100644', 'a'], ['100644', 'a'])],
    ['has a folder where a file would be', raw(['40000', 'a'], ['100644', 'a.b'])],
    ['breaks off', raw(['100644', 'a'], ['100644', 'b']).subarray(0, -1)],
    ['is none', new Uint8Array(100)],
  ])('is not taken from one that %s', (_, content) => {
    expect(() => found(content)).toThrow('A tree ');
  });

  it('is looked through in steps where it is large', () => {
    const files = Array.from({ length: 100_000 }, (_, index) => entry(`f${100_000 + index}`));
    const stored = new StoredTree(encodeTree(files).content);
    let steps = 1;
    while (stored.findMore()) steps += 1;
    expect(steps).toBeGreaterThan(5);
    const written = stored.with([{ name: utf8.encode('f150000'), entry: undefined }]);
    const decoding = new TreeDecoding(written!.content);
    while (decoding.goOn(100_000)) expect(decoding.entries.length).toBeLessThan(99_999);
    expect(decoding.entries).toHaveLength(99_999);
  });
});
