import type { ObjectId } from '../../../domain/repositories/object-id.js';
import { Unavailable } from '../../../domain/shared/domain-error.js';
import type { ObjectReader, StoreName } from '../ports/object-stores.js';
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
    for (const name of names) {
      const entry = await this.objects.entryAt(store, commit.tree, name);
      if (entry?.mode === '100644' || entry?.mode === '100755') return { name, store, id: entry.id };
    }
    return undefined;
  }
}
