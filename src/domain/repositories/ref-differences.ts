import type { ObjectId } from './object-id.js';

export type RefTargets = ReadonlyMap<string, ObjectId>;

/** What rows and files say differently about refs, as sentences, in the order of their names. */
export const refDifferences = (rows: RefTargets, files: RefTargets): readonly string[] =>
  [...new Set([...rows.keys(), ...files.keys()])].sort().flatMap((name) => {
    const [row, file] = [rows.get(name), files.get(name)];
    if (row === file) return [];
    if (row === undefined) return [`${name} is in its files, and not in the database`];
    if (file === undefined) return [`${name} is missing from its files; the database has ${row}`];
    return [`${name} is at ${file} in its files, and at ${row} in the database`];
  });
