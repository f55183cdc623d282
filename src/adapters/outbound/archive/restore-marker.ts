import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, randomName, syncFolder, writeDurably } from '../git/durable-files.js';

const NAME = 'restoring';
const UNFINISHED = 'restore-';

/** A folder for what is restored into another, before it is put there. */
export const unfinishedIn = (root: string): string => join(root, randomName(UNFINISHED));

/** Removes such folders of restores that were killed: only one at a time goes into a folder. */
export const removeUnfinished = async (root: string): Promise<void> => {
  const names = await readdir(root).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(UNFINISHED)))
    await rm(join(root, name), { recursive: true, force: true });
};

/** A file that says of a folder that all it holds was put there by a restore which has not ended. */
export class RestoreMarker {
  readonly #path: string;

  constructor(private readonly root: string) {
    this.#path = join(root, NAME);
  }

  /** What the database calls that restore; undefined where there is none. */
  async move(): Promise<string | undefined> {
    try {
      return await readFile(this.#path, 'utf8');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  async set(move: string): Promise<void> {
    await mkdir(this.root, { recursive: true });
    await writeDurably(this.#path, move, this.root);
  }

  async remove(): Promise<void> {
    await rm(this.#path, { force: true });
    await syncFolder(this.root);
  }

  /** What is done with files that a restore left whose database doesn't go on with it. */
  get wayOut(): string {
    return `A restore into ${this.root} did not end: begin it anew by the same command, or empty the folder.`;
  }
}

/** @throws Error with a sentence where a restore into a folder did not end: whoever leaves its files out now would lose them. */
export const refuseUnfinishedRestore = async (root: string): Promise<void> => {
  const marker = new RestoreMarker(root);
  if ((await marker.move()) !== undefined) throw new Error(marker.wayOut);
};

/** Whether a restore into a folder did not end. */
export const isRestoreUnfinished = async (root: string): Promise<boolean> =>
  (await new RestoreMarker(root).move()) !== undefined;
