import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterThisProcess } from './after-this-process.ts';

/** Where Linux keeps files in memory alone. */
const IN_MEMORY = '/dev/shm';
/** More than a run holds at once, by a good deal: databases go with the file that made them. */
const ROOM = 4 * 1024 ** 3;
const MEMORY_LEFT = 3 * 1024 ** 3;

const hasRoom = (directory: string): boolean => {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize > ROOM && process.availableMemory() > ROOM + MEMORY_LEFT;
};

/** In containers it is often a place that nothing may be started from; a browser is. */
const mayStartPrograms = (directory: string): boolean => {
  const program = join(directory, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
  try {
    execFileSync(program);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(program);
  }
};

const makeIn = (parent: string): string => mkdtempSync(join(parent, 'gatehouse-tests-'));

const makeInMemory = (): string | undefined => {
  let directory: string | undefined;
  try {
    if (!hasRoom(IN_MEMORY)) return undefined;
    directory = makeIn(IN_MEMORY);
    if (mayStartPrograms(directory)) return directory;
  } catch {
    // Another system, or a place that is closed to us.
  }
  if (directory !== undefined) rmSync(directory, { recursive: true });
  return undefined;
};

const prepare = (directory: string): string => {
  // Memory would stay taken otherwise. Workers take a moment to end.
  afterThisProcess('sleep 2; rm -rf "$1"', directory);
  return directory;
};

/** Makes the directory for databases, repositories and what else is made once for a run. */
export const makeDirectoryOnDisk = (): string => prepare(makeIn(tmpdir()));

/**
 * The same, in memory where there is room: SQLite and git wait for the disk at each commit, as they should, and on some machines that
 * takes longer than all else that a request does.
 */
export const makeQuickDirectory = (): string => {
  const inMemory = makeInMemory();
  return inMemory === undefined ? makeDirectoryOnDisk() : prepare(inMemory);
};
