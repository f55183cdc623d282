import type { ObjectId } from '../../../domain/repositories/object-id.js';
import { TooLarge, type ObjectReader } from '../ports/object-stores.js';
import type { PermittedCode } from './revisions.js';
import type { RootFile, RootFiles } from './root-files.js';

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
    private readonly files: RootFiles,
    private readonly objects: ObjectReader,
  ) {}

  async of(permitted: PermittedCode): Promise<LicenseFile | undefined> {
    const found = await this.files.first(permitted, NAMES);
    return found && { name: found.name, id: found.id, read: () => this.#read(found) };
  }

  async #read({ store, id }: RootFile): Promise<string | undefined> {
    try {
      const found = await this.objects.read(store, id, MOST_BYTES);
      return found && Buffer.from(found.content).toString('utf8');
    } catch (error) {
      if (error instanceof TooLarge) return undefined;
      throw error;
    }
  }
}
