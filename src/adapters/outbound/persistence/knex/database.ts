import type { Knex } from 'knex';
import type { Manner } from '../../../../application/shared/unit-of-work.js';
import type { Session } from './session.js';

/** An open database, whichever it is. */
export interface Database {
  /** For readers; never for writing. */
  readonly reader: Session;
  /** The same, but never from a replica; absent where there is none. */
  readonly primary?: Session;
  /** For schema changes at the start. */
  readonly schema: Knex;
  /** Where the database works in the thread that asks: what another thread opens it by, beside this one. */
  readonly inThisThread?: DatabaseOfThreads | undefined;
  /** Runs what reads a list, from a replica where there is one that has all of it; may run it twice, and then the second time from here. */
  readList?<Result>(read: () => Promise<Result>): Promise<Result>;
  /** How its replica is, where it has one. */
  replica?(): ReplicaState | undefined;
  /** Told of each request while the event loop hands it over: look-ups of those that come together may be answered as of one moment. */
  requestCame?(): void;
  /** Runs a work in a transaction of its own; see `UnitOfWork`. */
  transact<Result>(work: (session: Session) => Promise<Result>, manner?: Manner): Promise<Result>;
  /** Runs `work` while no other process on this database runs one under the same name; waits for its turn. */
  withLock<Result>(name: LockName, work: () => Promise<Result>): Promise<Result>;
  /** As `withLock`, but answers `undefined` at once when another process holds the lock. */
  tryWithLock<Result>(name: LockName, work: () => Promise<Result>): Promise<Result | undefined>;
  /** @throws Unavailable when the database does not answer. */
  ping(): Promise<void>;
  /** Names of the tables that are there, whoever made them, sorted. */
  tables(): Promise<readonly string[]>;
  /** How many bytes it takes. */
  size(): Promise<number>;
  /** How many connections are used, idle and waited for by this process now, and how many it may open. */
  connections(): ConnectionCounts;
  /** A consistent copy while serving. @throws Error with a sentence where the database has a tool of its own for it. */
  backup(file: string): Promise<void>;
  /** Finishes what was accepted and closes every connection. */
  close(): Promise<void>;
}

/** Whether a replica has what is read from it, is behind, or does not answer. */
export const REPLICA_STATES = ['current', 'behind', 'away'] as const;
export type ReplicaState = (typeof REPLICA_STATES)[number];

export interface ConnectionCounts {
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
  readonly max: number;
}

/** Plain data, which can be handed to a thread. */
export interface DatabaseOfThreads {
  readonly path: string;
  /** Whose turn it is to write. */
  readonly turn: SharedArrayBuffer;
}

/** What only one node at a time may do. */
export type LockName =
  'migration' | 'secret key' | 'clean-up' | 'backup' | 'retention of activity' | 'first-start' | 'housekeeping';
