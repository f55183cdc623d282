import type { ArchivedArtifact } from './archived-artifacts.js';
import type { ArchivedFile, SameFile } from './archived-repositories.js';
import type { StoredRow } from '../../../domain/storage/stored-row.js';
import type { Counters, RowSource, StoredTable } from './stored-rows.js';

/** What an archive says of itself before its rows. */
export interface ArchiveHeader {
  readonly version: string;
  readonly migrations: readonly string[];
  readonly createdAt: string;
  /** Tells the secret key that belongs to it from others; it can't be made of it. */
  readonly keyFingerprint: string | undefined;
  /** How many stores of repositories it has behind its rows; absent is none. */
  readonly repositories?: number;
  /** How many files of CI jobs it has behind them; absent is none. */
  readonly artifacts?: number;
  /** How many more its rows name that nobody had; absent is none. */
  readonly lostArtifacts?: number;
}

/** What an archive has behind its rows. */
export type FileOfArchive = ArchivedFile | SameFile | ArchivedArtifact;

/** What an archive says of itself after its rows. */
export interface ArchiveManifest {
  readonly tables: Readonly<Record<string, { readonly rows: number; readonly sha256: string }>>;
  readonly counters: Counters;
}

export interface ArchiveWriter {
  beginTable(table: StoredTable): Promise<void>;
  rows(rows: readonly StoredRow[]): Promise<void>;
  endRows(manifest: ArchiveManifest): Promise<void>;
  /** After the rows. */
  addFile(file: FileOfArchive): Promise<void>;
  /** Puts the archive where it belongs, whole. */
  end(): Promise<void>;
  /** Leaves nothing of it behind. */
  discard(): Promise<void>;
}

export interface ArchiveReader {
  readonly header: ArchiveHeader;
  /** Tables are read in the order in which they were written, and the counters after them. */
  readonly rows: RowSource;
  /** After all tables were read. @throws Error when the archive ends too early. */
  manifest(): Promise<ArchiveManifest>;
  /** After the manifest; each is read to its end before the next. @throws Error when one is not as it was written, or is lacking. */
  files(): AsyncIterable<FileOfArchive>;
  close(): Promise<void>;
}
