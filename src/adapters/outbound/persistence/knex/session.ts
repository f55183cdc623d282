import type { Knex } from 'knex';
import type { Dialect } from './dialect/dialect.js';

/** A query of at most one row, whose one parameter is given each time. */
type BuildQuery = (query: Knex, value: Knex.Value) => Knex.QueryBuilder;

/** Finds the row of a query by the value of its parameter. */
export type FindFirst<Row> = (value: Knex.Value) => Promise<Row | undefined>;

/** Finds the rows of a kept query by what differs each time. */
export type FindAll<Row, Given> = (values: Given) => Promise<readonly Row[]>;

/** Runs SQL of the database itself, or with a `?` for each binding, as a statement that its connection keeps prepared. */
export type RunPrepared = (
  sql: string,
  bindings: readonly unknown[],
  planned?: 'once' | 'anew',
) => Promise<readonly unknown[]>;

/** A query of at most one row, as SQL of the database itself. */
export interface Lookup {
  readonly sql: string;
  readonly bindings: readonly unknown[];
  /** Where among the bindings the value stands that is given each time. */
  readonly place: number;
  readonly type: ValueType;
}

export type ValueType = 'bigint' | 'text';

/** How a database answers look-ups that come one by one. */
export type PrepareLookup = <Row>(lookup: Lookup) => FindFirst<Row>;

/** A database as queries are run there. */
interface QueriedDatabase {
  readonly knex: Knex;
  readonly dialect: Dialect;
  readonly runPrepared: RunPrepared;
  readonly prepareLookup: PrepareLookup | undefined;
}

/** What differs each time that a kept query is run, by name. */
type Values = Readonly<Record<string, Knex.Value>>;

/** A kept query as SQL of the database itself: each binding by its value, or the name of the value that is given. */
interface Kept {
  readonly sql: string;
  readonly bindings: readonly ({ readonly given: string } | { readonly value: unknown })[];
}

const PARAMETER = '\u0000parameter';

const keptAs = (query: Knex.QueryBuilder): Kept => {
  const { sql, bindings } = query.toSQL().toNative();
  return {
    sql,
    bindings: bindings.map((value: unknown) =>
      typeof value === 'string' && value.startsWith(PARAMETER) ? { given: value.slice(PARAMETER.length) } : { value },
    ),
  };
};

/** Where repositories and readers run their queries: a transaction's connection, or the pool for reading. */
export class Session {
  #ended = false;

  private constructor(
    /** Asked each time: the storage may move while somebody reads. */
    private readonly find: () => QueriedDatabase,
    private readonly follows?: () => Session,
  ) {}

  static on(knex: Knex, dialect: Dialect, runPrepared: RunPrepared, prepareLookup?: PrepareLookup): Session {
    const database = { knex, dialect, runPrepared, prepareLookup };
    return new Session(() => database);
  }

  /** Of a work that asks at once, which runs prepared statements alone. */
  static atOnce(dialect: Dialect, runPrepared: RunPrepared): Session {
    const database = {
      get knex(): Knex {
        throw new Error('A work that asks at once runs prepared statements alone.');
      },
      dialect,
      runPrepared,
      prepareLookup: undefined,
    };
    return new Session(() => database);
  }

  /** Reads wherever the session that is found at that moment does. */
  static following(find: () => Session): Session {
    return new Session(() => find().find(), find);
  }

  /** The same on the database in use now, for who asks one question by what another one answered: it stays when the storage moves. */
  get pinned(): Session {
    return this.follows?.().pinned ?? this;
  }

  /** @throws Error once the work has ended, so that a forgotten `await` can't land in a neighbour's transaction. */
  get query(): Knex {
    this.#refuseWhenEnded();
    return this.find().knex;
  }

  get dialect(): Dialect {
    return this.find().dialect;
  }

  /**
   * One of the few statements that every alert runs, in words that every database knows: kept prepared, without the cost of
   * building it (`docs/performance.md`).
   */
  run<Row>(sql: string, bindings: readonly unknown[]): Promise<readonly Row[]> {
    this.#refuseWhenEnded();
    return this.find().runPrepared(sql, bindings) as Promise<readonly Row[]>;
  }

  /** Holds a name until the transaction ends: of many who count the same and add to it, each counts those before it. */
  async hold(name: string): Promise<void> {
    const { holdName } = this.dialect;
    if (holdName !== '') await this.run(holdName, [name]);
  }

  /** As `run`, but planned for its values each time: a plan that is good for one feed is ruinous for another. */
  runPlannedAnew<Row>(sql: string, bindings: readonly unknown[]): Promise<readonly Row[]> {
    this.#refuseWhenEnded();
    return this.find().runPrepared(sql, bindings, 'anew') as Promise<readonly Row[]>;
  }

  /**
   * A built query that nearly every page runs, always in the same words: kept prepared, so that it isn't planned for each. Its columns
   * are named: `*` would change its meaning.
   */
  runKept<Row>(query: Knex.QueryBuilder): Promise<readonly Row[]> {
    const { sql, bindings } = query.toSQL().toNative();
    return this.run<Row>(sql, bindings);
  }

  /**
   * One of the few queries that nearly every request runs: for reading it is built once and kept prepared, which saves most of
   * its cost (`docs/performance.md`).
   */
  prepare<Row>(type: ValueType, build: BuildQuery): FindFirst<Row> {
    // Of a database and its replica, or of one and its successor.
    const prepared = new WeakMap<QueriedDatabase, FindFirst<Row>>();
    return (value) => {
      const database = this.find();
      const find = prepared.get(database) ?? this.#prepareOn(database, type, build);
      prepared.set(database, find);
      return find(value);
    };
  }

  /**
   * As `runKept`, of a query whose words are so long that building them takes longer than running them: that is done once.
   * @param build must make the same words of all values, and put each of them into the query as it is given.
   */
  keep<Row, Given extends Values>(
    names: readonly (keyof Given & string)[],
    build: (query: Knex, values: Given) => Knex.QueryBuilder,
  ): FindAll<Row, Given> {
    const places = Object.fromEntries(names.map((name) => [name, PARAMETER + name])) as unknown as Given;
    const built = new WeakMap<QueriedDatabase, Kept>();
    return (values) => {
      this.#refuseWhenEnded();
      const database = this.find();
      const kept = built.get(database) ?? keptAs(build(database.knex, places));
      built.set(database, kept);
      const bindings = kept.bindings.map((each) => ('given' in each ? values[each.given] : each.value));
      return database.runPrepared(kept.sql, bindings) as Promise<readonly Row[]>;
    };
  }

  #prepareOn<Row>({ knex, prepareLookup }: QueriedDatabase, type: ValueType, build: BuildQuery): FindFirst<Row> {
    const { sql, bindings } = build(knex, PARAMETER).toSQL().toNative();
    const place = bindings.indexOf(PARAMETER);
    const shared = prepareLookup?.<Row>({ sql, bindings, place, type });
    return shared ?? (async (value) => (await this.run<Row>(sql, bindings.with(place, value)))[0]);
  }

  end(): void {
    this.#ended = true;
  }

  #refuseWhenEnded(): void {
    if (this.#ended) throw new Error('This session has ended: something in the work was not awaited.');
  }
}
