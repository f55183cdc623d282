import { createReadStream } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchivedArtifact, ArtifactCopies } from '../../../application/storage/ports/archived-artifacts.js';
import { BackupFolder } from '../git/backup-folder.js';
import { codeOf } from '../git/durable-files.js';
import { linkOrCopy } from '../git/link-or-copy.js';
import { isArtifactKey, partOf, PARTS, placeOf } from './artifact-folder.js';

/** Gives files second names beside them: what is removed there meanwhile stays here, and no byte is copied where the disk knows second names. */
export class FolderArtifactCopies implements ArtifactCopies {
  #begun = 0;

  private constructor(
    private readonly root: string,
    private readonly folder: BackupFolder,
  ) {}

  static async open(root: string, refreshMs?: number): Promise<FolderArtifactCopies> {
    return new FolderArtifactCopies(root, await BackupFolder.open(root, refreshMs));
  }

  begin(): void {
    this.folder.use();
    this.#begun += 1;
  }

  async take(keys: readonly string[]): Promise<readonly string[]> {
    const missing: string[] = [];
    for (const key of keys) if (!(isArtifactKey(key) && (await this.#take(key)))) missing.push(key);
    return missing;
  }

  async *files(): AsyncGenerator<ArchivedArtifact> {
    for (let number = 0; number < PARTS; number += 1) {
      const part = join(this.#taken(), partOf(number));
      for (const artifact of (await readdir(part).catch(noneWhereNothingIs)).sort()) {
        const path = join(part, artifact);
        yield { artifact, bytes: (await stat(path)).size, content: createReadStream(path) };
      }
    }
  }

  discard(): Promise<void> {
    return this.folder.remove();
  }

  #taken(begun = this.#begun): string {
    return join(this.folder.path, String(begun));
  }

  /** False where it is not there, and was not the last time. */
  async #take(key: string): Promise<boolean> {
    const { part, path } = placeOf(this.#taken(), key);
    for (const from of [this.root, this.#taken(this.#begun - 1)]) {
      if (await isTaken(placeOf(from, key).path, path, part)) return true;
    }
    return false;
  }
}

const isTaken = async (from: string, to: string, folder: string): Promise<boolean> => {
  try {
    await stat(from);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await linkOrCopy(from, to);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return false;
  }
};

const noneWhereNothingIs = (error: unknown): string[] => {
  if (codeOf(error) !== 'ENOENT') throw error;
  return [];
};
