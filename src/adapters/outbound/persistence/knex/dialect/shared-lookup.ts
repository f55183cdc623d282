import type { Knex } from 'knex';
import { Unavailable } from '../../../../../domain/shared/domain-error.js';
import type { FindFirst, Lookup, PrepareLookup, RunPrepared } from '../session.js';

/** As many values as one statement asks for: the rest of a turn asks beside it. */
const MOST_VALUES = 100;

type Asked = Map<Knex.Value, PromiseWithResolvers<unknown>>;

/**
 * The same look-up for every value of an array, which tells for each row which value it was found by. Each is looked up by itself: without the
 * `offset` it becomes part of the query around it, which reads all of a table that was small when it was planned.
 */
const manyAtOnce = ({ sql, place, type }: Lookup): string => {
  const parameter = `$${place + 1}`;
  const one = sql.replaceAll(new RegExp(`\\${parameter}(?!\\d)`, 'g'), 'asked.value');
  return `select found.*, asked.place as asked_place from unnest(${parameter}::${type}[]) with ordinality as asked(value, place) cross join lateral (${one} offset 0) as found`;
};

/** Runs statements on one connection, which is given back when they have ended. */
export type OnOneConnection = (use: (run: RunPrepared) => Promise<void>) => Promise<void>;

interface Waiting {
  readonly ask: (run: RunPrepared) => Promise<void>;
  readonly refuse: (error: unknown) => void;
}

/** The look-ups of one turn of the event loop leave on one connection, whatever they look for: as one write. */
class LookupsOfTurns {
  #waiting: Waiting[] = [];

  constructor(private readonly onOneConnection: OnOneConnection) {}

  add(waiting: Waiting): void {
    if (this.#waiting.push(waiting) === 1) setImmediate(() => void this.#ask());
  }

  async #ask(): Promise<void> {
    const all = this.#waiting;
    this.#waiting = [];
    try {
      await this.onOneConnection(async (run) => void (await Promise.all(all.map(({ ask }) => ask(run)))));
    } catch (error) {
      all.forEach(({ refuse }) => refuse(error));
    }
  }
}

/**
 * Whoever asks in the same turn of the event loop asks with one statement: its round trip, its parsing and its connection cost more
 * than a row. Nobody joins a statement that is on its way, so that each sees what was committed before they asked.
 */
class SharedLookup {
  readonly #many: string;
  #asked: Asked | undefined;

  constructor(
    private readonly turns: LookupsOfTurns,
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
    this.turns.add({
      ask: (run) => {
        if (this.#asked === asked) this.#asked = undefined;
        return this.#answer(asked, run);
      },
      refuse: (error) => {
        if (this.#asked === asked) this.#asked = undefined;
        for (const { reject } of asked.values()) reject(error);
      },
    });
    return asked;
  }

  async #answer(asked: Asked, run: RunPrepared): Promise<void> {
    if (asked.size === 1) return this.#answerEach(asked, run);
    const answers = [...asked.values()];
    try {
      const rows = await this.#findMany([...asked.keys()], run);
      answers.forEach(({ resolve }, index) => resolve(rows[index]));
    } catch (error) {
      if (error instanceof Unavailable) answers.forEach(({ reject }) => reject(error));
      // One value that the database refuses is nothing to the others.
      else await this.#answerEach(asked, this.run);
    }
  }

  async #answerEach(asked: Asked, run: RunPrepared): Promise<void> {
    await Promise.all(
      [...asked].map(([value, { resolve, reject }]) => this.#findOne(value, run).then(resolve, reject)),
    );
  }

  async #findOne(value: Knex.Value, run: RunPrepared): Promise<unknown> {
    const { sql, bindings, place } = this.lookup;
    return (await run(sql, bindings.with(place, value)))[0];
  }

  async #findMany(values: readonly Knex.Value[], run: RunPrepared): Promise<readonly unknown[]> {
    const { bindings, place } = this.lookup;
    const found = (await run(this.#many, bindings.with(place, values))) as { readonly asked_place: number }[];
    const rows = new Array<unknown>(values.length);
    for (const row of found) rows[row.asked_place - 1] ??= row;
    return rows;
  }
}

/** Look-ups of a database that is a round trip away. */
export const shareLookups = (onOneConnection: OnOneConnection, run: RunPrepared): PrepareLookup => {
  const turns = new LookupsOfTurns(onOneConnection);
  return <Row>(lookup: Lookup): FindFirst<Row> => {
    const shared = new SharedLookup(turns, run, lookup);
    return (value) => shared.find(value) as Promise<Row | undefined>;
  };
};
