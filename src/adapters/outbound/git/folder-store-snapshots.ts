import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ByteStream, StoreSnapshots } from '../../../application/repositories/ports/object-stores.js';
import type { ArchivedRefs } from '../../../application/storage/ports/archived-repositories.js';
import { Unavailable } from '../../../domain/shared/domain-error.js';
import { codeOf } from './durable-files.js';
import { FolderStoreCopies, headOf, packedRefsOf } from './folder-store-copies.js';
import type { Git } from './git.js';
import { ALTERNATES } from './store-file.js';
import { TAR_END, tarHeader, tarPadding } from './tar.js';

/** What git takes a folder for a repository by, even where nothing is in them. */
const FOLDERS = ['refs/', 'objects/', 'objects/info/', 'objects/pack/'];
const POOL = /([0-9a-f]{64})\.git\/objects\n?$/;

/** Sends a store as a tar archive of a bare repository that needs no other: what it shares with forks is in it. */
export class FolderStoreSnapshots implements StoreSnapshots {
  constructor(private readonly git: Git) {}

  async snapshot(store: string | undefined, refs: ArchivedRefs): Promise<ByteStream> {
    if (store === undefined) return snapshotOf(refs, nothing());
    const give = await this.git.parts.heavy.take(store);
    try {
      const copies = await FolderStoreCopies.open(this.git.folders.root);
      const missing = await copies.take([store, ...(await this.#poolOf(store))]);
      if (missing.length === 0) return ending(snapshotOf(refs, copies.files()), () => copies.discard().finally(give));
      await copies.discard();
      throw new Unavailable('repositories', { cause: new Error('The folder of the repository is missing.') });
    } catch (error) {
      give();
      throw error instanceof Unavailable ? error : new Unavailable('repositories', { cause: error });
    }
  }

  /** The store that it reads objects of. */
  async #poolOf(store: string): Promise<readonly string[]> {
    try {
      const [, pool] = POOL.exec(await readFile(join(this.git.folders.of(store), ALTERNATES), 'utf8')) ?? [];
      return pool === undefined ? [] : [pool];
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    }
  }
}

type CopiedFiles = ReturnType<FolderStoreCopies['files']>;

async function* nothing(): CopiedFiles {
  // No store, no files.
}

async function* snapshotOf(refs: ArchivedRefs, files: CopiedFiles): AsyncGenerator<Uint8Array> {
  for (const folder of FOLDERS) yield tarHeader(folder, 0);
  for (const [name, text] of [
    ['HEAD', headOf(refs)],
    ['packed-refs', packedRefsOf(refs)],
  ] as const) {
    const bytes = Buffer.from(text);
    yield Buffer.concat([tarHeader(name, bytes.length), bytes, tarPadding(bytes.length)]);
  }
  const sent = new Set<string>();
  for await (const file of files) {
    // The same by another name is the same object: a fork has second names of what its pool has.
    if (!('content' in file) || sent.has(file.path) || !OBJECTS.test(file.path)) continue;
    sent.add(file.path);
    yield tarHeader(file.path, file.bytes);
    yield* file.content;
    yield tarPadding(file.bytes);
  }
  yield TAR_END;
}

/** Objects themselves: refs are told by rows, and no other store is named. */
const OBJECTS = /^objects\/(?:pack|[0-9a-f]{2})\//;

/** A stream that lets go of what it needed, whether it is read to its end or not. */
async function* ending(stream: AsyncGenerator<Uint8Array>, end: () => Promise<void>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } finally {
    await end();
  }
}
