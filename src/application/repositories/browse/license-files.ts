import type { ObjectId } from '../../../domain/repositories/object-id.js';
import { Unavailable } from '../../../domain/shared/domain-error.js';
import { TooLarge, type ObjectReader } from '../ports/object-stores.js';
import type { PermittedCode, Revisions } from './revisions.js';

/** What the file of a license is called most often, the first that is there. */
const NAMES = ['LICENSE', 'LICENCE', 'COPYING', 'UNLICENSE', 'license'].flatMap((name) =>
  ['', '.md', '.txt'].map((ending) => name + ending),
);
/** The longest license that people choose has some 40 KB. */
const MOST_BYTES = 100_000;

export interface LicenseFile {
  readonly name: string;
  readonly id: ObjectId;
  /** Undefined for one that is too long. */
  readonly read: () => Promise<string | undefined>;
}

/** Which file of the default branch says what others may do with a project. */
export class LicenseFiles {
  constructor(
    private readonly revisions: Revisions,
    private readonly objects: ObjectReader,
  ) {}

  /** Undefined where there is none, and while git is out of reach: what else is known of a project is told all the same. */
  async of(permitted: PermittedCode): Promise<LicenseFile | undefined> {
    try {
      return await this.#find(permitted);
    } catch (error) {
      if (error instanceof Unavailable) return undefined;
      throw error;
    }
  }

  async #find(permitted: PermittedCode): Promise<LicenseFile | undefined> {
    const main = await this.revisions.find(permitted);
    if (main === undefined) return undefined;
    for (const name of NAMES) {
      const entry = await this.objects.entryAt(main.store, main.commit.tree, name);
      if (entry?.mode === '100644' || entry?.mode === '100755')
        return { name, id: entry.id, read: () => this.#read(main.store, entry.id) };
    }
    return undefined;
  }

  async #read(store: string, id: ObjectId): Promise<string | undefined> {
    try {
      const found = await this.objects.read(store, id, MOST_BYTES);
      return found && Buffer.from(found.content).toString('utf8');
    } catch (error) {
      if (error instanceof TooLarge) return undefined;
      throw error;
    }
  }
}
