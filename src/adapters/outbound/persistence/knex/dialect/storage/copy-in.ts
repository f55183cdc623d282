import type pg from 'pg';

/** What the driver's types leave out. */
interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** One `copy … from stdin` with all its lines: PostgreSQL's own way to take many rows. */
class CopyIn implements pg.Submittable {
  readonly done: Promise<void>;
  #resolve: () => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  constructor(
    private readonly statement: string,
    private readonly lines: Buffer,
  ) {
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: pg.Connection): void {
    connection.query(this.statement);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(this.lines);
    connection.endCopyFrom();
  }

  handleCommandComplete(): void {
    // What follows says that the server is ready again.
  }

  handleReadyForQuery(): void {
    this.#resolve();
  }

  handleError(error: unknown): void {
    this.#reject(error);
  }
}

export const copyIn = (client: pg.Client, statement: string, lines: Buffer): Promise<void> =>
  client.query(new CopyIn(statement, lines)).done;
