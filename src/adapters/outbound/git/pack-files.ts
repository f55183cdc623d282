import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import type { PackFile } from '../../../domain/repositories/pack-selection.js';
import { codeOf, syncFolder } from './durable-files.js';

const PACK = /^(pack-[0-9a-f]{40})\.pack$/;
const LOOSE_FOLDER = /^[0-9a-f]{2}$/;
/** In which order the files of a pack become visible: the index last, for git finds packs by it. They go the other way round. */
const PARTS = ['.keep', '.pack', '.rev', '.bitmap', '.mtimes', '.idx'] as const;

/**
 * Every pack has a name of its own: git would call it by its content, and one that arrives again must not be taken for another of its
 * name that is about to be removed.
 */
const newPackName = (): string => `pack-${randomBytes(20).toString('hex')}`;

/** Names of the packs in a folder, without the ends of files. */
export const packNamesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).flatMap((name) => PACK.exec(name)?.[1] ?? []);

/** Moves a pack into a store, under a new name that it answers; whatever belongs to it comes along. The folder is still to be synced. */
export const movePack = async (from: string, name: string, to: string): Promise<string> => {
  const there = new Set(await readdir(from));
  const moved = newPackName();
  for (const part of PARTS)
    if (there.has(`${name}${part}`)) await rename(join(from, `${name}${part}`), join(to, `${moved}${part}`));
  return moved;
};

export const removePack = async (folder: string, name: string): Promise<void> => {
  for (const part of PARTS.toReversed()) await rm(join(folder, `${name}${part}`), { force: true });
};

export interface FoundPack extends PackFile {
  /** A push is about to make refs lead to it. */
  readonly kept: boolean;
  /** What nothing leads to. */
  readonly cruft: boolean;
}

/** The packs of a store that git can read. */
export const findPacks = async (folder: string): Promise<readonly FoundPack[]> => {
  const names = new Set(await readdir(folder));
  const found: FoundPack[] = [];
  for (const name of await packNamesIn(folder)) {
    if (!names.has(`${name}.idx`)) continue;
    const file = await stat(join(folder, `${name}.pack`)).catch(goneIsUndefined);
    if (file === undefined) continue;
    const { size: bytes, nlink } = file;
    found.push({ name, bytes, shared: nlink > 1, kept: names.has(`${name}.keep`), cruft: names.has(`${name}.mtimes`) });
  }
  return found;
};

const goneIsUndefined = (error: unknown): undefined => {
  if (codeOf(error) !== 'ENOENT') throw error;
  return undefined;
};

/** How many objects lie in files of their own, and their bytes. */
export const measureLooseObjects = async (objects: string): Promise<{ count: number; bytes: number }> => {
  const sum = { count: 0, bytes: 0 };
  for (const folder of (await readdir(objects)).filter((name) => LOOSE_FOLDER.test(name)))
    for (const name of await readdir(join(objects, folder)).catch(() => [])) {
      const { size = 0 } = (await stat(join(objects, folder, name)).catch(goneIsUndefined)) ?? {};
      sum.count += 1;
      sum.bytes += size;
    }
  return sum;
};

/** Removes what processes left unfinished, once it is as old as this: by the clock of the machine, which files have their times of. */
export const sweepFolder = async (
  folder: string,
  isUnfinished: (name: string) => boolean,
  olderThanMs: number,
): Promise<void> => {
  const before = Date.now() - olderThanMs;
  for (const name of await readdir(folder).catch(() => [])) {
    if (!isUnfinished(name)) continue;
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found !== undefined && found.mtimeMs < before) await rm(join(folder, name), { recursive: true, force: true });
  }
};

export const syncPacks = (objects: string): Promise<void> => syncFolder(join(objects, 'pack'));
