import { byteText, type NewObject, type TreeEntry } from '../../domain/repositories/object-format.js';
import { StoredTree, type TreeChange } from '../../domain/repositories/stored-tree.js';

/** What a folder holds; another folder that was opened since is with it. */
export interface DraftEntry extends Omit<TreeEntry, 'id'> {
  /** Of a folder that was opened: as it was before, and empty for one that is new. */
  readonly id: string;
  readonly folder?: DraftFolder;
}

interface Put {
  readonly name: Uint8Array;
  /** Undefined where it was taken away. */
  readonly entry: DraftEntry | undefined;
}

/** A folder that was opened because something in it may change: as it is stored, and what was put there since. */
export class DraftFolder {
  readonly #put = new Map<string, Put>();
  #changed = false;

  constructor(private readonly stored = new StoredTree(new Uint8Array())) {}

  /** Gives others their turn while it looks through a large one. */
  static async of(content: Uint8Array): Promise<DraftFolder> {
    const stored = new StoredTree(content);
    while (stored.findMore()) await new Promise((resume) => setImmediate(resume));
    return new DraftFolder(stored);
  }

  get changed(): boolean {
    return this.#changed;
  }

  get(name: Uint8Array): DraftEntry | undefined {
    const put = this.#put.get(byteText(name));
    return put === undefined ? this.stored.find(name) : put.entry;
  }

  put(entry: DraftEntry): void {
    this.#put.set(byteText(entry.name), { name: entry.name, entry });
  }

  remove(name: Uint8Array): void {
    this.#put.set(byteText(name), { name, entry: undefined });
  }

  touch(): void {
    this.#changed = true;
  }

  /** A folder that actions have emptied isn't there any more. */
  isEmpty(): boolean {
    if (this.#put.size < this.stored.count) return false;
    const puts = [...this.#put.values()];
    const touched = puts.filter(({ name }) => this.stored.find(name) !== undefined).length;
    return (
      touched === this.stored.count &&
      puts.every(({ entry }) => entry === undefined || entry.folder?.isEmpty() === true)
    );
  }

  /**
   * The tree that it is to be, once all below is written; undefined where nothing is left in it: git has no folder such as that.
   * @param write answers the id of a folder below.
   */
  async encoded(write: (folder: DraftFolder) => Promise<string | undefined>): Promise<NewObject | undefined> {
    const changes: TreeChange[] = [];
    for (const { name, entry } of this.#put.values()) {
      const below = entry?.folder;
      const id = below === undefined || (!below.changed && entry?.id !== '') ? entry?.id : await write(below);
      changes.push({
        name,
        entry: entry === undefined || id === undefined ? undefined : { mode: entry.mode, name, id },
      });
    }
    return this.stored.with(changes);
  }
}
