import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Makes the names in a folder last through a loss of power. */
export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** What can't be written to says nothing of where that is. @throws the same error, with the path that it lacked. */
export const withPath = (error: unknown, path: string): never => {
  if (error instanceof Object && 'syscall' in error && !('path' in error)) Object.assign(error, { path });
  throw error;
};

export const randomName = (prefix: string): string => `${prefix}${randomBytes(12).toString('hex')}`;

/** A file that is there as a whole, or as it was before; that it is there lasts once its folder is synced. `folder` is for the unfinished file. */
export const writeWhole = async (path: string, content: string | Uint8Array, folder: string): Promise<void> => {
  const unfinished = join(folder, randomName('unfinished-'));
  try {
    const handle = await open(unfinished, 'wx', 0o644);
    try {
      await handle.writeFile(content);
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await mkdir(dirname(path), { recursive: true });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    return withPath(error, path);
  }
};

/** The same, and it is there from then on, whenever the power fails. */
export const writeDurably = async (path: string, content: string | Uint8Array, folder: string): Promise<void> => {
  await writeWhole(path, content, folder);
  await syncFolder(dirname(path));
};

/** @throws Error with a sentence where an archive has a file twice: the first is there already. */
export const refuseTwice = (error: unknown): never => {
  throw codeOf(error) === 'EEXIST' ? new Error('The archive has a file twice.', { cause: error }) : error;
};

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | null)?.code ?? '';

/** False only where there is nothing: what can't be looked at is an error. */
export const isThere = async (path: string): Promise<boolean> => {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
};
