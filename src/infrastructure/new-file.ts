import { existsSync } from 'node:fs';
import { dirname } from 'node:path';

/** @throws Error with a sentence when a file can't be made: it is there already, or its folder is not. */
export const refuseUnlessNew = (file: string): void => {
  if (existsSync(file)) throw new Error(`${file} exists already.`);
  if (!existsSync(dirname(file))) throw new Error(`There is no folder ${dirname(file)} for ${file}.`);
};
