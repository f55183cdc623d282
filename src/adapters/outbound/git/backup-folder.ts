import { rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { randomName } from './durable-files.js';
import { sweepFolder } from './pack-files.js';

const PREFIX = 'backup-';
/** Of a backup that was killed: one that is at work says so more often. */
const LEFT_BEHIND_MS = 24 * 3_600_000;
const REFRESH_MS = 3_600_000;

/** Removes what backups left that were killed. */
export const sweepBackups = (root: string): Promise<void> =>
  sweepFolder(root, (name) => name.startsWith(PREFIX), LEFT_BEHIND_MS);

/** A folder among what is served, for second names of files. It stays as long as its backup is at work. */
export class BackupFolder {
  readonly path: string;
  #refreshing: NodeJS.Timeout | undefined;

  private constructor(
    root: string,
    private readonly refreshMs: number,
  ) {
    this.path = join(root, randomName(PREFIX));
  }

  static async open(root: string, refreshMs = REFRESH_MS): Promise<BackupFolder> {
    await sweepBackups(root);
    return new BackupFolder(root, refreshMs);
  }

  /** From now on, until it is removed. */
  use(): void {
    this.#refreshing ??= setInterval(() => this.#refresh(), this.refreshMs).unref();
  }

  async remove(): Promise<void> {
    clearInterval(this.#refreshing);
    this.#refreshing = undefined;
    await rm(this.path, { recursive: true, force: true });
  }

  #refresh(): void {
    const now = new Date();
    // Where it isn't there yet there is nothing to keep.
    utimes(this.path, now, now).catch(() => undefined);
  }
}
