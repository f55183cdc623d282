import type { StoredRow } from '../../../domain/storage/stored-row.js';

/** The values of a primary key. */
export type StoredKey = readonly string[];

export interface StoredTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** Which of the columns are the primary key, and how each of them is sorted. */
  readonly key: readonly { readonly place: number; readonly sorted: 'by number' | 'by code point' }[];
}

export const keyOf = ({ key }: StoredTable, row: StoredRow): StoredKey => key.map(({ place }) => row[place] ?? '');

/** A value that not every database can keep. */
export interface Fault {
  readonly table: string;
  readonly key: StoredKey;
  readonly column: string;
  /** The rest of a sentence: "holds U+0000 at character 41, which …". */
  readonly says: string;
}

/** Rows in the order of their keys, as many as fit into bounded memory. */
export interface Page {
  readonly rows: readonly StoredRow[];
  readonly faults: readonly Fault[];
}

/** The last number that each table gave out, by the table's name. */
export type Counters = ReadonlyMap<string, string>;

/** All rows of a store as they were at one moment. */
export interface RowSource {
  pages(table: StoredTable): AsyncIterable<Page>;
  /** The pages after a row. */
  pagesAfter(table: StoredTable, key: StoredKey): AsyncIterable<Page>;
  counters(): Promise<Counters>;
}

/** Which rows were written, or are gone, since that was last taken over. */
export interface Changes {
  /** Numbers of the notes that tell of them, in their order. */
  readonly notes: readonly number[];
  /** Each key once, by the table's name. */
  readonly keys: ReadonlyMap<string, readonly StoredKey[]>;
}

/** The rows of a database that is being moved, and which of them changed meanwhile. */
export interface ChangingRows extends RowSource {
  /** What the oldest notes tell, as many as `limit`. */
  changes(limit: number): Promise<Changes>;
  /** Those of the rows that are there. */
  rowsOf(table: StoredTable, keys: readonly StoredKey[]): AsyncIterable<Page>;
}

/** The rows of a database as they were at one moment, which is held for whoever reads them. */
export interface Moment extends ChangingRows {
  /**
   * Keeps that moment where it burdens nobody, if the database can: to hold it costs those who write meanwhile more and more. Whoever
   * reads for long calls it first.
   */
  keep(): Promise<void>;
}

/** A SHA-256 that is being made. */
export interface RunningDigest {
  update(text: string): void;
  /** In hexadecimal digits. */
  end(): string;
}
export type StartDigest = () => RunningDigest;
