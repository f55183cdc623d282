import type { StorageControl } from '../../../domain/storage/storage-control.js';
import type { StoredRow } from '../../../domain/storage/stored-row.js';
import type { Counters, RowSource, StoredKey, StoredTable } from './stored-rows.js';

/** How far a target was filled: this table up to this row, and all tables before it. */
export interface Progress {
  readonly table: string;
  /** The key of the last row that arrived. */
  readonly after: StoredKey;
}

/** A database that rows are moved from or to. Nobody serves from it meanwhile. */
export interface StorageEnd {
  /** Its address without a password. */
  readonly place: string;
  /** Until it is closed nobody else moves from it or to it. @throws Error when somebody else does. */
  hold(): Promise<void>;
  migrations(): Promise<readonly string[]>;
  control(): Promise<StorageControl>;
  /** Writes what it says of itself. @throws Error when it doesn't say `before` any more. */
  mark(control: StorageControl, before: StorageControl): Promise<void>;
  /** Whether another process has it open to serve from it, as far as that can be seen. */
  isServed(): Promise<boolean>;
  /** Reads it as it is at one moment. */
  snapshot<Result>(read: (rows: RowSource) => Promise<Result>): Promise<Result>;
  /** Marks it and, in the same transaction, lets every write fail from now on. */
  fence(control: StorageControl): Promise<void>;
  /** Marks it and, in the same transaction, takes writes again. */
  unfence(control: StorageControl): Promise<void>;
  /** Marks it and takes away, in the same transaction, the indexes and foreign keys that rows would wait for. */
  beginFilling(control: StorageControl): Promise<void>;
  progress(): Promise<Progress | undefined>;
  /** Inserts rows and says how far it came, in one transaction. @throws Error when it was not as far as `before` says. */
  append(table: StoredTable, rows: readonly StoredRow[], before: Progress | undefined, after: Progress): Promise<void>;
  /** Sets the counters, makes the indexes and foreign keys again and holds the rows against them; marks it, all at once. */
  endFilling(counters: Counters, control: StorageControl): Promise<void>;
  /** Removes every row, and makes indexes and foreign keys again, all at once: as a database that was only migrated. */
  empty(): Promise<void>;
  close(): Promise<void>;
}
