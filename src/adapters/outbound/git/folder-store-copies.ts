import { createReadStream } from 'node:fs';
import { copyFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type {
  ArchivedFile,
  ArchivedRefs,
  SameFile,
  StoreCopies,
} from '../../../application/storage/ports/archived-repositories.js';
import { DEFAULT_BRANCH } from '../../../domain/repositories/default-branch.js';
import { isObjectId } from '../../../domain/repositories/object-id.js';
import { branchRef, isRefName, isServiceRef } from '../../../domain/repositories/ref-name.js';
import { BackupFolder } from './backup-folder.js';
import { codeOf, isThere } from './durable-files.js';
import { removePack } from './pack-files.js';
import { readReplaced } from './replaced-packs.js';
import { ALTERNATES, isStoreFile } from './store-file.js';
import { isStoreName, StoreFolders } from './store-folders.js';
import { linkObjects } from './shared-objects.js';

/** Smaller files are written twice rather than remembered. */
const WORTH_REMEMBERING_BYTES = 64 * 1024;

/** Gives files of objects second names beside the stores: what is removed there meanwhile stays here, and no byte is copied. */
export class FolderStoreCopies implements StoreCopies {
  readonly #from: StoreFolders;
  readonly #to: StoreFolders;
  #taken: string[] = [];

  private constructor(
    root: string,
    private readonly folder: BackupFolder,
  ) {
    this.#from = new StoreFolders(root);
    this.#to = new StoreFolders(folder.path);
  }

  static async open(root: string): Promise<FolderStoreCopies> {
    return new FolderStoreCopies(root, await BackupFolder.open(root));
  }

  async take(stores: readonly string[]): Promise<readonly string[]> {
    this.folder.use();
    const missing: string[] = [];
    for (const store of stores) {
      if (isStoreName(store) && (await this.#take(store))) this.#taken.push(store);
      else missing.push(store);
    }
    return missing;
  }

  async writeRefs(store: string, refs: ArchivedRefs): Promise<void> {
    const folder = this.#to.of(store);
    await writeFile(join(folder, 'packed-refs'), packedRefsOf(refs));
    await writeFile(join(folder, 'HEAD'), headOf(refs));
  }

  async *files(): AsyncGenerator<ArchivedFile | SameFile> {
    const seen = new Map<string, { store: string; path: string }>();
    for (const store of this.#taken) {
      const folder = this.#to.of(store);
      for (const path of (await readdir(folder, { recursive: true })).sort()) {
        if (!isStoreFile(path)) continue;
        const { size: bytes, dev, ino } = await stat(join(folder, path));
        const sameAs = seen.get(`${dev} ${ino}`);
        if (sameAs !== undefined) {
          yield { store, path, sameAs };
          continue;
        }
        if (bytes >= WORTH_REMEMBERING_BYTES) seen.set(`${dev} ${ino}`, { store, path });
        yield { store, path, bytes, content: createReadStream(join(folder, path)) };
      }
    }
  }

  async discard(): Promise<void> {
    this.#taken = [];
    await this.folder.remove();
  }

  /** False where it is not there, or goes meanwhile. */
  async #take(store: string): Promise<boolean> {
    const [from, to] = [this.#from.of(store), this.#to.of(store)];
    if (!(await isThere(join(from, 'HEAD')))) return false;
    await mkdir(join(to, 'objects/pack'), { recursive: true });
    // Before the packs: those that came in their place are there by now.
    const replaced = Object.keys(await readReplaced(from));
    await linkObjects(from, to);
    for (const name of replaced) await removePack(join(to, 'objects/pack'), name);
    await mkdir(dirname(join(to, ALTERNATES)), { recursive: true });
    await copyIfThere(join(from, ALTERNATES), join(to, ALTERNATES));
    await copyIfThere(join(from, 'HEAD'), join(to, 'HEAD'));
    // A store goes in one step: where it is there still, it was all the while.
    if (await isThere(join(from, 'HEAD'))) return true;
    await rm(to, { recursive: true, force: true });
    return false;
  }
}

/** The file of all refs of a store. */
export const packedRefsOf = ({ refs }: ArchivedRefs): string =>
  refs
    .filter(({ name, target }) => isObjectId(target) && (isRefName(name) || isServiceRef(name)))
    .map(({ name, target }) => `${target} ${name}\n`)
    .join('');

/** The file that says which branch is checked out where nothing is chosen. */
export const headOf = ({ branch }: ArchivedRefs): string => {
  const head = branchRef(branch ?? DEFAULT_BRANCH);
  return `ref: ${isRefName(head) ? head : branchRef(DEFAULT_BRANCH)}\n`;
};

const copyIfThere = async (from: string, to: string): Promise<void> => {
  try {
    await copyFile(from, to);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
};
