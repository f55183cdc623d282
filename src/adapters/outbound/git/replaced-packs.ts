import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, writeDurably } from './durable-files.js';

/** When packs were replaced, by their names: they are removed later. A file of the store, so that it goes where the packs go. */
export type ReplacedPacks = Readonly<Record<string, string>>;

const recordOf = (folder: string): string => join(folder, 'replaced-packs.json');

export const readReplaced = async (folder: string): Promise<ReplacedPacks> => {
  try {
    return JSON.parse(await readFile(recordOf(folder), 'utf8')) as ReplacedPacks;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {};
    throw error;
  }
};

export const writeReplaced = (folder: string, replaced: ReplacedPacks): Promise<void> =>
  writeDurably(recordOf(folder), `${JSON.stringify(replaced)}\n`, folder);
