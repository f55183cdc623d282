import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import type { NewObject } from '../../../domain/repositories/object-format.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import { codeOf, randomName, syncFolder } from './durable-files.js';

const compress = promisify(deflate);

const MOST_ATTEMPTS = 20;
const AT_ONCE = 16;
const FOLDER = /^[0-9a-f]{2}$/;

/** Writes one object into a folder of objects, and answers its id. @param synced `later` where `moveLooseObjects` sees to it. */
export const writeLooseObject = async (
  folder: string,
  { type, content }: NewObject,
  synced: 'now' | 'later' = 'now',
): Promise<ObjectId> => {
  const whole = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
  const id = createHash('sha1').update(whole).digest('hex');
  const place = join(folder, id.slice(0, 2));
  await mkdir(place, { recursive: true });
  // Nobody else's, for two may write one object at once; called as git calls its own, which maintenance removes.
  const unfinished = join(place, randomName('tmp_obj_'));
  try {
    const handle = await open(unfinished, 'wx', 0o444);
    try {
      await handle.writeFile(await compress(whole));
      if (synced === 'now') await handle.datasync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, join(place, id.slice(2)));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  return id;
};

/**
 * Moves the loose objects of one folder of objects into another, synced with their names. Many are synced at once: the file system writes
 * its journal once for all of them.
 */
export const moveLooseObjects = async (from: string, to: string): Promise<void> => {
  const folders = (await readdir(from)).filter((name) => FOLDER.test(name));
  const files: string[] = [];
  for (const folder of folders) files.push(...(await readdir(join(from, folder))).map((name) => join(folder, name)));
  await eachOf(files, (file) => syncContent(join(from, file)));
  for (const file of files) await moveInto(join(from, file), join(to, dirname(file)));
  await Promise.all([syncFolder(to), eachOf(folders, (folder) => syncIfThere(join(to, folder)))]);
};

/** A few at a time, in whatever order they end. */
const eachOf = async (names: readonly string[], work: (name: string) => Promise<void>): Promise<void> => {
  const left = [...names];
  const workOff = async (): Promise<void> => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) await work(name);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, workOff));
};

const syncContent = async (file: string): Promise<void> => {
  const handle = await open(file, 'r');
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
};

/** Housekeeping removes folders that are empty, this one maybe just after it was made. */
const moveInto = async (file: string, folder: string): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    await mkdir(folder, { recursive: true });
    try {
      await rename(file, join(folder, basename(file)));
      return;
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || attempt === MOST_ATTEMPTS) throw error;
    }
  }
};

/** Where it is gone, its objects are in packs. */
const syncIfThere = async (folder: string): Promise<void> => {
  try {
    await syncFolder(folder);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
};
