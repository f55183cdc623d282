import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
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
/** More than jobs run at once on any machine. */
const MOST_FOLDERS = 1_000;
const OWNER = 'runner';
/** Of a process on one machine, or in one container. */
const owner = (): string => `${hostname()} ${process.pid}`;

const isThere = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST';

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
};

/** Whether a runner that was killed left it. */
const isLeft = async (folder: string): Promise<boolean> => {
  const [host, pid] = (await readFile(join(folder, OWNER), 'utf8').catch(() => '')).split(' ');
  return host === hostname() && !isAlive(Number(pid));
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

const isTaken = async (folder: string): Promise<boolean> => {
  try {
    await mkdir(folder, { mode: 0o700 });
    await writeFile(join(folder, OWNER), owner(), { mode: 0o600 });
    return false;
  } catch (error) {
    if (isThere(error)) return true;
    throw error;
  }
};

/**
 * Makes the folders of a job below another one. They are called the same as those of the job before wherever that has ended: what jobs keep
 * for one another may tell of paths.
 */
export const makeJobFolders = async (above: string): Promise<JobFolders> => {
  await mkdir(above, { recursive: true, mode: 0o700 });
  for (let number = 1; number <= MOST_FOLDERS; number += 1) {
    const all = join(above, `gatehouse-job-${number}`);
    if (await isTaken(all)) {
      if (!(await isLeft(all))) continue;
      await remove(all);
      if (await isTaken(all)) continue;
    }
    const folders = { all, project: join(all, 'project'), files: join(all, 'files'), scripts: join(all, 'scripts') };
    for (const folder of [folders.project, folders.files, folders.scripts]) await mkdir(folder, { mode: 0o700 });
    return folders;
  }
  throw new Error(`there are ${MOST_FOLDERS} folders of jobs in ${above}`);
};

export const removeJobFolders = ({ all }: JobFolders): Promise<void> => remove(all);
