import { LRUCache } from 'lru-cache';
import { TooLarge, type ListedEntry, type ListedTree } from '../../../application/repositories/ports/object-stores.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import type { Arguments } from './command.js';
import type { Git } from './git.js';
import { walked } from './walked-fields.js';

/** More than either is asked for folder by folder: few objects make a tree of any size. */
const MOST_ENTRIES = 200_000;
const LIST_BYTES = 32 * 1024 * 1024;
const MOST_TOO_LARGE = 10_000;
/** Who reads a large tree page by page asks for the same one a thousand times. */
const KEPT_BYTES = 32 * 1024 * 1024;
const LINE = /^(\d{6}) (\w+) ([0-9a-f]{40})\t(.*)$/s;

/** What git listed, and where each line of it ends: lines are read when they are asked for. */
class Listing {
  readonly #ends: Uint32Array;

  constructor(
    private readonly bytes: Buffer,
    ends: readonly number[],
  ) {
    this.#ends = Uint32Array.from(ends);
  }

  get size(): number {
    return this.bytes.length + this.#ends.byteLength;
  }

  get length(): number {
    return this.#ends.length;
  }

  lines(from: number, to: number): readonly string[] {
    if (from >= Math.min(to, this.length)) return [];
    const begin = from === 0 ? 0 : (this.#ends[from - 1] ?? 0) + 1;
    return this.bytes.toString('utf8', begin, this.#ends[Math.min(to, this.length) - 1]).split('\0');
  }

  /** The number of the line of a name; -1 for one that is not there. */
  find(name: string): number {
    const at = this.bytes.indexOf(`\t${name}\0`);
    return at === -1 ? -1 : this.#ends.findIndex((end) => end > at);
  }
}

/** Reads a list as it comes, and no further than it is told. @throws TooLarge. */
const readListing = async (stream: AsyncIterable<Uint8Array>): Promise<Listing> => {
  const chunks: Uint8Array[] = [];
  const ends: number[] = [];
  let size = 0;
  for await (const chunk of stream) {
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, end + 1)) ends.push(size + end);
    chunks.push(chunk);
    size += chunk.length;
    if (size > LIST_BYTES || ends.length > MOST_ENTRIES) throw new TooLarge();
  }
  return new Listing(Buffer.concat(chunks), ends);
};

/** Lists trees, of which it keeps the last ones: a tree never changes. */
export class TreeLists {
  readonly #kept = new LRUCache<string, Listing>({ maxSize: KEPT_BYTES, sizeCalculation: ({ size }) => size + 1 });
  readonly #tooLarge = new LRUCache<string, true>({ maxSize: MOST_TOO_LARGE, sizeCalculation: () => 1 });

  constructor(private readonly git: Git) {}

  /** @throws TooLarge. */
  async list(store: string, tree: ObjectId, folder: string, recursive: boolean): Promise<ListedTree> {
    const listing = await this.#listingOf(store, tree, recursive);
    const prefix = folder.split('/').filter((name) => name !== '');
    const above = prefix.map((name) => `${name}/`).join('');
    const entryOf = (line: string): ListedEntry => {
      const [, mode = '', type = '', id = '', name = ''] = LINE.exec(line) ?? [];
      return { mode, type: type as ListedEntry['type'], id, path: `${above}${name}` };
    };
    return {
      length: listing.length,
      entries: (from, to) => listing.lines(from, to).map(entryOf),
      find: (path) => (path.startsWith(above) ? listing.find(path.slice(above.length)) : -1),
    };
  }

  async #listingOf(store: string, tree: ObjectId, recursive: boolean): Promise<Listing> {
    // By the store, too: what one has lost must not be told from another.
    const key = `${store} ${tree} ${recursive}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    if (this.#tooLarge.has(key)) throw new TooLarge();
    const fixed = ['ls-tree', '-z', '--full-tree', ...(recursive ? ['-r', '-t'] : [])];
    const listing = await this.#read(store, { fixed, ids: [tree] }, key);
    this.#kept.set(key, listing);
    return listing;
  }

  async #read(store: string, args: Arguments, key: string): Promise<Listing> {
    try {
      return await readListing(await walked(this.git, store, args));
    } catch (error) {
      if (error instanceof TooLarge) this.#tooLarge.set(key, true);
      throw error;
    }
  }
}
