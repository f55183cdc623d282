import { copyFile, link, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { codeOf, isThere, randomName, syncFolder, writeDurably } from './durable-files.js';

/** Files of objects never change, so two stores may have one of them by two names. */
const LINK_REFUSED = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP']);
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

/** Gives a file a second name; a copy where the folder can't do that. False when the file is gone. */
const linkFile = async (from: string, to: string): Promise<boolean> => {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') return true;
    if (code === 'ENOENT') return false;
    if (!LINK_REFUSED.has(code)) throw error;
  }
  const unfinished = join(dirname(to), randomName('tmp_'));
  try {
    await copyFile(from, unfinished);
    await rename(unfinished, to);
    return true;
  } catch (error) {
    await rm(unfinished, { force: true });
    if (codeOf(error) === 'ENOENT') return false;
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
    for (const name of wanted) await linkFile(join(from, folder, name), join(to, folder, name));
    await syncFolder(join(to, folder));
  }
};

const packsIn = async (folder: string): Promise<readonly string[]> =>
  (await namesIn(folder)).flatMap((file) => INDEX.exec(file)?.[1] ?? []).sort();

/** The index comes last. */
const linkPack = async (from: string, to: string, name: string): Promise<boolean> => {
  if (!(await linkFile(join(from, `${name}.pack`), join(to, `${name}.pack`)))) return false;
  await linkFile(join(from, `${name}.rev`), join(to, `${name}.rev`));
  return linkFile(join(from, `${name}.idx`), join(to, `${name}.idx`));
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
 * Gives a store the objects of another by second names of their files. May be repeated, and takes only what is missing.
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
