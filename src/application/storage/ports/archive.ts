import type { StoredRow } from '../../../domain/storage/stored-row.js';
import type { Counters, RowSource, StoredTable } from './stored-rows.js';

/** What an archive says of itself before its rows. */
export interface ArchiveHeader {
  readonly version: string;
  readonly migrations: readonly string[];
  readonly createdAt: string;
  /** Tells the secret key that belongs to it from others; it can't be made of it. */
  readonly keyFingerprint: string | undefined;
}

/** What an archive says of itself after its rows. */
export interface ArchiveManifest {
  readonly tables: Readonly<Record<string, { readonly rows: number; readonly sha256: string }>>;
  readonly counters: Counters;
}

export interface ArchiveWriter {
  beginTable(table: StoredTable): Promise<void>;
  rows(rows: readonly StoredRow[]): Promise<void>;
  /** Puts the archive where it belongs, whole. */
  end(manifest: ArchiveManifest): Promise<void>;
  /** Leaves nothing of it behind. */
  discard(): Promise<void>;
}

export interface ArchiveReader {
  readonly header: ArchiveHeader;
  /** Tables are read in the order in which they were written, and the counters after them. */
  readonly rows: RowSource;
  /** After all tables were read. @throws Error when the archive ends too early. */
  manifest(): Promise<ArchiveManifest>;
  close(): Promise<void>;
}
