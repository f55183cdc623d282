import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const CONFIG = '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n';
const FOLDERS = ['objects/pack', 'objects/info', 'refs/heads', 'refs/tags'];

/** A folder that git takes for a store as soon as it has a `HEAD`. */
export const makeStoreFolder = async (folder: string): Promise<void> => {
  for (const name of FOLDERS) await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, 'config'), CONFIG);
};
