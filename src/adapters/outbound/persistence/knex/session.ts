import type { Knex } from 'knex';
import type { Dialect } from './dialect/dialect.js';

/** Where repositories and readers run their queries: a transaction's connection, or the pool for reading. */
export class Session {
  #ended = false;

  constructor(
    private readonly knex: Knex,
    readonly dialect: Dialect,
  ) {}

  /** @throws Error once the work has ended, so that a forgotten `await` can't land in a neighbour's transaction. */
  get query(): Knex {
    if (this.#ended) throw new Error('This session has ended: something in the work was not awaited.');
    return this.knex;
  }

  end(): void {
    this.#ended = true;
  }
}
