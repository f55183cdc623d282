import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Clock } from '../application/shared/ports/clock.js';
import type { SharedCounters } from '../application/shared/ports/shared-counters.js';
import type { Logger } from '../application/shared/ports/logger.js';
import { reasonOf } from './explain-failure.js';
import { lostIn } from './lost-files.js';

const PROGRAM = fileURLToPath(new URL('./main.js', import.meta.url));

/** The names of archives that are written by the clock: in the order of the alphabet they are in the order of time. */
export const ARCHIVE = /^gatehouse-\d{8}T\d{6}Z\.ghb$/;
const PARTIAL = /^gatehouse-\d{8}T\d{6}Z\.ghb\.[0-9a-f]{8}\.partial$/;

/** In the order of the alphabet, names are in the order of time. */
const nameAt = (at: Date): string => `gatehouse-${at.toISOString().replaceAll(/[-:]|\.\d{3}/g, '')}.ghb`;

/** When an archive of that name was begun. */
export const timeOf = (name: string): Date =>
  new Date(name.replace(/^\D*(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z.*$/, '$1-$2-$3T$4:$5:$6Z'));

export interface BackupSettings {
  readonly directory: string;
  /** How many archives stay. */
  readonly keep: number;
}

/** Answers what the command told. */
const write = async (file: string, signal: AbortSignal): Promise<string> => {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [PROGRAM, 'backup', '--to', file], {
      signal,
    });
    return `${stdout}\n${stderr}`;
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    throw new Error(`No backup was written: ${stderr.trim()}`, { cause: error });
  }
};

/** Writes archives by the clock, in a process of its own so that requests don't wait for it, and removes the oldest. */
export class ScheduledBackups {
  #failure: string | undefined;

  constructor(
    private readonly settings: BackupSettings,
    private readonly clock: Clock,
    private readonly counters: SharedCounters,
    private readonly logger: Logger,
  ) {}

  /** Why the last one failed; undefined where it did not. */
  get failure(): string | undefined {
    return this.#failure;
  }

  async run(stopping: AbortSignal): Promise<void> {
    try {
      await this.#backUp(stopping);
    } catch (error) {
      if (stopping.aborted) return;
      this.counters.count('backups_total', { outcome: 'failed' });
      this.#failure = (error as Error).message;
      throw error;
    }
  }

  async #backUp(stopping: AbortSignal): Promise<void> {
    const { directory } = this.settings;
    await mkdir(directory, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      const reason = (error as NodeJS.ErrnoException).code === 'EEXIST' ? 'it is not a folder' : reasonOf(error);
      throw new Error(`No backup was written: ${directory} can't be used: ${reason}.`, { cause: error });
    });
    // Of one that was killed: only one is written at a time.
    await this.#removeAll(await this.#find(PARTIAL));
    const file = join(directory, nameAt(this.clock.now()));
    // Another node's clock came round a moment ago.
    if (existsSync(file)) return;
    const lost = lostIn(await write(file, stopping));
    if (lost === 0) {
      this.logger.info('a backup was written', { file });
      await this.#removeAll((await this.#find(ARCHIVE)).slice(0, -this.settings.keep));
    } else {
      // Those before it may be all that has the files.
      this.logger.warn('a backup lacks files that its rows name, and no older one is removed', { file, lost });
    }
    this.counters.count('backups_total', { outcome: 'written' });
    this.#failure = undefined;
  }

  async #find(pattern: RegExp): Promise<readonly string[]> {
    return (await readdir(this.settings.directory)).filter((name) => pattern.test(name)).sort();
  }

  async #removeAll(names: readonly string[]): Promise<void> {
    for (const name of names) await rm(join(this.settings.directory, name), { force: true });
  }
}
