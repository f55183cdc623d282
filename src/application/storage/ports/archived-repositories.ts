import type { RestoredFolder } from './restored-folder.js';

/** A file of a store, as an archive has it. */
export interface ArchivedFile {
  readonly store: string;
  /** Below the folder of the store. */
  readonly path: string;
  readonly bytes: number;
  /** Is read to its end before the next file is asked for. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** A file that is the same as one before it, by another name. */
export interface SameFile {
  readonly store: string;
  readonly path: string;
  readonly sameAs: { readonly store: string; readonly path: string };
}

/** What the files of a store say about refs, by the rows of one moment. */
export interface ArchivedRefs {
  /** The default branch. */
  readonly branch: string | null;
  readonly refs: readonly { readonly name: string; readonly target: string }[];
}

/** Stores of repositories as they are at one moment, while they are served. */
export interface StoreCopies {
  /** Holds on to what stores have now; answers those that are not there. */
  take(stores: readonly string[]): Promise<readonly string[]>;
  /** Of a store that was taken. */
  writeRefs(store: string, refs: ArchivedRefs): Promise<void>;
  files(): AsyncIterable<ArchivedFile | SameFile>;
  discard(): Promise<void>;
}

/** Where repositories are restored. */
export interface RestoredStores extends RestoredFolder {
  add(file: ArchivedFile | SameFile): Promise<void>;
}
