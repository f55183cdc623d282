import { mkdir, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { codeOf, isThere, syncFolder, writeDurably } from './durable-files.js';
import { linkOrCopy } from './link-or-copy.js';

/** A pack without an index is not read, and may be what a killed process left. */
const INDEX = /^(pack-[0-9a-f]{40})\.idx$/;
const LOOSE_FOLDER = /^[0-9a-f]{2}$/;
const LOOSE = /^[0-9a-f]{38}$/;
const MOST_LOOKS = 50;

const namesIn = async (folder: string): Promise<readonly string[]> => {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
};

/** Loose objects of a store that are in none of the others. */
const linkLoose = async (from: string, to: string, known: readonly string[]): Promise<void> => {
  for (const folder of (await namesIn(from)).filter((name) => LOOSE_FOLDER.test(name))) {
    const wanted: string[] = [];
    for (const name of (await namesIn(join(from, folder))).filter((each) => LOOSE.test(each))) {
      const there = await Promise.all(known.map((objects) => isThere(join(objects, folder, name))));
      if (!there.includes(true)) wanted.push(name);
    }
    if (wanted.length === 0) continue;
    await mkdir(join(to, folder), { recursive: true });
    // One that is gone meanwhile is in a pack by now.
    for (const name of wanted) await linkOrCopy(join(from, folder, name), join(to, folder, name));
    await syncFolder(join(to, folder));
  }
};

const packsIn = async (folder: string): Promise<readonly string[]> =>
  (await namesIn(folder)).flatMap((file) => INDEX.exec(file)?.[1] ?? []).sort();

/** The index comes last. */
const linkPack = async (from: string, to: string, name: string): Promise<boolean> => {
  if (!(await linkOrCopy(join(from, `${name}.pack`), join(to, `${name}.pack`)))) return false;
  await linkOrCopy(join(from, `${name}.rev`), join(to, `${name}.rev`));
  return linkOrCopy(join(from, `${name}.idx`), join(to, `${name}.idx`));
};

/** Packs of a store; when one goes meanwhile, its objects are in another that came, so it looks again. */
const linkPacks = async (from: string, to: string, known: readonly string[]): Promise<void> => {
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const before = await packsIn(from);
    let whole = true;
    for (const pack of before) {
      const there = await Promise.all(known.map((packs) => isThere(join(packs, `${pack}.idx`))));
      if (!there.includes(true)) whole = (await linkPack(from, to, pack)) && whole;
    }
    const after = await packsIn(from);
    if (whole && before.join() === after.join()) return;
  }
  throw new Error('The packs of a store never stood still.');
};

/**
 * Gives a store the objects of another by second names of their files, which never change. May be repeated, and takes only what is missing.
 * @param known stores whose objects it reads already.
 */
export const linkObjects = async (from: string, to: string, known: readonly string[] = []): Promise<void> => {
  const objects = [to, ...known].map((store) => join(store, 'objects'));
  // Loose first: what is packed meanwhile is found in its pack then.
  await linkLoose(join(from, 'objects'), join(to, 'objects'), objects);
  await linkPacks(
    join(from, 'objects/pack'),
    join(to, 'objects/pack'),
    objects.map((folder) => join(folder, 'pack')),
  );
  await syncFolder(join(to, 'objects/pack'));
  await syncFolder(join(to, 'objects'));
};

/** Lets a store read the objects of another. The path is relative, so that the folder of all stores can move. */
export const readObjectsOf = async (store: string, other: string): Promise<void> => {
  const path = relative(join(store, 'objects'), join(other, 'objects'));
  await writeDurably(join(store, 'objects/info/alternates'), `${path}\n`, join(store, 'objects'));
};
