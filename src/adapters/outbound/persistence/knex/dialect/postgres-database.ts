import { createHash } from 'node:crypto';
import { Socket } from 'node:net';
import knex, { type Knex } from 'knex';
import PostgresClient from 'knex/lib/dialects/postgres/index.js';
import pg from 'pg';
import type { Manner } from '../../../../../application/shared/unit-of-work.js';
import type { Database } from '../database.js';
import { Session, type RunPrepared } from '../session.js';
import { isRetryable, postgresDialect } from './postgres-dialect.js';
import { runOn } from './postgres-statements.js';
import type { Replica } from './replicated-database.js';
import { shareLookups, type OnOneConnection } from './shared-lookup.js';
import { POSTGRES_TABLES, type NamedTable } from './tables-there.js';
import { clientOf, connectionsOf, translatingClient } from './translating-client.js';
import { createMessageSocket } from './whole-messages.js';
import { WorksOfTurns } from './works-of-turns.js';

const ATTEMPTS = 5;
const STATEMENT_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 3_000;
const WORK_DEADLINE_MS = 30_000;
/** A new connection knows nothing of the tables yet, and is slow at first: those of a busy minute are kept for the next one. */
const IDLE_MS = 600_000;
/** One that a firewall has forgotten is found out before somebody asks on it. */
const PROBE_AFTER_MS = 60_000;

// Identifiers and counts fit a double exactly, so int8 is read as a number; numeric sums of them likewise.
const types = {
  getTypeParser: (oid: number, format?: string) =>
    oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC
      ? Number
      : (pg.types.getTypeParser(oid, format as 'text') as (text: string) => unknown),
};

/** Sends the first statement of a transaction with what begins it. */
class PipeliningClient extends translatingClient(PostgresClient, postgresDialect) {
  override async _query(connection: pg.Client, query: { readonly sql: string }): Promise<unknown> {
    if (query.sql !== 'BEGIN;') return super._query(connection, query);
    const { stream: socket } = connection.connection;
    socket.cork();
    // What follows must not run outside of a transaction: where none has begun, the connection is given up, and the work with it.
    connection.query('begin').catch(() => socket.destroy());
    socket.uncork();
    return { ...query, response: { command: 'BEGIN' } };
  }
}

// Knex would print what fails, with addresses; whoever asked is told, and readiness says it.
const silently = () => undefined;
const SILENT = { warn: silently, error: silently, deprecate: silently, debug: silently };

// Compiling a statement takes longer than any of ours does (`docs/performance.md`).
const withoutJit = (connection: pg.Client, done: (error: unknown, connection: unknown) => void): void => {
  connection.query('set jit = off', (error) => done(error, connection));
};

// What is sealed is unsealed from the socket itself.
const stream = ({ ssl }: { readonly ssl?: unknown } = {}): Socket =>
  Boolean(ssl) ? new Socket() : createMessageSocket();

const connect = (url: string, poolMax: number, node: string | undefined): Knex =>
  knex({
    client: PipeliningClient,
    connection: {
      connectionString: url,
      types,
      stream,
      // What a work asks at once goes out without waiting for each other's answers.
      pipeline: true,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: PROBE_AFTER_MS,
      application_name: node === undefined ? 'gatehouse' : `gatehouse node ${node}`,
    } as Knex.PgConnectionConfig,
    compileSqlOnError: false,
    log: SILENT,
    acquireConnectionTimeout: 5_000,
    pool: { min: 0, max: poolMax, idleTimeoutMillis: IDLE_MS, afterCreate: withoutJit },
  });

const onConnection = async <Result>(pool: Knex, use: (connection: pg.Client) => Promise<Result>): Promise<Result> => {
  const connection = (await clientOf(pool).acquireConnection()) as pg.Client;
  try {
    return await use(connection);
  } finally {
    await clientOf(pool).releaseConnection(connection);
  }
};

const runPreparedOn =
  (pool: Knex): RunPrepared =>
  (sql, bindings, planned) =>
    onConnection(pool, (connection) => runOn(connection, sql, bindings, planned));

const onOneConnection =
  (pool: Knex): OnOneConnection =>
  (use) =>
    onConnection(pool, (connection) => use((...asked) => runOn(connection, ...asked)));

/** Advisory locks are 64-bit numbers. */
const lockKey = (name: string): string =>
  createHash('sha256').update(`gatehouse:${name}`).digest().readBigInt64BE().toString();

/** The server's own limits say nothing where the server is not heard any more: then the connection is given up, and the work with it. */
const onWatchedConnection = <Result>(pool: Knex, use: (connection: pg.Client) => Promise<Result>): Promise<Result> =>
  onConnection(pool, async (connection) => {
    const deadline = setTimeout(() => connection.connection.stream.destroy(), WORK_DEADLINE_MS);
    try {
      return await use(connection);
    } finally {
      clearTimeout(deadline);
    }
  });

type Work<Result> = (session: Session) => Promise<Result>;

const WITHOUT_THE_DISK = `select set_config('synchronous_commit', 'off', true)`;

/** Leaves with what begins the transaction; where it fails, so does all that follows. */
const repeatable =
  <Result>(work: Work<Result>): Work<Result> =>
  (session) => {
    session.run(WITHOUT_THE_DISK, []).catch(() => undefined);
    return work(session);
  };

const runStepByStep = <Result>(pool: Knex, connection: pg.Client, work: Work<Result>): Promise<Result> =>
  pool.transaction(
    async (transaction) => {
      const session = Session.on(transaction, postgresDialect, runPreparedOn(transaction));
      try {
        return await work(session);
      } finally {
        session.end();
      }
    },
    { connection },
  );

const createTransact = (pool: Knex): Database['transact'] => {
  const worksOfTurns = new WorksOfTurns((use) => onWatchedConnection(pool, use));
  const runAlone = <Result>(work: Work<Result>): Promise<Result> =>
    onWatchedConnection(pool, (connection) => runStepByStep(pool, connection, work));
  const run = <Result>(work: Work<Result>, manner?: Manner): Promise<Result> => {
    if (manner === 'at once') return worksOfTurns.run(work);
    return runAlone(manner === 'repeatable' ? repeatable(work) : work);
  };
  return async (work, manner) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await run(work, manner);
      } catch (error) {
        if (attempt === ATTEMPTS || !isRetryable(error)) throw error;
      }
    }
  };
};

// The lock lives on a connection of its own, held for as long as the work runs: when the process dies, so does the lock.
const createLocks = (pool: Knex): Pick<Database, 'withLock' | 'tryWithLock'> => {
  const onOneConnection = async <Result>(
    use: (run: (sql: string, key: string) => Promise<boolean>) => Promise<Result>,
  ): Promise<Result> => {
    const connection: unknown = await clientOf(pool).acquireConnection();
    const run = async (sql: string, key: string): Promise<boolean> => {
      const answer = (await pool.raw(sql, [key]).connection(connection)) as { rows: { locked: boolean | '' }[] };
      return answer.rows[0]?.locked !== false;
    };
    try {
      return await use(run);
    } finally {
      await clientOf(pool).releaseConnection(connection);
    }
  };
  const holding = async <Result>(
    run: (sql: string, key: string) => Promise<boolean>,
    name: string,
    work: () => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await work();
    } finally {
      await run('select pg_advisory_unlock(?) as locked', lockKey(name));
    }
  };
  return {
    withLock: (name, work) =>
      onOneConnection(async (run) => {
        // A statement of its own: a timeout counts from the start of a statement, so it would still cut off the waiting.
        await run(`select set_config('statement_timeout', '0', false), ? as lock`, name);
        try {
          await run('select pg_advisory_lock(?)', lockKey(name));
          return await holding(run, name, work);
        } finally {
          await run(`select set_config('statement_timeout', '${STATEMENT_TIMEOUT_MS}', false), ? as lock`, name);
        }
      }),
    tryWithLock: (name, work) =>
      onOneConnection(async (run) =>
        (await run('select pg_try_advisory_lock(?) as locked', lockKey(name))) ? holding(run, name, work) : undefined,
      ),
  };
};

/** @param url `postgres://…` of a server that follows the one that serves. */
export const openPostgresReplica = (url: string, poolMax: number, node?: string): Replica => {
  const pool = connect(url, poolMax, node);
  const run = runPreparedOn(pool);
  return {
    reader: Session.on(pool, postgresDialect, run, shareLookups(onOneConnection(pool), run)),
    close: () => pool.destroy(),
  };
};

/** @param url `postgres://…` */
export const openPostgresDatabase = (url: string, poolMax: number, node?: string): Database => {
  const pool = connect(url, poolMax, node);
  const run = runPreparedOn(pool);
  return {
    ...createLocks(pool),
    reader: Session.on(pool, postgresDialect, run, shareLookups(onOneConnection(pool), run)),
    schema: pool,
    transact: createTransact(pool),
    ping: async () => void (await pool.raw('select 1')),
    tables: async () => ((await pool.raw(POSTGRES_TABLES)) as { rows: NamedTable[] }).rows.map(({ name }) => name),
    size: async () => {
      const { rows } = (await pool.raw('select pg_database_size(current_database()) as bytes')) as {
        rows: { bytes: number | string }[];
      };
      return Number(rows[0]?.bytes ?? 0);
    },
    connections: () => connectionsOf(pool),
    backup: () =>
      Promise.reject(new Error('This installation stores its data in PostgreSQL: use pg_dump for a consistent copy.')),
    close: () => pool.destroy(),
  };
};
