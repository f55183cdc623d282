import { byteText, type TreeEntry } from '../../../domain/repositories/object-format.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import { Unavailable } from '../../../domain/shared/domain-error.js';
import { TooLarge, type ObjectReader, type StoreName } from '../ports/object-stores.js';
import type { PermittedCode, Revisions } from './revisions.js';

export interface RootFile {
  readonly name: string;
  readonly store: StoreName;
  readonly id: ObjectId;
}

/** Finds what tells of a project as a whole: a file in the root of its default branch. */
export class RootFiles {
  constructor(
    private readonly revisions: Revisions,
    private readonly objects: ObjectReader,
  ) {}

  /**
   * The first that is there. Undefined where there is none, and while git is out of reach: what else is known of a project is told all
   * the same.
   */
  async first(permitted: PermittedCode, names: readonly string[]): Promise<RootFile | undefined> {
    try {
      return await this.#find(permitted, names);
    } catch (error) {
      if (error instanceof Unavailable) return undefined;
      throw error;
    }
  }

  async #find(permitted: PermittedCode, names: readonly string[]): Promise<RootFile | undefined> {
    const main = await this.revisions.find(permitted);
    if (main === undefined) return undefined;
    const { store, commit } = main;
    const ids = await this.#idsOf(store, commit.tree, names);
    const name = names.find((each) => ids.has(each));
    return name === undefined ? undefined : { name, store, id: ids.get(name)! };
  }

  /** By one look at the root, whatever it holds; nothing is known of one that is too large. */
  async #idsOf(store: StoreName, root: ObjectId, names: readonly string[]): Promise<ReadonlyMap<string, ObjectId>> {
    const wanted = new Set(names);
    const longest = Math.max(...names.map((name) => name.length));
    const ids = new Map<string, ObjectId>();
    for (const { mode, name, id } of await this.#entriesOf(store, root)) {
      if (name.length > longest || (mode !== '100644' && mode !== '100755')) continue;
      const text = byteText(name);
      if (wanted.has(text)) ids.set(text, id);
    }
    return ids;
  }

  async #entriesOf(store: StoreName, root: ObjectId): Promise<readonly TreeEntry[]> {
    try {
      return (await this.objects.tree(store, root)) ?? [];
    } catch (error) {
      if (error instanceof TooLarge) return [];
      throw error;
    }
  }
}
