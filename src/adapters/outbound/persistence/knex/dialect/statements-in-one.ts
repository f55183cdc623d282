import pg from 'pg';
import utils from 'pg/lib/utils.js';

export interface PreparedStatement {
  /** What the connection has prepared it as. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

interface Answer {
  /** Once it is whole. */
  readonly command: string | null;
  readonly rows: readonly unknown[];
}

/** What pg's own queries do with a connection, and are told by it. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  bind(message: object): void;
  describe(message: object): void;
  execute(message: object): void;
  sync(): void;
}

interface WireQuery {
  readonly _results: Answer | readonly Answer[];
  callback: (error: unknown) => void;
}

const Query = pg.Query as unknown as new (config: { text: string }) => WireQuery;

/**
 * Statements that a connection has prepared, with one `Sync` behind all of them ("Pipelining" of PostgreSQL's manual): they are one
 * transaction, one write, and mostly one read.
 */
export class StatementsInOne extends Query {
  private readonly statements: readonly PreparedStatement[];

  /** @throws TypeError for a value that can't be sent, before anything is. */
  constructor(statements: readonly PreparedStatement[]) {
    super({ text: '' });
    this.statements = statements.map((each) => ({ ...each, values: each.values.map(utils.prepareValue) }));
  }

  /** Called by pg when it is its turn to be sent. */
  submit(wire: Wire): null {
    wire.stream.cork();
    for (const { name, values } of this.statements) {
      wire.bind({ statement: name, values });
      wire.describe({ type: 'P' });
      wire.execute({});
    }
    wire.sync();
    wire.stream.uncork();
    return null;
  }

  /** @throws what pg does. */
  runOn(client: pg.Client): Promise<readonly (readonly unknown[])[]> {
    return new Promise((resolve, reject) => {
      this.callback = (error) => (error === null ? resolve(this.answered) : reject(error as Error));
      client.query(this as unknown as pg.Submittable);
    });
  }

  /** The rows of each that was answered, in their order. */
  get answered(): readonly (readonly unknown[])[] {
    return [this._results].flat().flatMap(({ command, rows }) => (command === null ? [] : [rows]));
  }
}
