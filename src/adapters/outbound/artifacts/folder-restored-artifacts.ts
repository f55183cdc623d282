import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchivedArtifact, RestoredArtifacts } from '../../../application/storage/ports/archived-artifacts.js';
import { codeOf, randomName, syncFolder } from '../git/durable-files.js';
import { isArtifactKey, partOf, PARTS, placeOf } from './artifact-folder.js';

const ALL_PARTS = Array.from({ length: PARTS }, (_, number) => partOf(number));

/** @throws Error with a sentence where a folder has files of jobs already. */
export const refuseUnlessWithoutArtifacts = async (root: string): Promise<void> => {
  for (const part of ALL_PARTS)
    if ((await readdir(join(root, part)).catch(() => [])).length > 0)
      throw new Error(
        `There are files of CI jobs in ${root} already. Set ARTIFACTS_DIR to an empty folder, or restore with --without-artifacts and keep them.`,
      );
};

/** Writes files beside the place where they are to be, and puts all of them there at its end. */
export class FolderRestoredArtifacts implements RestoredArtifacts {
  readonly #unfinished: string;
  readonly #parts = new Set<string>();

  constructor(private readonly root: string) {
    this.#unfinished = join(root, randomName('restore-'));
  }

  async add({ artifact, content }: ArchivedArtifact): Promise<void> {
    // Whoever wrote the archive doesn't choose where files go.
    if (!isArtifactKey(artifact)) throw new Error('The archive has a file that no CI job left.');
    const { part, path } = placeOf(this.#unfinished, artifact);
    await mkdir(part, { recursive: true, mode: 0o700 });
    this.#parts.add(artifact.slice(0, 2));
    const handle = await open(path, 'wx', 0o600);
    try {
      for await (const chunk of content) await handle.writeFile(chunk);
      await handle.datasync();
    } finally {
      await handle.close();
    }
  }

  async end(): Promise<void> {
    await refuseUnlessWithoutArtifacts(this.root);
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

  async discard(): Promise<void> {
    await rm(this.#unfinished, { recursive: true, force: true });
  }
}
