import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { StoreKeeper } from '../../../application/repositories/ports/object-stores.js';
import type { RefTargets } from '../../../domain/repositories/ref-differences.js';
import { DEFAULT_BRANCH } from '../../../domain/repositories/default-branch.js';
import { Unavailable } from '../../../domain/shared/domain-error.js';
import type { CatFilePool } from './cat-file-pool.js';
import { codeOf, isThere, randomName, syncFolder } from './durable-files.js';
import type { FindGit } from './find-git.js';
import type { Git } from './git.js';
import { makeStoreFolder } from './new-store-folder.js';
import { linkObjects, readObjectsOf } from './shared-objects.js';
import { sweepFolder } from './pack-files.js';
import { INCOMING } from './quarantine.js';

const CHECK_MS = 3_600_000;
const ID_LENGTH = 40;

/** Makes, removes and checks the folders of stores. */
export class GitStoreKeeper implements StoreKeeper {
  constructor(
    private readonly git: Git,
    private readonly pool: CatFilePool,
    private readonly findGit: FindGit,
  ) {}

  async ready(): Promise<void> {
    await this.findGit();
  }

  placeOf(store: string): string {
    return this.git.folders.below(store);
  }

  async create(store: string): Promise<void> {
    await this.#make(store, () => Promise.resolve());
  }

  async makePool(pool: string, from: string): Promise<void> {
    await this.#make(pool, (unfinished) => linkObjects(this.git.folders.of(from), unfinished));
  }

  async share(store: string, { from, pool }: { readonly from: string; readonly pool: string }): Promise<void> {
    const { folders } = this.git;
    try {
      await readObjectsOf(folders.of(store), folders.of(pool));
      await linkObjects(folders.of(from), folders.of(store), [folders.of(pool)]);
    } catch (error) {
      throw new Unavailable('repositories', { cause: error });
    }
  }

  async #make(store: string, fill: (unfinished: string) => Promise<void>): Promise<void> {
    const folder = this.git.folders.of(store);
    try {
      if (await isThere(join(folder, 'HEAD'))) return;
      // Beside the store and called like it, so that what a crash leaves goes with the store.
      const unfinished = `${folder}.${randomName('new-')}`;
      await makeStoreFolder(unfinished);
      await writeFile(join(unfinished, 'HEAD'), `ref: refs/heads/${DEFAULT_BRANCH}\n`);
      await fill(unfinished);
      await syncFolder(unfinished);
      await putInPlace(unfinished, folder);
    } catch (error) {
      throw new Unavailable('repositories', { cause: error });
    }
  }

  async remove(store: string): Promise<void> {
    this.pool.forgetStore(store);
    const folder = this.git.folders.of(store);
    // Out of sight in one step: what is half removed must not look like a store.
    const removed = join(dirname(folder), randomName('removed-'));
    try {
      await rename(folder, removed);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
    }
    for (const name of await readdir(dirname(folder)).catch(() => []))
      if (name.startsWith('removed-') || name.startsWith(`${basename(folder)}.`))
        await rm(join(dirname(folder), name), { recursive: true, force: true });
  }

  async sweep(store: string, olderThanMs: number): Promise<void> {
    await sweepFolder(join(this.git.folders.of(store), 'objects'), (name) => name.startsWith(INCOMING), olderThanMs);
  }

  async exists(store: string): Promise<boolean> {
    try {
      return await isThere(join(this.git.folders.of(store), 'HEAD'));
    } catch (error) {
      throw new Unavailable('repositories', { cause: error });
    }
  }

  async refsOf(store: string): Promise<RefTargets> {
    const { bytes } = await this.git.run(store, { fixed: ['for-each-ref', '--format=%(objectname) %(refname)'] });
    const lines = bytes.toString('utf8').split('\n');
    return new Map(
      lines.filter((line) => line !== '').map((line) => [line.slice(ID_LENGTH + 1), line.slice(0, ID_LENGTH)]),
    );
  }

  async check(store: string): Promise<readonly string[]> {
    const { code, bytes, errors } = await this.git.run(
      store,
      { fixed: ['fsck', '--strict', '--no-dangling', '--no-progress'] },
      { upkeep: true, deadlineMs: CHECK_MS, codes: [1, 2, 3, 4, 5, 6, 7, 8, 16, 128] },
    );
    if (code === 0) return [];
    return `${bytes.toString('utf8')}\n${errors}`.split('\n').filter((line) => line.trim() !== '');
  }
}

/** Another process may have made it meanwhile: either is as good. */
const putInPlace = async (unfinished: string, folder: string): Promise<void> => {
  try {
    await rename(unfinished, folder);
    await syncFolder(dirname(folder));
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
  }
};
