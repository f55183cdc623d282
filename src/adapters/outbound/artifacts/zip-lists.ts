import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ZipEntry, ZipPlace } from '../zip/read-zip.js';

/** A file of a zip, and where it lies there. */
export interface ListedFile {
  readonly size: number;
  readonly place: ZipPlace;
}

/** Of all lists together, about: some of the longest, or very many ordinary ones. */
const MOST_BYTES = 64 * 1_048_576;
/** What a file takes in memory beside its key. */
const FILE_BYTES = 200;
/** A zip gives each path 64 KiB: longer ones than this are kept as their digest, which is longer than any that is kept as it is. */
const LONGEST_PATH = 40;

const keyOf = (path: string): string => (path.length > LONGEST_PATH ? hash('sha256', path, 'base64') : path);

/** The files of a zip by their paths. */
export class ZipList {
  readonly #files = new Map<string, ListedFile>();
  #bytes = 1;
  /** Whether it ends where the zip can't be read. */
  isBroken = false;

  get bytes(): number {
    return this.#bytes;
  }

  /** Of those of one path the first counts. */
  add({ path, size, place }: ZipEntry): void {
    const key = keyOf(path);
    if (this.#files.has(key)) return;
    this.#files.set(key, { size, place });
    this.#bytes += FILE_BYTES + 2 * key.length;
  }

  find(path: string): ListedFile | undefined {
    return this.#files.get(keyOf(path));
  }
}

/** Lists of zips that were read: a long one takes seconds of a processor, and what has a key never changes. */
export class ZipLists {
  readonly #lists = new LRUCache<string, ZipList>({ maxSize: MOST_BYTES, sizeCalculation: ({ bytes }) => bytes });

  get(key: string): ZipList | undefined {
    return this.#lists.get(key);
  }

  remember(key: string, list: ZipList): void {
    this.#lists.set(key, list);
  }

  forget(key: string): void {
    this.#lists.delete(key);
  }
}
