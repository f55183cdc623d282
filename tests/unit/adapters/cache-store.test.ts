import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CacheStore } from '../../../src/adapters/outbound/ci-runner/cache-store.js';
import { makeJobFolders, removeJobFolders } from '../../../src/adapters/outbound/ci-runner/job-folders.js';

let folder: string;
let serial = 0;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'gatehouse-caches-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const newFolder = (): string => join(folder, String((serial += 1)));

describe('caches of a runner', () => {
  const stored = (store: CacheStore, key: string, content: string) =>
    store.put('mill', key, (path) => writeFile(path, content));
  const contentOf = async (store: CacheStore, key: string, project = 'mill') => {
    const path = await store.find(project, key);
    return path && readFileSync(path, 'utf8');
  };

  it('stay by their project and their key, whatever these are called', async () => {
    const store = new CacheStore(newFolder(), 1_000);
    const keys = ['main', '../../main', '/main', '', 'ma\0in', 'Ω'.repeat(10_000)];
    for (const key of keys) await stored(store, key, key.slice(0, 10));
    for (const key of keys) expect(await contentOf(store, key)).toBe(key.slice(0, 10));
    expect(await contentOf(store, 'main', 'loom')).toBeUndefined();
    expect(await contentOf(store, 'none')).toBeUndefined();
  });

  it('are replaced as a whole or not at all, however many jobs keep one at once', async () => {
    const store = new CacheStore(newFolder(), 1_000_000);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => stored(store, 'main', String(index % 10).repeat(5_000))),
    );
    expect(await contentOf(store, 'main')).toMatch(/^(\d)\1{4999}$/);
    const failed = store.put('mill', 'main', async (path) => {
      await writeFile(path, 'half');
      throw new Error('the disk is full');
    });
    await expect(failed).rejects.toThrow('the disk is full');
    expect(await contentOf(store, 'main')).toMatch(/^(\d)\1{4999}$/);
  });

  it('make room for one another: those go that were used least lately, and what was begun long ago', async () => {
    const place = newFolder();
    const store = new CacheStore(place, 250);
    const all = () => readdirSync(place, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.tar'));
    const usedAt = async (key: string, seconds: number) =>
      utimesSync((await store.find('mill', key))!, seconds, seconds);
    await stored(store, 'one', 'x'.repeat(100));
    await stored(store, 'two', 'x'.repeat(100));
    await usedAt('one', 2_000);
    await usedAt('two', 1_000);
    const [first = ''] = all();
    const [left, begun] = [join(place, `${first}.left`), join(place, `${first}.begun`)];
    for (const path of [left, begun]) writeFileSync(path, 'x'.repeat(1_000));
    utimesSync(left, 1_000, 1_000);
    await stored(store, 'three', 'x'.repeat(100));
    expect(
      await Promise.all(['one', 'two', 'three'].map(async (key) => (await contentOf(store, key)) !== undefined)),
    ).toEqual([true, false, true]);
    expect([existsSync(left), existsSync(begun)]).toEqual([false, true]);
    expect(await stored(store, 'one', 'x'.repeat(251))).toEqual({ bytes: 251, isTooLarge: true });
    expect(await contentOf(store, 'one')).toHaveLength(100);
  });
});

describe('folders of jobs', () => {
  it('are called as those of jobs that have ended, are nobody else’s, and those of a runner that was killed are made anew', async () => {
    const above = newFolder();
    const [one, two] = [await makeJobFolders(above), await makeJobFolders(above)];
    expect(one.project).not.toBe(two.project);
    await removeJobFolders(one);
    const again = await makeJobFolders(above);
    expect(again).toEqual(one);
    const owners = { killed: `${hostname()} 4194999`, elsewhere: 'another-machine 4194999' };
    writeFileSync(join(again.project, 'old'), 'old');
    writeFileSync(join(again.all, 'runner'), owners.elsewhere);
    expect((await makeJobFolders(above)).all).not.toBe(again.all);
    writeFileSync(join(again.all, 'runner'), owners.killed);
    expect(await makeJobFolders(above)).toEqual(again);
    expect(readdirSync(again.project)).toEqual([]);
  });
});
