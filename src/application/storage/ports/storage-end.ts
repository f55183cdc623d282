import type { NodeState, StorageControl } from '../../../domain/storage/storage-control.js';
import type { StoredRow } from '../../../domain/storage/stored-row.js';
import type { ChangingRows, Counters, Fault, Moment, Page, RowSource, StoredKey, StoredTable } from './stored-rows.js';

/** How far a target was filled: this table up to this row, and all tables before it. */
export interface Progress {
  readonly table: string;
  /** The key of the last row that arrived. */
  readonly after: StoredKey;
}

/** How many rows of a source have arrived, of those that were there when the move began. */
export interface CopiedRows {
  readonly copied: number;
  readonly known: number;
}

/** A process that serves, as it says of itself. */
export interface StorageNode {
  readonly node: string;
  readonly version: string;
  readonly state: NodeState;
  /** Why it is unable, as a sentence. */
  readonly reason: string | undefined;
  /** Counts up for as long as the process lives. */
  readonly beat: number;
}

export interface Orphans {
  readonly first: readonly Fault[];
  readonly count: number;
}

/** The rows of a source that nobody writes to until it is let go. */
export interface LockedRows extends ChangingRows {
  /** Marks it, and lets every write fail from now on. */
  leave(control: StorageControl): Promise<void>;
}

/** A row can't be put or removed while others are as they are: what is unique went from one to another, say. */
export class RowsInTheWay extends Error {
  override readonly name = 'RowsInTheWay';
}

/** What one transaction does to a target. */
export interface TargetWork {
  remove(table: StoredTable, keys: readonly StoredKey[]): Promise<void>;
  insert(table: StoredTable, rows: readonly StoredRow[]): Promise<void>;
  /** Inserts rows, or changes those that are there, to which others may refer. @throws RowsInTheWay */
  put(table: StoredTable, rows: readonly StoredRow[]): Promise<void>;
  /** Those of the rows that are there. */
  rowsOf(table: StoredTable, keys: readonly StoredKey[]): AsyncIterable<Page>;
  setCounters(counters: Counters): Promise<void>;
  /** Makes what rows had not to wait for: indexes, and what keeps rows unique. @param sparing by one processor, for others need the rest. */
  makeIndexes(sparing: boolean): Promise<void>;
  /** Foreign keys, none of which is there: what is written from now on is held against them. */
  addForeignKeys(): Promise<void>;
  /** Holds every row against those that were added. @throws Error where one refers to nothing. */
  checkForeignKeys(): Promise<void>;
  /** Until they are added again. */
  dropForeignKeys(): Promise<void>;
  mark(control: StorageControl): Promise<void>;
  keepReceipt(receipt: string): Promise<void>;
}

/** A database that rows are moved from or to. */
export interface StorageEnd {
  /** Its address without a password. */
  readonly place: string;
  /** Whether several processes may serve from it. */
  readonly servesMany: boolean;
  /** Whether foreign keys can be added while it is filled, and hold what comes from then on. */
  readonly holdsReferences: boolean;
  /** Until it is closed nobody else moves from it or to it. @throws Error when somebody else does for all that time. */
  hold(patienceMs?: number): Promise<void>;
  migrations(): Promise<readonly string[]>;
  /** Names of all tables that are there, whosever they are. */
  tables(): Promise<readonly string[]>;
  mayMakeTables(): Promise<boolean>;
  control(): Promise<StorageControl>;
  /** Writes what it says of itself. @throws Error when it doesn't say `before` any more. */
  mark(control: StorageControl, before: StorageControl): Promise<void>;
  /** What `keepReceipt` kept there. */
  receipt(): Promise<string | undefined>;
  /** Whether another process has it open to serve from it, as far as that can be seen. */
  isServed(): Promise<boolean>;
  /** Names of the processes that serve from it, as far as the database tells. */
  servers(): Promise<readonly string[]>;
  /** Those that take part in a move. */
  nodes(): Promise<readonly StorageNode[]>;
  /** Reads it as it is at one moment. */
  snapshot<Result>(read: (rows: Moment) => Promise<Result>): Promise<Result>;
  /** Reads each page as it is at a moment of its own: what takes long holds nobody up. */
  byPages<Result>(read: (rows: RowSource) => Promise<Result>): Promise<Result>;
  /** Rows that refer to one which is not there: the first of them, as many as `limit`, and how many there are. */
  orphans(limit: number): Promise<Orphans>;
  /** Replaces a value by one that every database can keep, where it is text; answers whether it did. */
  mend(fault: Fault): Promise<boolean>;
  /** Says how far the move from here has come, for whoever watches. */
  tellCopied(rows: CopiedRows): Promise<void>;
  /** What was told last. */
  copiedRows(): Promise<CopiedRows | undefined>;
  /** Notes every change from now on, and marks it. */
  arm(control: StorageControl): Promise<void>;
  /** Marks it and takes writes again, without noting them. @throws Error when it doesn't say `before` any more. */
  release(control: StorageControl, before: StorageControl): Promise<void>;
  /** Marks it and, in the same transaction, lets every write fail from now on. */
  fence(control: StorageControl): Promise<void>;
  /** Does before, while writers go on, what letting every write fail would otherwise let them wait for. */
  prepareToLeave(): Promise<void>;
  /** Does before what setting its counters, and the next look at it, would otherwise let writers wait for. */
  prepareToArrive(): Promise<void>;
  /** @param notes the oldest there are, at least one. */
  forgetNotes(notes: readonly number[]): Promise<void>;
  /** Runs `work` while nobody writes or marks it; undefined where writers did not let it begin at once. */
  whileLocked<Result>(work: (rows: LockedRows) => Promise<Result>): Promise<Result | undefined>;
  /** Marks it and takes away, in the same transaction, the indexes and foreign keys that rows would wait for. */
  beginFilling(control: StorageControl): Promise<void>;
  /** From now on it is this run of the command that fills it: another one that does ends. */
  takeOver(run: string): Promise<void>;
  progress(): Promise<Progress | undefined>;
  /** Inserts rows and says how far it came, in one transaction. @throws Error when it was not as far as `before` says. */
  append(table: StoredTable, rows: readonly StoredRow[], before: Progress | undefined, after: Progress): Promise<void>;
  /** Runs `work` in one transaction. @throws Error when another run has taken over. */
  transact<Result>(run: string, work: (target: TargetWork) => Promise<Result>): Promise<Result>;
  /** Holds every row against the foreign keys, where that was not done before. @throws Error where one refers to nothing. */
  checkReferences(): Promise<void>;
  /** Learns how many rows there are of what, for its plans. */
  analyze(): Promise<void>;
  /** Removes every row, and makes indexes and foreign keys again, all at once: as a database that was only migrated, unless it is to say something of itself. */
  empty(then?: StorageControl): Promise<void>;
  close(): Promise<void>;
}
