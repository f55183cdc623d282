import { Unavailable } from '../../../domain/shared/domain-error.js';
import type { ObjectReader } from '../ports/object-stores.js';
import type { PermittedCode, Revisions } from './revisions.js';

/** What a README is called most often, the first that is there. */
const NAMES = ['README.md', 'readme.md', 'README', 'README.rst', 'README.txt'];

/** Which file of the default branch tells what a project is. */
export class Readmes {
  constructor(
    private readonly revisions: Revisions,
    private readonly objects: ObjectReader,
  ) {}

  /** Undefined where there is none, and while git is out of reach: what else is known of a project is told all the same. */
  async of(permitted: PermittedCode): Promise<string | undefined> {
    try {
      return await this.#find(permitted);
    } catch (error) {
      if (error instanceof Unavailable) return undefined;
      throw error;
    }
  }

  async #find(permitted: PermittedCode): Promise<string | undefined> {
    const main = await this.revisions.find(permitted);
    if (main === undefined) return undefined;
    for (const name of NAMES) {
      const entry = await this.objects.entryAt(main.store, main.commit.tree, name);
      if (entry?.mode === '100644' || entry?.mode === '100755') return name;
    }
    return undefined;
  }
}
