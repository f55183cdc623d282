import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import type { NewObject } from '../../../domain/repositories/object-format.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import { randomName, syncFolder } from './durable-files.js';

const compress = promisify(deflate);

const FOLDER = /^[0-9a-f]{2}$/;

/** Writes one object into a folder of objects, synced, and answers its id. */
export const writeLooseObject = async (folder: string, { type, content }: NewObject): Promise<ObjectId> => {
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
      await handle.datasync();
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

/** Moves the loose objects of one folder of objects into another, and syncs the names. */
export const moveLooseObjects = async (from: string, to: string): Promise<void> => {
  for (const name of await readdir(from)) {
    if (!FOLDER.test(name)) continue;
    await mkdir(join(to, name), { recursive: true });
    for (const file of await readdir(join(from, name))) await rename(join(from, name, file), join(to, name, file));
    await syncFolder(join(to, name));
  }
  await syncFolder(to);
};
