import { copyFile, link, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf, randomName } from './durable-files.js';

const LINK_REFUSED = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP']);

/** Gives a file that never changes a second name; a copy where the folder can't do that. False when the file is gone. */
export const linkOrCopy = async (from: string, to: string): Promise<boolean> => {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') return true;
    if (code === 'ENOENT') return false;
    if (!LINK_REFUSED.has(code)) throw error;
  }
  const unfinished = join(dirname(to), randomName('tmp_'));
  try {
    await copyFile(from, unfinished);
    await rename(unfinished, to);
    return true;
  } catch (error) {
    await rm(unfinished, { force: true });
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
};
