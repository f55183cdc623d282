import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const ARCHIVE = /\.tar$/;
/** What was begun so long ago is not written any more. */
const LEFT_MS = 86_400_000;

const nameOf = (text: string): string => createHash('sha256').update(text).digest('hex');

interface Stored {
  readonly path: string;
  readonly bytes: number;
  readonly usedMs: number;
  readonly isWhole: boolean;
}

/** What became of a cache that was to be stored. */
export interface StoredCache {
  readonly bytes: number;
  /** It alone is more than all may be. */
  readonly isTooLarge: boolean;
}

/**
 * Archives of what jobs keep for one another, on the machine of the runner: one for each project and key, replaced as a whole. Those that
 * were used last stay.
 */
export class CacheStore {
  /** @param mostBytes of all together; with 0 nothing is kept. */
  constructor(
    private readonly folder: string,
    private readonly mostBytes: number,
  ) {}

  /** Whether it keeps none at all. */
  get isOff(): boolean {
    return this.mostBytes === 0;
  }

  /** Answers where the archive is; undefined where there is none. */
  async find(project: string, key: string): Promise<string | undefined> {
    const path = this.#pathOf(project, key);
    try {
      const now = new Date();
      await utimes(path, now, now);
      return path;
    } catch {
      return undefined;
    }
  }

  /** Removes one that can't be read. */
  async remove(project: string, key: string): Promise<void> {
    await rm(this.#pathOf(project, key), { force: true });
  }

  /** Whether so many bytes are more than all may be. */
  isTooLarge(bytes: number): boolean {
    return bytes > this.mostBytes;
  }

  /** @param write what makes the archive at a path. */
  async put(project: string, key: string, write: (path: string) => Promise<void>): Promise<StoredCache> {
    const path = this.#pathOf(project, key);
    const begun = `${path}.${randomUUID()}`;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    try {
      await write(begun);
      const bytes = (await stat(begun)).size;
      const isTooLarge = this.isTooLarge(bytes);
      if (!isTooLarge) {
        await rename(begun, path);
        await this.makeRoom();
      }
      return { bytes, isTooLarge };
    } finally {
      await rm(begun, { force: true });
    }
  }

  /** Removes what is more than all may be. */
  async makeRoom(): Promise<void> {
    const now = Date.now();
    const all = (await this.#stored()).sort((one, other) => other.usedMs - one.usedMs);
    let bytes = 0;
    for (const { path, ...stored } of all) {
      if (stored.isWhole) bytes += stored.bytes;
      const stays = stored.isWhole ? bytes <= this.mostBytes : now - stored.usedMs < LEFT_MS;
      if (!stays) await rm(path, { force: true });
    }
  }

  #pathOf(project: string, key: string): string {
    return join(this.folder, nameOf(project), `${nameOf(key)}.tar`);
  }

  async #stored(): Promise<Stored[]> {
    const names = await readdir(this.folder, { recursive: true }).catch(() => []);
    const files = await Promise.all(
      names.map(async (name) => {
        const path = join(this.folder, name);
        // Another job may have replaced it just now.
        const found = await stat(path).catch(() => undefined);
        if (found?.isFile() !== true) return [];
        return [{ path, bytes: found.size, usedMs: found.mtimeMs, isWhole: ARCHIVE.test(name) }];
      }),
    );
    return files.flat();
  }
}
