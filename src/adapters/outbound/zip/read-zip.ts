import { setImmediate as turn } from 'node:timers/promises';
import { Entry, openPromise, type ZipFile } from 'yauzl';

/** Where something lies in a zip, and how it is packed: without its names, which take most of what an entry does. */
export type ZipPlace = Pick<
  Entry,
  'compressedSize' | 'uncompressedSize' | 'compressionMethod' | 'generalPurposeBitFlag' | 'relativeOffsetOfLocalHeader'
>;

/** A file or folder of a zip, by a path without `..`, and not from the root. */
export interface ZipEntry {
  readonly path: string;
  readonly isFolder: boolean;
  /** Where it is a link: what it holds is then where it leads. */
  readonly isLink: boolean;
  /** Whether its owner may run it. */
  readonly isExecutable: boolean;
  /** In bytes, unpacked. */
  readonly size: number;
  /** What it holds; fails where that is more than `size`, or can't be unpacked. */
  readonly bytes: () => Promise<AsyncIterable<Uint8Array>>;
  /** For `bytesAt`, also of another reader of the same zip. */
  readonly place: ZipPlace;
}

/** It can't be read as a zip. */
export class NoZip extends Error {}

/** What the operating system says; all else is the fault of what is in the file, or of who sends it. */
export const isOfSystem = (error: unknown): boolean => (error as NodeJS.ErrnoException).syscall !== undefined;

const MOST_ENTRIES = 100_000;
/** Others want their turn while a long list is read. */
const ENTRIES_IN_A_ROW = 500;

const [TYPE_OF_FILE, LINK, OWNER_RUNS, UNIX] = [0o170_000, 0o120_000, 0o100, 3];

const placeOf = (entry: Entry): ZipPlace => ({
  compressedSize: entry.compressedSize,
  uncompressedSize: entry.uncompressedSize,
  compressionMethod: entry.compressionMethod,
  generalPurposeBitFlag: entry.generalPurposeBitFlag,
  relativeOffsetOfLocalHeader: entry.relativeOffsetOfLocalHeader,
});

const entryOf = (zip: ZipFile, entry: Entry): ZipEntry => {
  const mode = entry.versionMadeBy >>> 8 === UNIX ? entry.externalFileAttributes >>> 16 : 0;
  return {
    path: entry.fileName,
    isFolder: entry.fileName.endsWith('/'),
    isLink: (mode & TYPE_OF_FILE) === LINK,
    isExecutable: (mode & OWNER_RUNS) !== 0,
    size: entry.uncompressedSize,
    bytes: () => zip.openReadStreamPromise(entry),
    place: placeOf(entry),
  };
};

/**
 * The entries of a zip, one after the other; their bytes can be read until the next is asked for, or `close` is called.
 *
 * @throws NoZip, also for names that lead out of it, and for more entries than anybody makes.
 */
export class ZipReader {
  private constructor(private readonly zip: ZipFile) {}

  static async open(path: string): Promise<ZipReader> {
    try {
      const zip = await openPromise(path, { autoClose: false, lazyEntries: true, validateEntrySizes: true });
      // What it fails with is heard of where it is asked.
      zip.on('error', () => undefined);
      return new ZipReader(zip);
    } catch (error) {
      throw isOfSystem(error) ? error : new NoZip('It is no zip.', { cause: error });
    }
  }

  async *entries(): AsyncGenerator<ZipEntry> {
    if (this.zip.entryCount > MOST_ENTRIES) throw new NoZip('It has too many entries.');
    let read = 0;
    try {
      for await (const entry of this.zip.eachEntry()) {
        yield entryOf(this.zip, entry);
        if ((read += 1) % ENTRIES_IN_A_ROW === 0) await turn();
      }
    } catch (error) {
      throw error instanceof NoZip || isOfSystem(error)
        ? error
        : new NoZip('Its list can not be read.', { cause: error });
    }
  }

  /** What lies there; as `bytes` of its entry. */
  bytesAt(place: ZipPlace): Promise<AsyncIterable<Uint8Array>> {
    return this.zip.openReadStreamPromise(Object.assign(new Entry(), place));
  }

  close(): void {
    this.zip.close();
  }
}
