import {
  compareEntries,
  encodedLength,
  entryIn,
  readEntry,
  writeEntry,
  type FoundEntry,
  type NamedEntry,
  type NewObject,
  type TreeEntry,
} from './object-format.js';

/** What becomes of a name in a tree: whatever has it goes, and this comes, if anything does. */
export interface TreeChange {
  readonly name: Uint8Array;
  readonly entry: TreeEntry | undefined;
}

/** A part of a tree that goes, and what comes in its place. */
interface Cut {
  readonly from: number;
  readonly to: number;
  readonly entry?: TreeEntry;
}

/** As much of a tree as is looked at before others have their turn. */
const BYTES_AT_ONCE = 256 * 1024;
/** A digit, a blank, a letter, nothing, and an id. */
const SHORTEST_ENTRY = 24;

const inOrder = (one: Cut, other: Cut): number =>
  one.from - other.from || one.to - other.to || (one.entry && other.entry ? compareEntries(one.entry, other.entry) : 0);

/**
 * A tree as it is stored, of which a few entries change: all others stay the bytes that they are. One of 100,000 entries takes more time
 * to be taken apart, sorted and written anew than others can wait, and several times its room.
 */
export class StoredTree {
  /** Where each entry begins. */
  readonly #starts: Uint32Array;
  #count = 0;
  #end = 0;

  constructor(private readonly content: Uint8Array) {
    this.#starts = new Uint32Array(Math.floor(content.length / SHORTEST_ENTRY));
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Finds more of its entries, as far as others can wait; false once all are found. Nothing else may be asked before.
   * @throws Error for what `git fsck` would refuse, as nothing could be found in it.
   */
  findMore(): boolean {
    const until = Math.min(this.#end + BYTES_AT_ONCE, this.content.length);
    let before = this.#count === 0 ? undefined : this.#entry(this.#count - 1);
    while (this.#end < until) {
      const entry = entryIn(this.content, this.#end);
      if (entry.end - this.#end < SHORTEST_ENTRY || entry.end > this.content.length)
        throw new Error('A tree breaks off.');
      if (before !== undefined && compareEntries(before, entry) >= 0) throw new Error('A tree is not in order.');
      this.#starts[this.#count] = this.#end;
      this.#count += 1;
      this.#end = entry.end;
      before = entry;
    }
    return this.#end < this.content.length;
  }

  find(name: Uint8Array): TreeEntry | undefined {
    const index = this.#indexOf(name);
    return index === undefined ? undefined : readEntry(this.content, this.#entry(index));
  }

  /** The tree with other entries; names are changed once each. Undefined where none are left. */
  with(changes: readonly TreeChange[]): NewObject | undefined {
    const cuts = changes.flatMap((change) => this.#cutsOf(change)).sort(inOrder);
    const more = cuts.reduce((sum, { from, to, entry }) => sum + (entry ? encodedLength(entry) : 0) - (to - from), 0);
    const content = new Uint8Array(this.content.length + more);
    let [read, written] = [0, 0];
    const keepUntil = (place: number): void => {
      content.set(this.content.subarray(read, place), written);
      written += place - read;
    };
    for (const { from, to, entry } of cuts) {
      keepUntil(from);
      if (entry !== undefined) written = writeEntry(entry, content, written);
      read = to;
    }
    keepUntil(this.content.length);
    return content.length === 0 ? undefined : { type: 'tree', content };
  }

  #cutsOf({ name, entry }: TreeChange): readonly Cut[] {
    const index = this.#indexOf(name);
    const cuts: Cut[] = index === undefined ? [] : [{ from: this.#startOf(index), to: this.#startOf(index + 1) }];
    if (entry === undefined) return cuts;
    const from = this.#startOf(this.#firstFrom(entry));
    return [...cuts, { from, to: from, entry }];
  }

  #startOf(index: number): number {
    return index < this.#count ? this.#starts[index]! : this.content.length;
  }

  #entry(index: number): FoundEntry {
    return entryIn(this.content, this.#startOf(index));
  }

  /** A folder has another place than a file of its name. */
  #indexOf(name: Uint8Array): number | undefined {
    for (const mode of ['100644', '40000'] as const) {
      const wanted = { mode, name };
      const index = this.#firstFrom(wanted);
      if (index < this.#count && compareEntries(this.#entry(index), wanted) === 0) return index;
    }
    return undefined;
  }

  /** The first entry that doesn't come before another. */
  #firstFrom(other: NamedEntry): number {
    let [low, high] = [0, this.#count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareEntries(this.#entry(middle), other) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
