import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CacheStore } from '../../../src/adapters/outbound/ci-runner/cache-store.js';
import { FoldersOfJobs, type JobFolders } from '../../../src/adapters/outbound/ci-runner/job-folders.js';

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
    // As a runner does that is started with less room.
    await new CacheStore(place, 0).makeRoom();
    expect(all().filter((name) => name.endsWith('.tar'))).toEqual([]);
  });
});

describe('folders of jobs', () => {
  /** Of no process. */
  const started = '1';
  const ownerOf = (folders: JobFolders): string => join(folders.all, '..', 'runner');

  it('are called as those of jobs that have ended, and of the runner before', async () => {
    const above = newFolder();
    const runner = new FoldersOfJobs(above);
    const [one, two] = await Promise.all([runner.make(), runner.make()]);
    expect(one.project).not.toBe(two.project);
    await runner.remove(one);
    expect(await runner.make()).toEqual(one);
    for (const folders of [one, two]) await runner.remove(folders);
    await runner.close();
    expect(readdirSync(above)).toEqual([]);
    const next = new FoldersOfJobs(above);
    expect(await next.make()).toEqual(one);
    await next.close();
  });

  it('are nobody else’s while a runner lives, and taken over once when it was killed', async () => {
    const above = newFolder();
    const [first, second] = [new FoldersOfJobs(above), new FoldersOfJobs(above)];
    const [one, other] = [await first.make(), await second.make()];
    expect(other.all).not.toBe(one.all);
    writeFileSync(join(one.project, 'old'), 'old');
    const [, , where] = readFileSync(ownerOf(one), 'utf8').split('\n');
    // Its process is another one by now, as far as anybody can tell.
    writeFileSync(ownerOf(one), `${process.pid}\n${started}\n${where}`);
    const runners = Array.from({ length: 5 }, () => new FoldersOfJobs(above));
    const taken = await Promise.all(runners.map((runner) => runner.make()));
    expect(new Set([...taken, other].map(({ all }) => all)).size).toBe(6);
    expect(taken.filter(({ all }) => all === one.all)).toHaveLength(1);
    expect(taken.flatMap(({ project }) => readdirSync(project))).toEqual([]);
    for (const runner of [...runners, second]) await runner.close();
    expect(readdirSync(above)).toEqual([]);
  });

  it('of another machine, or without a name, are left alone until nobody has said anything for ten minutes', async () => {
    const above = newFolder();
    const first = new FoldersOfJobs(above);
    const one = await first.make();
    for (const said of [`${process.pid}\n${started}\nelsewhere`, '']) {
      writeFileSync(ownerOf(one), said);
      const later = new FoldersOfJobs(above);
      expect((await later.make()).all).not.toBe(one.all);
      await later.close();
    }
    const longAgo = Date.now() / 1_000 - 601;
    utimesSync(ownerOf(one), longAgo, longAgo);
    const last = new FoldersOfJobs(above);
    expect(await last.make()).toEqual(one);
    await last.close();
  });
});
