import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchivedArtifact, RestoredArtifacts } from '../../../application/storage/ports/archived-artifacts.js';
import { codeOf, refuseTwice, syncFolder, withPath } from '../git/durable-files.js';
import {
  isRestoreUnfinished,
  refuseUnfinishedRestore,
  removeUnfinished,
  RestoreMarker,
  unfinishedIn,
} from '../archive/restore-marker.js';
import { isArtifactKey, partOf, PARTS, placeOf } from './artifact-folder.js';

const ALL_PARTS = Array.from({ length: PARTS }, (_, number) => partOf(number));

const hasFiles = async (root: string): Promise<boolean> => {
  for (const part of ALL_PARTS) if ((await readdir(join(root, part)).catch(() => [])).length > 0) return true;
  return false;
};

const thereAlready = (root: string): Error =>
  new Error(
    `There are files of CI jobs in ${root} already. Set ARTIFACTS_DIR to an empty folder, or restore with --without-artifacts: then those that its rows name stay, and the service removes the others after a while.`,
  );

/** @throws Error with a sentence where a folder has files of jobs already, but for those of a restore that is begun anew, maybe. */
export const refuseUnlessWithoutArtifacts = async (root: string): Promise<void> => {
  if (!(await isRestoreUnfinished(root)) && (await hasFiles(root))) throw thereAlready(root);
};

/** Writes files beside the place where they are to be, and puts all of them there at its end. */
export class FolderRestoredArtifacts implements RestoredArtifacts {
  readonly #unfinished: string;
  readonly #parts = new Set<string>();
  readonly #marker: RestoreMarker;

  constructor(private readonly root: string) {
    this.#unfinished = unfinishedIn(root);
    this.#marker = new RestoreMarker(root);
  }

  async add(artifact: ArchivedArtifact): Promise<void> {
    await this.#add(artifact).catch((error: unknown) => withPath(error, this.root));
  }

  async clear(move: string | undefined): Promise<void> {
    await removeUnfinished(this.root);
    if (move === undefined || (await this.#marker.move()) !== move) return;
    for (const part of ALL_PARTS) await rm(join(this.root, part), { recursive: true, force: true });
    await syncFolder(this.root);
    await this.#marker.remove();
  }

  async refuseOthers(): Promise<void> {
    if (!(await hasFiles(this.root))) return;
    await refuseUnfinishedRestore(this.root);
    throw thereAlready(this.root);
  }

  begin(move: string): Promise<void> {
    return this.#marker.set(move);
  }

  async end(): Promise<void> {
    for (const part of this.#parts) {
      await syncFolder(join(this.#unfinished, part));
      await rmdir(join(this.root, part)).catch((error: unknown) => {
        if (codeOf(error) !== 'ENOENT') throw error;
      });
      await rename(join(this.#unfinished, part), join(this.root, part));
    }
    if (this.#parts.size > 0) await syncFolder(this.root);
    await this.discard();
  }

  finish(): Promise<void> {
    return this.#marker.remove();
  }

  async discard(): Promise<void> {
    await rm(this.#unfinished, { recursive: true, force: true });
  }

  async #add({ artifact, content }: ArchivedArtifact): Promise<void> {
    // Whoever wrote the archive doesn't choose where files go.
    if (!isArtifactKey(artifact)) throw new Error('The archive has a file that no CI job left.');
    const { part, path } = placeOf(this.#unfinished, artifact);
    await mkdir(part, { recursive: true, mode: 0o700 });
    this.#parts.add(artifact.slice(0, 2));
    const handle = await open(path, 'wx', 0o600).catch(refuseTwice);
    try {
      for await (const chunk of content) await handle.writeFile(chunk);
      await handle.datasync();
    } finally {
      await handle.close();
    }
  }
}
