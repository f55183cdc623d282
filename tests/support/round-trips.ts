import { afterAll, beforeAll } from '@jest/globals';
import pg from 'pg';

type Query = (this: pg.Client, config: unknown, values?: unknown, callback?: unknown) => unknown;
type Callback = (error: unknown, result: unknown) => void;

/** What was asked on one connection from the beginning of a transaction to its end. */
export interface RecordedTransaction {
  readonly statements: string[];
  /** How often it waited for answers: statements that go out without waiting for each other are one round trip. */
  roundTrips: number;
}

/** The texts of statements that go out as one transaction. */
const textsOf = (config: unknown): readonly string[] | undefined =>
  (config as { readonly statements?: readonly { readonly text: string }[] }).statements?.map(({ text }) => text);

const textOf = (config: unknown): string =>
  typeof config === 'string' ? config : ((config as { readonly text?: string }).text ?? '');

/** Records what goes to PostgreSQL, whatever the time it takes: a statement is one round trip later than those answered before it. */
class RoundTrips {
  readonly transactions: RecordedTransaction[] = [];
  readonly #open = new WeakMap<pg.Client, RecordedTransaction>();
  readonly #answered = new WeakMap<pg.Client, number>();
  #outside: (RecordedTransaction & { readonly words: RegExp; answered: number }) | undefined;

  /** Calls what answers the statement once it is answered. */
  ask(client: pg.Client, text: string): () => void {
    if (/^begin\b/i.test(text)) {
      const begun = { statements: [], roundTrips: 0 };
      this.transactions.push(begun);
      this.#open.set(client, begun);
      this.#answered.set(client, 0);
    }
    const transaction = this.#open.get(client);
    if (transaction === undefined) return this.#askOutside(text);
    transaction.statements.push(text);
    const place = (this.#answered.get(client) ?? 0) + 1;
    transaction.roundTrips = Math.max(transaction.roundTrips, place);
    if (/^(?:commit|rollback);?$/i.test(text)) this.#open.delete(client);
    return () => this.#answered.set(client, Math.max(this.#answered.get(client) ?? 0, place));
  }

  /** A transaction that is asked at once. */
  askAtOnce(statements: readonly string[]): void {
    this.transactions.push({ statements: [...statements], roundTrips: 1 });
  }

  /** What a work asks outside of transactions, by statements that have such words, on whichever connections. */
  async outside(words: RegExp, work: () => Promise<unknown>): Promise<RecordedTransaction> {
    const watched = { words, statements: [], roundTrips: 0, answered: 0 };
    this.#outside = watched;
    await work();
    this.#outside = undefined;
    return watched;
  }

  #askOutside(text: string): () => void {
    const watched = this.#outside;
    if (watched?.words.test(text) !== true) return () => undefined;
    watched.statements.push(text);
    const place = watched.answered + 1;
    watched.roundTrips = Math.max(watched.roundTrips, place);
    return () => {
      watched.answered = Math.max(watched.answered, place);
    };
  }

  /** The transactions that had a statement with these words. */
  of(words: string): readonly RecordedTransaction[] {
    return this.transactions.filter(({ statements }) => statements.some((text) => text.includes(words)));
  }
}

/** Records the transactions of this process on PostgreSQL while a suite runs. */
export const recordRoundTrips = (): RoundTrips => {
  const recorded = new RoundTrips();
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  beforeAll(() => {
    prototype.query = function (config, values, callback) {
      const atOnce = textsOf(config);
      if (atOnce !== undefined) {
        recorded.askAtOnce(atOnce);
        return query.call(this, config, values, callback);
      }
      const answered = recorded.ask(this, textOf(config));
      const noting =
        (given: unknown): Callback =>
        (error, result) => {
          answered();
          (given as Callback)(error, result);
        };
      if (typeof values === 'function') return query.call(this, config, noting(values));
      if (typeof callback === 'function') return query.call(this, config, values, noting(callback));
      const result = query.call(this, config, values) as Promise<unknown>;
      return result.finally(answered);
    };
  });
  afterAll(() => {
    prototype.query = query;
  });
  return recorded;
};
