import type { Knex } from 'knex';
import type { Manner } from '../../../../../application/shared/unit-of-work.js';
import type { ConnectionCounts, Database, DatabaseOfThreads, LockName, ReplicaState } from '../database.js';
import { StorageMoved } from '../dialect/constraint-violations.js';
import { Session } from '../session.js';

/** An installation is not moved more often while one work runs. */
const MOST_MOVES = 3;
/** Whoever reads from a database that was left may do so for a while. */
const KEPT_MS = 30_000;

/**
 * Finds the successor of a database, hands it to `readThere`, from when on everybody reads from it, and resolves once it may be written
 * to.
 */
export type GoOver = (from: Database, readThere: (successor: Database) => void) => Promise<void>;

/** The database of an installation whose storage may be moved while it serves: works and readers go over to the successor. */
export class SwitchableDatabase implements Database {
  readonly reader: Session;
  readonly primary: Session;
  #current: Database;
  #going: Promise<void> | undefined;
  readonly #left = new Map<Database, NodeJS.Timeout>();

  constructor(
    first: Database,
    private readonly goOver: GoOver,
  ) {
    this.#current = first;
    this.reader = Session.following(() => this.#current.reader);
    this.primary = Session.following(() => this.#current.primary ?? this.#current.reader);
  }

  /** The one that is in use. */
  get current(): Database {
    return this.#current;
  }

  get schema(): Knex {
    return this.#current.schema;
  }

  get inThisThread(): DatabaseOfThreads | undefined {
    return this.#current.inThisThread;
  }

  async transact<Result>(work: (session: Session) => Promise<Result>, manner?: Manner): Promise<Result> {
    for (let moves = 0; ; moves += 1) {
      await this.#going;
      const database = this.#current;
      try {
        return await database.transact(work, manner);
      } catch (error) {
        if (!(error instanceof StorageMoved) || moves === MOST_MOVES) throw error;
        await this.leave(database);
      }
    }
  }

  requestCame(): void {
    this.#current.requestCame?.();
  }

  /** Goes over from a database to its successor, once for all who ask. */
  async leave(database: Database): Promise<void> {
    if (this.#current === database) this.#going ??= this.#goOver(database);
    await this.#going;
  }

  /** A database that was left has a replica no more. */
  readList<Result>(read: () => Promise<Result>): Promise<Result> {
    return this.#current.readList?.(read) ?? read();
  }

  replica(): ReplicaState | undefined {
    return this.#current.replica?.();
  }

  withLock<Result>(name: LockName, work: () => Promise<Result>): Promise<Result> {
    return this.#current.withLock(name, work);
  }

  tryWithLock<Result>(name: LockName, work: () => Promise<Result>): Promise<Result | undefined> {
    return this.#current.tryWithLock(name, work);
  }

  ping(): Promise<void> {
    return this.#current.ping();
  }

  connections(): ConnectionCounts {
    return this.#current.connections();
  }

  tables(): Promise<readonly string[]> {
    return this.#current.tables();
  }

  size(): Promise<number> {
    return this.#current.size();
  }

  backup(file: string): Promise<void> {
    return this.#current.backup(file);
  }

  async close(): Promise<void> {
    await this.#going?.catch(() => undefined);
    for (const database of this.#left.keys()) await this.#close(database);
    await this.#current.close();
  }

  async #goOver(from: Database): Promise<void> {
    try {
      await this.goOver(from, (successor) => {
        this.#current = successor;
        this.#left.set(from, setTimeout(() => void this.#close(from), KEPT_MS).unref());
      });
    } finally {
      this.#going = undefined;
    }
  }

  async #close(database: Database): Promise<void> {
    clearTimeout(this.#left.get(database));
    this.#left.delete(database);
    await database.close();
  }
}
