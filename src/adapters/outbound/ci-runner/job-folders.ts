import { mkdir, readFile, readlink, rename, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { run } from './run-bash.js';

/** The folders of one job. */
export interface JobFolders {
  readonly all: string;
  readonly project: string;
  readonly files: string;
  readonly scripts: string;
}

const CLEAN_UP_MS = 60_000;
/** More runners than any machine has. */
const MOST_PLACES = 100;
const OWNER = 'runner';
/** How often a runner says that its place is its own, and after what silence nobody has it. */
const BEAT_MS = 60_000;
const SILENCE_MS = 600_000;

const isThere = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST';

/** When a process was started, in a unit of the system's; undefined where nobody can tell, or it is gone. */
const startOf = async (pid: number): Promise<string | undefined> => {
  const told = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // What it is called comes first, and may have anything in it.
  return told.slice(told.lastIndexOf(')')).split(' ')[20];
};

/** Where numbers of processes mean the same, from one start of the machine to the next; undefined where nobody can tell. */
const realm = async (): Promise<string | undefined> => {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    return `${boot.trim()} ${await readlink('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
};

const ownerNow = async (): Promise<string> =>
  [process.pid, (await startOf(process.pid)) ?? '', (await realm()) ?? ''].join('\n');

/** Whether the runner that made a place is gone: it was killed, or has said nothing for long. */
const isLeft = async (place: string): Promise<boolean> => {
  const owner = join(place, OWNER);
  const said = (await stat(owner).catch(() => undefined)) ?? (await stat(place).catch(() => undefined));
  if (said === undefined) return false;
  if (Date.now() - said.mtimeMs > SILENCE_MS) return true;
  const [pid, start, where] = (await readFile(owner, 'utf8').catch(() => '')).split('\n');
  if (!start || !where || where !== (await realm())) return false;
  return (await startOf(Number(pid))) !== start;
};

/** Jobs may leave folders that nobody may write to. */
const remove = async (folder: string): Promise<void> => {
  const removeAll = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  await removeAll().catch(async () => {
    const signal = AbortSignal.timeout(CLEAN_UP_MS);
    const command = { folder: '/', environment: {}, onOutput: () => undefined, signal };
    await run({ ...command, file: '/bin/chmod', args: ['-R', 'u+rwX', folder] });
    await removeAll().catch(() => undefined);
  });
};

/** Answers false where somebody has it. */
const makePlace = async (place: string): Promise<boolean> => {
  try {
    await mkdir(place, { mode: 0o700 });
  } catch (error) {
    if (isThere(error)) return false;
    throw error;
  }
  try {
    await writeFile(join(place, OWNER), await ownerNow(), { mode: 0o600 });
    return true;
  } catch (error) {
    await remove(place);
    throw error;
  }
};

/** Moves a place that was left out of the way. One at a time: whoever comes second may find that it has an owner again. */
const clear = async (place: string): Promise<void> => {
  const taking = `${place}.taking`;
  try {
    await mkdir(taking, { mode: 0o700 });
  } catch (error) {
    if (isThere(error)) return;
    throw error;
  }
  const left = `${place}.${randomUUID()}`;
  try {
    if (await isLeft(place)) await rename(place, left);
  } finally {
    await rmdir(taking);
  }
  await remove(left);
};

/** A place below a folder that is nobody else's. */
const claimPlace = async (above: string): Promise<string> => {
  await mkdir(above, { recursive: true, mode: 0o700 });
  for (let number = 1; number <= MOST_PLACES; number += 1) {
    const place = join(above, String(number));
    if (await isLeft(place)) await clear(place);
    if (await makePlace(place)) return place;
  }
  throw new Error(`${above} has the folders of ${MOST_PLACES} runners`);
};

/**
 * The folders of a runner's jobs, in a place below `above` that is its own while it lives. A job has those of the one before wherever that
 * has ended, and so have the jobs of a runner that is started again: what jobs keep for one another may tell of paths.
 */
export class FoldersOfJobs {
  readonly #taken = new Set<number>();
  #place: Promise<string> | undefined;
  #beating: NodeJS.Timeout | undefined;

  constructor(private readonly above: string) {}

  async make(): Promise<JobFolders> {
    const place = await this.#own();
    let number = 1;
    while (this.#taken.has(number)) number += 1;
    this.#taken.add(number);
    const all = join(place, String(number));
    const folders = { all, project: join(all, 'project'), files: join(all, 'files'), scripts: join(all, 'scripts') };
    try {
      for (const folder of [all, folders.project, folders.files, folders.scripts]) await mkdir(folder, { mode: 0o700 });
      return folders;
    } catch (error) {
      await this.remove(folders);
      throw error;
    }
  }

  async remove({ all }: JobFolders): Promise<void> {
    await remove(all);
    this.#taken.delete(Number(all.split('/').at(-1)));
  }

  /** Once no job has any. */
  async close(): Promise<void> {
    clearInterval(this.#beating);
    const place = await this.#place?.catch(() => undefined);
    this.#place = undefined;
    if (place !== undefined) await remove(place);
  }

  async #own(): Promise<string> {
    const claiming = (this.#place ??= claimPlace(this.above));
    try {
      const place = await claiming;
      this.#beating ??= setInterval(() => {
        const now = new Date();
        utimes(join(place, OWNER), now, now).catch(() => undefined);
      }, BEAT_MS).unref();
      return place;
    } catch (error) {
      this.#place = undefined;
      throw error;
    }
  }
}
