import { held } from '../../domain/repositories/held-objects.js';
import type { CiReading } from '../../domain/pipelines/ci-file/ci-config.js';
import { readCiFile, type CiFileTools } from '../../domain/pipelines/ci-file/read-ci-file.js';
import type { ObjectId } from '../../domain/repositories/object-id.js';
import {
  TooLarge,
  type HistoryReader,
  type ObjectReader,
  type StoreName,
} from '../repositories/ports/object-stores.js';

/** Where the file is looked for. */
export const CI_FILE = '.gitlab-ci.yml';
const MOST_BYTES = 4 * 1024 * 1024;
/** Of the files of a commit: patterns are looked for among so many. */
const MOST_PATHS = 100_000;

/** A commit where it is kept. */
export interface CommitPlace {
  readonly store: StoreName;
  readonly commit: { readonly id: ObjectId };
}

interface Parts {
  readonly objects: ObjectReader;
  readonly history: HistoryReader;
  /** Anew for each file: its regular expressions have their time together. */
  readonly tools: () => CiFileTools;
}

/** CI files as they are in repositories. */
export class CiFiles {
  constructor(private readonly parts: Parts) {}

  /** What a text says; files that it includes are those of the commit. None are there without one. @throws Unavailable. */
  async read(text: string, place?: CommitPlace): Promise<CiReading> {
    const asking = readCiFile(text, this.parts.tools());
    let step = asking.next();
    while (step.done !== true) step = asking.next(place && (await this.textAt(place, step.value)));
    return step.value;
  }

  /** Undefined where no file is, or one that is too long. @throws Unavailable. */
  async textAt({ store, commit }: CommitPlace, path: string): Promise<string | undefined> {
    const { objects } = this.parts;
    try {
      const entry = await objects.entryAt(store, commit.id, path);
      if (entry?.mode !== '100644' && entry?.mode !== '100755') return undefined;
      const found = held(await objects.read(store, entry.id, MOST_BYTES), entry.id);
      return Buffer.from(found.content).toString('utf8');
    } catch (error) {
      if (error instanceof TooLarge) return undefined;
      throw error;
    }
  }

  /** Paths of all files of a commit; none where they are too many to be read. @throws Unavailable. */
  async pathsOf({ store, commit }: CommitPlace): Promise<readonly string[]> {
    try {
      const tree = await this.parts.history.listTree(store, commit.id, '', { recursive: true });
      return tree
        .entries(0, Math.min(tree.length, MOST_PATHS))
        .flatMap(({ type, path }) => (type === 'blob' ? [path] : []));
    } catch (error) {
      if (error instanceof TooLarge) return [];
      throw error;
    }
  }
}
