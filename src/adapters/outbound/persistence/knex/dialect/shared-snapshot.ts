import type BetterSqlite3 from 'better-sqlite3';
import type { WriterTurn } from './writer-turn.js';

/**
 * The moment as of which look-ups that follow each other without a wait are answered. To begin and to end reading takes SQLite three calls
 * of the system, which cost more than most look-ups do, so those that may share a moment do (`docs/adr/0032`).
 *
 * Nobody sees less than without it: a snapshot ends before this thread writes, once another thread has written, and before the event loop asks
 * for more that came from outside.
 */
export class SharedSnapshot {
  #connection: BetterSqlite3.Database | undefined;
  #begin: (() => void) | undefined;
  #end: (() => void) | undefined;
  #open = false;
  #writtenBefore = 0;
  #sharedByRequests = false;

  constructor(private readonly turn: WriterTurn) {}

  /** Has every statement of a connection that only reads answered as of the snapshot. */
  readBy(connection: BetterSqlite3.Database): void {
    const [begin, end] = [connection.prepare('begin'), connection.prepare('commit')];
    this.#connection = connection;
    this.#begin = () => void begin.run();
    this.#end = () => void end.run();
    beforeEach(connection, () => this.#enter());
  }

  /** Has the snapshot end before each statement of a connection that writes. */
  endBefore(connection: BetterSqlite3.Database): void {
    beforeEach(connection, () => this.release());
  }

  /**
   * To be told of each request when it comes. All that came together, of which the event loop learnt at once, may share a snapshot: whoever has
   * seen the answer to one of them can't have sent another.
   */
  requestCame(): void {
    if (this.#sharedByRequests) return;
    this.release();
    this.#sharedByRequests = true;
    setImmediate(() => {
      this.#sharedByRequests = false;
      this.release();
    });
  }

  /** Has the next look-up see all that has been committed by then. */
  readonly release = (): void => {
    if (!this.#open) return;
    this.#open = false;
    // Neither once it is closed, nor when an error has ended the transaction.
    if (this.#connection?.inTransaction === true) this.#end?.();
  };

  #enter(): void {
    const written = this.turn.passed;
    if (written !== this.#writtenBefore) this.release();
    if (this.#open) return;
    this.#begin?.();
    this.#open = true;
    this.#writtenBefore = written;
    // Not before the promises that are settled by now have been followed.
    if (!this.#sharedByRequests) process.nextTick(this.release);
  }
}

const beforeEach = (connection: BetterSqlite3.Database, does: () => void): void => {
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
