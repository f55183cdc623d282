import { join } from 'node:path';

/** What no job left ends with a letter: nodes of a version before packages, which still run beside this one, let it lie. */
export const OF_PACKAGE = 'p';
const KEY = /^[0-9a-f]{24}p?$/;

/** The folder has so many parts, each called by two digits. */
export const PARTS = 256;

export const partOf = (number: number): string => (number % PARTS).toString(16).padStart(2, '0');

export const isArtifactKey = (text: string): boolean => KEY.test(text);

/** The part of a file of this name, and the file. */
export const placeOf = (root: string, key: string): { readonly part: string; readonly path: string } => {
  const part = join(root, key.slice(0, 2));
  return { part, path: join(part, key) };
};
