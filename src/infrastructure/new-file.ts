import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { partialOf } from '../adapters/outbound/archive/partial-file.js';
import { reasonOf } from './explain-failure.js';

const FILE_MODE = 0o600;

/** Makes a file beside a place and removes it: rights say nothing of a full disk, or of a file system that takes no files. */
const tryBeside = (place: string): void => {
  const trial = partialOf(place);
  closeSync(openSync(trial, 'wx', FILE_MODE));
  rmSync(trial);
};

/** @throws Error with a sentence when a file can't be made: it is there already, its folder is not, or takes no file. */
export const refuseUnlessNew = (file: string): void => {
  if (file === '') throw new Error('The name of the file to write is empty.');
  if (existsSync(file)) throw new Error(`${file} exists already.`);
  if (!existsSync(dirname(file))) throw new Error(`There is no folder ${dirname(file)} for ${file}.`);
  try {
    tryBeside(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'its folder takes no files' : reasonOf(error);
    throw new Error(`${file} can't be written: ${reason}.`, { cause: error });
  }
};

/** The folder itself, or the nearest one above it that is there. */
const nearestThere = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : nearestThere(dirname(folder));

/** @throws Error with a sentence when neither a folder nor anything in it can be made. */
export const refuseUnlessMakeable = (folder: string): void => {
  const there = nearestThere(resolve(folder));
  try {
    if (!statSync(there).isDirectory()) throw Object.assign(new Error(there), { code: 'ENOTDIR' });
    tryBeside(`${there}/gatehouse`);
  } catch (error) {
    throw new Error(`Nothing can be written into ${folder}: ${reasonOf(error)}.`, { cause: error });
  }
};

/** Why neither a folder nor anything in it can be made, to stand behind a colon; undefined where it can. */
export const whyNotMakeable = (folder: string): string | undefined => {
  try {
    refuseUnlessMakeable(folder);
    return undefined;
  } catch (error) {
    return reasonOf((error as Error).cause);
  }
};

/** A balancer asks each second. */
const TRIED_FOR_MS = 10_000;

/**
 * The same for whoever asks often: a folder is tried once in ten seconds.
 * @throws Error that names the setting, and not the folder: anybody may ask.
 */
export const createFolderCheck = (setting: string, folder: string): (() => void) => {
  let triedAt = -TRIED_FOR_MS;
  let reason: string | undefined;
  return () => {
    if (performance.now() - triedAt >= TRIED_FOR_MS) {
      triedAt = performance.now();
      reason = whyNotMakeable(folder);
    }
    if (reason !== undefined) throw new Error(`nothing can be written into ${setting}: ${reason}`);
  };
};
