import { accessSync, chmodSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';

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

/**
 * A file that is there is not opened, but by SQLite: to close a file gives back every lock that this process has of it, those of SQLite, too.
 * Whoever opens the database beside it then believes to be alone, and removes the log that this process goes on to write into.
 */
const makeFile = (file: string): void => {
  try {
    if (!existsSync(file)) closeSync(openSync(file, 'a', FILE_MODE));
    accessSync(file, constants.R_OK | constants.W_OK);
  } catch (error) {
    refuse(file, `it can't be opened for writing (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
  }
};

/** A file of SQLite is empty, or has a page at least. What is shorter would be written over. */
const SMALLEST_PAGE = 512;

const refuseOther = (file: string): void => {
  const { size } = statSync(file);
  if ((size > 0 && size < SMALLEST_PAGE) || isOther(file)) refuse(file, 'it is not a SQLite database.');
};

/** Any other hindrance is told by whoever uses the file. */
const isOther = (file: string): boolean => {
  let connection: Database.Database | undefined;
  try {
    connection = new Database(file, { fileMustExist: true, timeout: 0 });
    connection.pragma('schema_version');
    return false;
  } catch (error) {
    return (error as { readonly code?: unknown }).code === 'SQLITE_NOTADB';
  } finally {
    connection?.close();
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
