import { link, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type {
  ArchivedFile,
  RestoredStores,
  SameFile,
} from '../../../application/storage/ports/archived-repositories.js';
import {
  isRestoreUnfinished,
  refuseUnfinishedRestore,
  removeUnfinished,
  RestoreMarker,
  unfinishedIn,
} from '../archive/restore-marker.js';
import { codeOf, refuseTwice, syncFolder, withPath } from './durable-files.js';
import { makeStoreFolder } from './new-store-folder.js';
import { ALTERNATES, isStoreFile } from './store-file.js';
import { HASHED, isStoreName, StoreFolders } from './store-folders.js';

/** Another store of the same folder, and nothing else of the machine. */
const OTHER_STORE = /^\.\.\/\.\.\/(?:\.\.\/){0,2}(?:[0-9a-f]{2}\/){0,2}[0-9a-f]{64}\.git\/objects\n$/;

const hasStores = async (root: string): Promise<boolean> =>
  (await readdir(join(root, HASHED)).catch(() => [])).length > 0;

const thereAlready = (root: string): Error =>
  new Error(
    `There are repositories in ${root} already. Set REPOSITORIES_DIR to an empty folder, or restore with --without-repositories and keep them.`,
  );

/** @throws Error with a sentence where a folder has repositories already, but for those of a restore that is begun anew, maybe. */
export const refuseUnlessWithoutStores = async (root: string): Promise<void> => {
  if (!(await isRestoreUnfinished(root)) && (await hasStores(root))) throw thereAlready(root);
};

/** Writes stores beside the place where they are to be, and puts all of them there in one step. */
export class FolderRestoredStores implements RestoredStores {
  readonly #root: string;
  readonly #unfinished: StoreFolders;
  readonly #begun = new Set<string>();
  readonly #marker: RestoreMarker;

  constructor(root: string) {
    this.#root = root;
    this.#marker = new RestoreMarker(root);
    this.#unfinished = new StoreFolders(unfinishedIn(root));
  }

  async add(file: ArchivedFile | SameFile): Promise<void> {
    await this.#add(file).catch((error: unknown) => withPath(error, this.#root));
  }

  async clear(move: string | undefined): Promise<void> {
    await removeUnfinished(this.#root);
    if (move === undefined || (await this.#marker.move()) !== move) return;
    await rm(join(this.#root, HASHED), { recursive: true, force: true });
    await syncFolder(this.#root);
    await this.#marker.remove();
  }

  async refuseOthers(): Promise<void> {
    if (!(await hasStores(this.#root))) return;
    await refuseUnfinishedRestore(this.#root);
    throw thereAlready(this.#root);
  }

  begin(move: string): Promise<void> {
    return this.#marker.set(move);
  }

  async end(): Promise<void> {
    if (this.#begun.size > 0) {
      await rmdir(join(this.#root, HASHED)).catch((error: unknown) => {
        if (codeOf(error) !== 'ENOENT') throw error;
      });
      await rename(join(this.#unfinished.root, HASHED), join(this.#root, HASHED));
      await syncFolder(this.#root);
    }
    await this.discard();
  }

  finish(): Promise<void> {
    return this.#marker.remove();
  }

  async discard(): Promise<void> {
    await rm(this.#unfinished.root, { recursive: true, force: true });
  }

  async #place({ store, path }: { readonly store: string; readonly path: string }): Promise<string> {
    // Whoever wrote the archive doesn't choose where files go.
    if (!isStoreName(store) || !isStoreFile(path)) throw new Error('The archive has a file that no repository has.');
    const folder = this.#unfinished.of(store);
    if (!this.#begun.has(store)) {
      this.#begun.add(store);
      await makeStoreFolder(folder);
    }
    await mkdir(dirname(join(folder, path)), { recursive: true });
    return join(folder, path);
  }

  async #add(file: ArchivedFile | SameFile): Promise<void> {
    const path = await this.#place(file);
    if ('sameAs' in file) {
      await link(await this.#place(file.sameAs), path).catch(refuseLink);
      return;
    }
    const content = file.path === ALTERNATES ? checkedAlternates(file) : file.content;
    const handle = await open(path, 'wx', 0o644).catch(refuseTwice);
    try {
      for await (const chunk of content) await handle.writeFile(chunk);
      await handle.datasync();
    } finally {
      await handle.close();
    }
  }
}

const refuseLink = (error: unknown): never => {
  if (codeOf(error) === 'ENOENT')
    throw new Error('The archive has not the file that another is the same as.', { cause: error });
  return refuseTwice(error);
};

/** The one file that leads elsewhere: to a pool of the same folder, or it is refused. */
async function* checkedAlternates({ content }: ArchivedFile): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (!OTHER_STORE.test(bytes.toString('utf8'))) throw new Error('The archive has a repository that leads elsewhere.');
  yield bytes;
}
