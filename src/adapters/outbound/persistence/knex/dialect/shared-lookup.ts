import type { Knex } from 'knex';
import { Unavailable } from '../../../../../domain/shared/domain-error.js';
import type { FindFirst, Lookup, RunPrepared } from '../session.js';

/** As many values as one statement asks for: the rest of a turn asks beside it. */
const MOST_VALUES = 100;

type Asked = Map<Knex.Value, PromiseWithResolvers<unknown>>;

/** The same look-up for every value of an array, which tells for each row which value it was found by. */
const manyAtOnce = ({ sql, place, type }: Lookup): string => {
  const parameter = `$${place + 1}`;
  const one = sql.replaceAll(new RegExp(`\\${parameter}(?!\\d)`, 'g'), 'asked.value');
  return `select found.*, asked.place as asked_place from unnest(${parameter}::${type}[]) with ordinality as asked(value, place) cross join lateral (${one}) as found`;
};

/**
 * Whoever asks in the same turn of the event loop asks with one statement: its round trip, its parsing and its connection cost more
 * than a row. Nobody joins a statement that is on its way, so that each sees what was committed before they asked.
 */
class SharedLookup {
  readonly #many: string;
  #asked: Asked | undefined;

  constructor(
    private readonly run: RunPrepared,
    private readonly lookup: Lookup,
  ) {
    this.#many = manyAtOnce(lookup);
  }

  find(value: Knex.Value): Promise<unknown> {
    const asked = this.#ofThisTurn();
    const answer = asked.get(value) ?? Promise.withResolvers<unknown>();
    asked.set(value, answer);
    return answer.promise;
  }

  #ofThisTurn(): Asked {
    if (this.#asked !== undefined && this.#asked.size < MOST_VALUES) return this.#asked;
    const asked: Asked = new Map();
    this.#asked = asked;
    setImmediate(() => {
      if (this.#asked === asked) this.#asked = undefined;
      void this.#answer(asked);
    });
    return asked;
  }

  async #answer(asked: Asked): Promise<void> {
    if (asked.size === 1) return this.#answerEach(asked);
    const answers = [...asked.values()];
    try {
      const rows = await this.#findMany([...asked.keys()]);
      answers.forEach(({ resolve }, index) => resolve(rows[index]));
    } catch (error) {
      if (error instanceof Unavailable) answers.forEach(({ reject }) => reject(error));
      // One value that the database refuses is nothing to the others.
      else this.#answerEach(asked);
    }
  }

  #answerEach(asked: Asked): void {
    for (const [value, { resolve, reject }] of asked) void this.#findOne(value).then(resolve, reject);
  }

  async #findOne(value: Knex.Value): Promise<unknown> {
    const { sql, bindings, place } = this.lookup;
    return (await this.run(sql, bindings.with(place, value)))[0];
  }

  async #findMany(values: readonly Knex.Value[]): Promise<readonly unknown[]> {
    const { bindings, place } = this.lookup;
    const found = (await this.run(this.#many, bindings.with(place, values))) as { readonly asked_place: number }[];
    const rows = new Array<unknown>(values.length);
    for (const row of found) rows[row.asked_place - 1] ??= row;
    return rows;
  }
}

/** Look-ups of a database that is a round trip away. */
export const shareLookup =
  (run: RunPrepared) =>
  <Row>(lookup: Lookup): FindFirst<Row> => {
    const shared = new SharedLookup(run, lookup);
    return (value) => shared.find(value) as Promise<Row | undefined>;
  };
