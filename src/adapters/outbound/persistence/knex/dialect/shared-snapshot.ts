import type BetterSqlite3 from 'better-sqlite3';
import type { WriterTurn } from './writer-turn.js';

/** A snapshot is never older, in milliseconds. */
const MOST_MS = 2;

/**
 * The moment as of which look-ups that follow each other without a wait are answered. To begin and to end reading takes SQLite three calls
 * of the system, which cost more than most look-ups do, so those that may share a moment do (`docs/adr/0032`).
 *
 * It ends before this thread writes, once another thread writes or has written, before the event loop asks for more that came from outside, and
 * after two milliseconds.
 */
export class SharedSnapshot {
  #connection: BetterSqlite3.Database | undefined;
  #begin: (() => void) | undefined;
  #end: (() => void) | undefined;
  #open = false;
  #openedAt = 0;
  #writtenBefore = 0;
  #sharedByRequests = false;

  constructor(private readonly turn: WriterTurn) {}

  /** Has every statement of a connection that only reads answered as of the snapshot. */
  readBy(connection: BetterSqlite3.Database): void {
    const [begin, end] = [connection.prepare('begin'), connection.prepare('commit')];
    this.#connection = connection;
    this.#begin = () => void begin.run();
    this.#end = () => void end.run();
    beforeEachStatement(connection, () => this.#enter());
  }

  /** Has the snapshot end before each statement of a connection that writes. */
  endBefore(connection: BetterSqlite3.Database): void {
    beforeEachStatement(connection, () => this.release());
  }

  /**
   * To be told of each request when the event loop hands it over. All that came together, of which the loop learnt at once, may share a snapshot:
   * whoever has seen the answer to one of them can't have sent another.
   */
  requestCame(): void {
    if (this.#sharedByRequests) return;
    this.release();
    this.#sharedByRequests = true;
    setImmediate(() => {
      this.#sharedByRequests = false;
      this.#releaseLater();
    });
  }

  /** Has the next look-up see all that has been committed by then. */
  release(): void {
    if (!this.#open) return;
    // Should it fail, the next look-up tries again.
    this.#openedAt = -Infinity;
    // Neither once it is closed, nor when an error has ended the transaction.
    if (this.#connection?.inTransaction === true) this.#end?.();
    this.#open = false;
  }

  readonly #releaseLater = (): void => {
    try {
      this.release();
    } catch {
      // The next look-up says what is wrong: here it would end the process.
    }
  };

  #enter(): void {
    const { passed, isTaken } = this.turn;
    const now = performance.now();
    if (isTaken || passed !== this.#writtenBefore || now - this.#openedAt > MOST_MS) this.release();
    // The log begins anew only while nobody reads what is in it: one snapshot after another would never let it.
    if (this.#open || isTaken) return;
    this.#begin?.();
    this.#open = true;
    this.#openedAt = now;
    this.#writtenBefore = passed;
    // Not before the promises that are settled by now have been followed.
    if (!this.#sharedByRequests) process.nextTick(this.#releaseLater);
  }
}

const beforeEachStatement = (connection: BetterSqlite3.Database, does: () => void): void => {
  const prepare = connection.prepare.bind(connection);
  connection.prepare = ((sql: string) => {
    const statement = prepare(sql) as BetterSqlite3.Statement;
    const [all, run] = [statement.all.bind(statement), statement.run.bind(statement)];
    statement.all = (...values) => {
      does();
      return all(...values);
    };
    statement.run = (...values) => {
      does();
      return run(...values);
    };
    return statement;
  }) as typeof connection.prepare;
};
