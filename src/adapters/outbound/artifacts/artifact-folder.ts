import { join } from 'node:path';

const KEY = /^[0-9a-f]{24}$/;

/** The folder has so many parts, each called by two digits. */
export const PARTS = 256;

export const partOf = (number: number): string => (number % PARTS).toString(16).padStart(2, '0');

export const isArtifactKey = (text: string): boolean => KEY.test(text);

/** The part of a file of this name, and the file. */
export const placeOf = (root: string, key: string): { readonly part: string; readonly path: string } => {
  const part = join(root, key.slice(0, 2));
  return { part, path: join(part, key) };
};
