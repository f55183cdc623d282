import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type BetterSqlite3 from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import knex, { type Knex } from 'knex';
import BetterSqlite3Client from 'knex/lib/dialects/better-sqlite3/index.js';
import type { Database } from '../database.js';
import { Session, type RunPrepared } from '../session.js';
import { lockFile } from './lock-file.js';
import { SharedSnapshot } from './shared-snapshot.js';
import { sqliteDialect } from './sqlite-dialect.js';
import { prepareDatabaseFile, restrictToOwner } from './sqlite-file.js';
import { SQLITE_TABLES, type NamedTable } from './tables-there.js';
import { clientOf, connectionsOf, translatingClient } from './translating-client.js';
import { WriterLane, type Writer } from './writer-lane.js';
import { WriterTurn } from './writer-turn.js';

// Longer would freeze the event loop: the lane waits for other processes asynchronously instead.
const BUSY_TIMEOUT_MS = 100;
const PREPARED_STATEMENTS = 500;

const QUOTED_OR_PLACE = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\?/g;

/**
 * The same statement with its values hidden from the planner: else the engine plans it anew each time that a value is bound which might
 * tell whether an index serves, of part of a table or with statistics. That takes up to a hundred times as long as running it
 * (`docs/performance.md`). So a value that an index of part of a table depends on is written into the statement as it is.
 */
const steadyText = (sql: string): string => sql.replace(QUOTED_OR_PLACE, (found) => (found === '?' ? '+?' : found));

// Knex prepares its SQL anew for every query; the same text is the same statement.
const cacheStatements = (connection: BetterSqlite3.Database): void => {
  const prepare = connection.prepare.bind(connection);
  const statements = new LRUCache<string, BetterSqlite3.Statement>({
    maxSize: PREPARED_STATEMENTS,
    sizeCalculation: () => 1,
  });
  connection.prepare = ((sql: string) => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = prepare(steadyText(sql)) as BetterSqlite3.Statement;
    statements.set(sql, statement);
    return statement;
  }) as typeof connection.prepare;
};

interface QueryCompiler {
  readonly single: { skipBinding?: Readonly<Record<string, boolean>> };
}

/** Writes limits as numbers: binding one makes the engine plan the statement anew each time (`docs/performance.md`). */
class LiteralLimitClient extends translatingClient(BetterSqlite3Client, sqliteDialect) {
  override queryCompiler(builder: unknown, bindings?: unknown[]): unknown {
    const compile = super.queryCompiler.bind(this) as (builder: unknown, bindings?: unknown[]) => QueryCompiler;
    const compiler = compile(builder, bindings);
    compiler.single.skipBinding = { ...compiler.single.skipBinding, limit: true };
    return compiler;
  }
}

const connect = (filename: string, prepareConnection: (connection: BetterSqlite3.Database) => void): Knex =>
  knex({
    client: LiteralLimitClient,
    connection: { filename },
    useNullAsDefault: true,
    compileSqlOnError: false,
    pool: {
      min: 1,
      max: 1,
      afterCreate: (connection: BetterSqlite3.Database, done: (error: unknown, connection: unknown) => void) => {
        connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
        connection.pragma('foreign_keys = ON');
        prepareConnection(connection);
        cacheStatements(connection);
        done(null, connection);
      },
    },
  });

// The lane asks again by itself, and readers go on meanwhile.
const WRITER_BUSY_TIMEOUT_MS = 20;
/** The log takes 4 MB mostly. What has grown beyond this, beside somebody who read for long, is cut once it begins anew. */
const LARGEST_LOG_LEFT = 64 * 1_024 * 1_024;
/** Of processes that open a new file at once, one changes its mode, and the others wait for that. */
const OPENING_TIMEOUT_MS = 5_000;

const openWriter = (filename: string, snapshot: SharedSnapshot): Knex =>
  connect(filename, (connection) => {
    connection.pragma(`busy_timeout = ${OPENING_TIMEOUT_MS}`);
    connection.pragma('journal_mode = WAL');
    connection.pragma(`busy_timeout = ${WRITER_BUSY_TIMEOUT_MS}`);
    connection.pragma('synchronous = FULL');
    connection.pragma(`journal_size_limit = ${LARGEST_LOG_LEFT}`);
    snapshot.endBefore(connection);
  });

const openReader = (filename: string, snapshot: SharedSnapshot): Knex =>
  connect(filename, (connection) => {
    connection.pragma('query_only = ON');
    snapshot.readBy(connection);
  });

// The driver knows neither booleans nor dates.
const bindable = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value);

/** The one connection of a Knex, which never changes. */
const connectionOf = (knex: Knex): (() => Promise<BetterSqlite3.Database>) => {
  let connection: BetterSqlite3.Database | undefined;
  const connected = async (): Promise<BetterSqlite3.Database> => {
    const acquired = (await clientOf(knex).acquireConnection()) as BetterSqlite3.Database;
    await clientOf(knex).releaseConnection(acquired);
    return acquired;
  };
  return async () => (connection ??= await connected());
};

/** The driver answers at once: nobody can be in between. */
const runPreparedOn = (knex: Knex): RunPrepared => {
  const connected = connectionOf(knex);
  return async (sql, bindings) => {
    const connection = await connected();
    try {
      const statement = connection.prepare(sql);
      const bound = bindings.map(bindable);
      if (statement.reader) return statement.all(...bound);
      statement.run(...bound);
      return [];
    } catch (error) {
      throw sqliteDialect.translateError(error);
    }
  };
};

/** What the lane writes by. */
const writerOn = (knex: Knex): Writer => {
  const connected = connectionOf(knex);
  return {
    knex,
    run: runPreparedOn(knex),
    // Not kept prepared: it takes effect when it is compiled.
    waitForDisk: async (waits) => void (await connected()).pragma(`synchronous = ${waits ? 'FULL' : 'NORMAL'}`),
  };
};

type Work<Result> = (session: Session) => Promise<Result>;

/** What it may not ask where the database is a round trip away, it may not ask here. */
const inOneTurn =
  <Result>(work: Work<Result>): Work<Result> =>
  (session) => {
    const working = work(session);
    process.nextTick(() => session.end());
    return working;
  };

/** `:memory:` becomes a temporary file: a second connection would see nothing of a database in memory. */
const locate = (path: string): { readonly filename: string; readonly remove: () => void } => {
  if (path !== ':memory:') {
    prepareDatabaseFile(path);
    return { filename: path, remove: () => undefined };
  }
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-'));
  return {
    filename: join(directory, 'memory.sqlite'),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
};

const LOCK_SUFFIX = '.start-lock';
const ASK_AGAIN_MS = 20;

/** Runs a work while no other process that has the file open runs one. */
const besideNobody = async <Result>(
  filename: string,
  snapshot: SharedSnapshot,
  work: () => Promise<Result>,
): Promise<Result> => {
  let lock = lockFile(filename + LOCK_SUFFIX);
  while (lock === undefined) {
    await sleep(ASK_AGAIN_MS);
    lock = lockFile(filename + LOCK_SUFFIX);
  }
  try {
    snapshot.release();
    return await work();
  } finally {
    lock.close();
  }
};

/**
 * One process serves from the file, so what it does by the clock is a queue of promises. What is done once, and waited for, is done by
 * commands too, and by whoever starts beside it by mistake.
 */
const createLocks = (filename: string, snapshot: SharedSnapshot) => {
  const held = new Map<string, Promise<unknown>>();
  const hold = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    const running = work();
    held.set(name, running);
    try {
      return await running;
    } finally {
      held.delete(name);
    }
  };
  return {
    withLock: async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
      while (held.has(name)) await held.get(name)?.catch(() => undefined);
      return hold(name, () => besideNobody(filename, snapshot, work));
    },
    tryWithLock: <Result>(name: string, work: () => Promise<Result>): Promise<Result | undefined> =>
      held.has(name) ? Promise.resolve(undefined) : hold(name, work),
  };
};

/**
 * @param path a file, created when absent, or `:memory:`.
 * @param turn of the threads that have it open, when others have.
 */
export const openSqliteDatabase = (path: string, turn = new WriterTurn()): Database => {
  const { filename, remove } = locate(path);
  const snapshot = new SharedSnapshot(turn);
  const writer = openWriter(filename, snapshot);
  const reader = openReader(filename, snapshot);
  const lane = new WriterLane(writerOn(writer), turn);
  return {
    ...createLocks(filename, snapshot),
    requestCame: () => snapshot.requestCame(),
    inThisThread: { path: filename, turn: turn.memory },
    reader: Session.on(reader, sqliteDialect, runPreparedOn(reader)),
    schema: writer,
    transact: (work, manner) =>
      manner === 'at once'
        ? lane.execute(inOneTurn(work), { atOnce: true })
        : lane.execute(work, { repeatable: manner === 'repeatable' }),
    ping: async () => void (await reader.raw('select 1')),
    tables: async () => ((await reader.raw(SQLITE_TABLES)) as NamedTable[]).map(({ name }) => name),
    size: async () => {
      const [row] = (await reader.raw(
        'select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()',
      )) as { bytes: number }[];
      return row?.bytes ?? 0;
    },
    connections: () => connectionsOf(reader, writer),
    backup: async (file) => {
      const connection = (await clientOf(reader).acquireConnection()) as BetterSqlite3.Database;
      try {
        snapshot.release();
        await connection.backup(file);
        restrictToOwner(file);
      } finally {
        clientOf(reader).releaseConnection(connection);
      }
    },
    close: async () => {
      await lane.drain();
      await reader.destroy();
      await writer.destroy();
      remove();
    },
  };
};
