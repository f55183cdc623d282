import knex, { type Knex } from 'knex';
import BetterSqlite3Client from 'knex/lib/dialects/better-sqlite3/index.js';
import PostgresClient from 'knex/lib/dialects/postgres/index.js';
import type BetterSqlite3 from 'better-sqlite3';

type LoadMigration = (name: string) => Promise<Knex.Migration>;

/** What a migration would say to the database. */
export interface RecordedMigration {
  readonly name: string;
  readonly statements: readonly string[];
  /** False where it could not go on without the rows that it looks for. */
  readonly whole: boolean;
}

/** What is pending, after what was applied. */
export interface Migrations {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
  readonly load: LoadMigration;
}

interface Query {
  readonly sql: string;
  response?: unknown;
}

/** Where statements are noted: a transaction has a client of its own, which knows nothing but the class. */
type Notes = string[];

/** Talks to nobody: every statement is noted, and finds no row. */
const unconnectedPostgres = (notes: Notes): Knex => {
  class UnconnectedClient extends PostgresClient {
    override acquireConnection(): Promise<unknown> {
      return Promise.resolve({ __knexUid: 'none' });
    }

    override releaseConnection(): Promise<void> {
      return Promise.resolve();
    }

    override _query(_connection: unknown, query: Query): Promise<unknown> {
      notes.push(query.sql);
      const [command = ''] = query.sql.trim().split(/\s/, 1);
      query.response = { rows: [], rowCount: 0, fields: [], command: command.toUpperCase() };
      return Promise.resolve(query);
    }
  }
  return knex({ client: UnconnectedClient });
};

// The builder looks at the tables that it changes, so they are there, in memory and without a row.
const sqliteInMemory = (notes: Notes): Knex => {
  class NotingClient extends BetterSqlite3Client {
    override _query(connection: unknown, query: Query): Promise<unknown> {
      notes.push(query.sql);
      return super._query(connection, query);
    }
  }
  return knex({
    client: NotingClient,
    connection: { filename: ':memory:' },
    useNullAsDefault: true,
    pool: {
      min: 1,
      max: 1,
      afterCreate: (connection: BetterSqlite3.Database, done: (error: unknown, connection: unknown) => void) => {
        connection.pragma('foreign_keys = ON');
        done(null, connection);
      },
    },
  });
};

const recordPending = async (
  database: Knex,
  notes: Notes,
  { pending, load }: Migrations,
): Promise<readonly RecordedMigration[]> => {
  const recorded: RecordedMigration[] = [];
  for (const name of pending) {
    notes.length = 0;
    const { up } = await load(name);
    const whole = await up(database).then(
      () => true,
      () => false,
    );
    recorded.push({ name, statements: [...notes], whole });
  }
  return recorded;
};

const recordOnPostgres = (migrations: Migrations): Promise<readonly RecordedMigration[]> => {
  const notes: Notes = [];
  return recordPending(unconnectedPostgres(notes), notes, migrations);
};

const recordOnSqlite = async (migrations: Migrations): Promise<readonly RecordedMigration[]> => {
  const notes: Notes = [];
  const database = sqliteInMemory(notes);
  try {
    for (const name of migrations.applied) await (await migrations.load(name)).up(database);
    return await recordPending(database, notes, migrations);
  } finally {
    await database.destroy();
  }
};

/** Lets migrations run where there is nothing that they could change, on a database of the same kind. */
export const recordMigrations = (isFile: boolean, migrations: Migrations): Promise<readonly RecordedMigration[]> =>
  isFile ? recordOnSqlite(migrations) : recordOnPostgres(migrations);
