import { accessSync, chmodSync, closeSync, constants, mkdirSync, openSync, readSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Data is for the account that runs the service alone, as the key beside it is. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** @throws Error with a sentence that names the path. */
const refuse = (path: string, reason: string): never => {
  throw new Error(`The database file ${path} can't be used: ${reason}`);
};

/** Undefined where nothing is, or nothing can be. */
const isFolder = (path: string): boolean | undefined => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return undefined;
  }
};

/** The folders that are missing above a path, the outermost first. */
const missingFolders = (folder: string): readonly string[] =>
  isFolder(folder) === undefined && dirname(folder) !== folder ? [...missingFolders(dirname(folder)), folder] : [];

const makeFolders = (file: string, folder: string): void => {
  // One by one: Node makes the folders of a path that can't have any in a loop without end (as below /proc).
  for (const missing of missingFolders(folder)) {
    try {
      mkdirSync(missing, { mode: FOLDER_MODE });
    } catch (error) {
      // Another process may have made it meanwhile.
      if (isFolder(missing) !== true)
        refuse(file, `the folder ${missing} can't be made (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
    }
  }
  if (isFolder(folder) === false) refuse(file, `${folder} is not a folder.`);
};

const makeFile = (file: string): void => {
  try {
    closeSync(openSync(file, 'a', FILE_MODE));
    accessSync(file, constants.R_OK | constants.W_OK);
  } catch (error) {
    refuse(file, `it can't be opened for writing (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
  }
};

/** What every file of SQLite begins with; one that was just made is empty. */
const HEADER = 'SQLite format 3\0';

const refuseOther = (file: string): void => {
  const begin = Buffer.alloc(HEADER.length);
  const descriptor = openSync(file, 'r');
  try {
    const length = readSync(descriptor, begin, 0, HEADER.length, 0);
    if (length > 0 && begin.toString('latin1') !== HEADER) refuse(file, 'it is not a SQLite database.');
  } finally {
    closeSync(descriptor);
  }
};

/**
 * Makes a database file and the folders above it where they are missing, readable by the service's account alone, and narrows the mode
 * of one that is there.
 *
 * @throws Error with a sentence that names the path, where it can't be used.
 */
export const prepareDatabaseFile = (path: string): void => {
  const file = resolve(path);
  if (isFolder(file) === true) refuse(file, 'it is a folder. Name a file in it, as in sqlite:./data/gatehouse.sqlite.');
  makeFolders(file, dirname(file));
  makeFile(file);
  refuseOther(file);
  restrictToOwner(file);
};

/** Nothing is said of a file that somebody else owns, who may allow whom they like. */
export const restrictToOwner = (file: string): void => {
  if (statSync(file).uid === process.getuid?.()) chmodSync(file, FILE_MODE);
};
