import pg from 'pg';
import type { Progress, StorageEnd } from '../../../../../../application/storage/ports/storage-end.js';
import type { Counters, RowSource, StoredTable } from '../../../../../../application/storage/ports/stored-rows.js';
import type { StorageControl } from '../../../../../../domain/storage/storage-control.js';
import { lineOf, type StoredRow } from '../../../../../../domain/storage/stored-row.js';
import {
  CHANGE_PROGRESS,
  controlOf,
  definitionsOf,
  MARK,
  markBindings,
  OTHER_MOVER,
  progressOf,
  refuseOther,
  SET_DEFINITIONS,
  SET_PROGRESS,
  type ControlRow,
  type Definition,
} from '../../storage/control-row.js';
import { STORED_TABLES } from '../../storage/stored-tables.js';
import { copyIn } from './copy-in.js';
import { readPostgresRows, sequenceOf } from './postgres-rows.js';

const CONNECT_TIMEOUT_MS = 10_000;
/** How long to wait for what a mover that was killed left running on the server. */
const HOLD_ATTEMPTS = 100;
const SERVED_ATTEMPTS = 20;
const PAUSE_SECONDS = 0.1;
const HOLD_LOCK = 7_262_031;

const CONTROL_ROW = 'select * from storage_control where id = 1';
const FENCE = 'storage_fence';
const FENCED = 'storage moved: this database takes no writes';

const NAMES = STORED_TABLES.map(({ name }) => `'${name}'`).join(', ');
const FOREIGN_KEYS = `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
  from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace order by conname`;
const UNIQUE_CONSTRAINTS = FOREIGN_KEYS.replace("contype = 'f'", "contype = 'u'");
const INDEXES = `select format('drop index %I', indexname) as drop, indexdef as create from pg_indexes
  where schemaname = current_schema() and tablename in (${NAMES})
    and not exists (select from pg_constraint where conindid = format('%I', indexname)::regclass) order by indexname`;

const numbered = (sql: string): string => {
  let place = 0;
  return sql.replaceAll('?', () => `$${(place += 1)}`);
};

const placeOf = (url: string): string => {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
};

/** A database of a server that rows are moved from or to. */
export class PostgresStorageEnd implements StorageEnd {
  private constructor(
    private readonly url: string,
    private readonly client: pg.Client,
  ) {}

  static async open(url: string): Promise<PostgresStorageEnd> {
    return new PostgresStorageEnd(url, await connect(url));
  }

  get place(): string {
    return placeOf(this.url);
  }

  async migrations(): Promise<readonly string[]> {
    const { rows } = await this.client.query<{ name: string }>(
      'select name from schema_migrations order by name collate "C"',
    );
    return rows.map(({ name }) => name);
  }

  async control(): Promise<StorageControl> {
    return controlOf(await this.#controlRow());
  }

  async mark(control: StorageControl, before: StorageControl): Promise<void> {
    await this.#transact(async () => {
      const { rows } = await this.client.query<ControlRow>(`${CONTROL_ROW} for update`);
      refuseOther(controlOf(rows[0]), before);
      await this.#mark(control);
    });
  }

  // The connections of a service that has just ended are seen for a moment longer.
  async isServed(): Promise<boolean> {
    for (let attempt = 1; attempt <= SERVED_ATTEMPTS; attempt += 1) {
      const { rowCount } = await this.client.query(
        "select from pg_stat_activity where datname = current_database() and application_name = 'gatehouse'",
      );
      if (rowCount === 0) return false;
      await this.client.query(`select pg_sleep(${PAUSE_SECONDS})`);
    }
    return true;
  }

  async snapshot<Result>(read: (rows: RowSource) => Promise<Result>): Promise<Result> {
    const client = await connect(this.url);
    try {
      await client.query('begin isolation level repeatable read read only');
      return await read(readPostgresRows(client));
    } finally {
      await client.end();
    }
  }

  async fence(control: StorageControl): Promise<void> {
    await this.#transact(async () => {
      await this.client.query(
        `create or replace function ${FENCE}() returns trigger language plpgsql as $$ begin raise exception '${FENCED}'; end $$`,
      );
      for (const { name } of STORED_TABLES)
        await this.client.query(
          `create or replace trigger ${FENCE} before insert or update or delete or truncate on ${name} for each statement execute function ${FENCE}()`,
        );
      await this.#mark(control);
    });
  }

  async unfence(control: StorageControl): Promise<void> {
    await this.#transact(async () => {
      await this.#dropFence();
      await this.#mark(control);
    });
  }

  // The server may still be at work for a mover that is gone, and commit afterwards: its lock says so.
  async hold(): Promise<void> {
    for (let attempt = 1; attempt <= HOLD_ATTEMPTS; attempt += 1) {
      const { rows } = await this.client.query<{ held: boolean }>(`select pg_try_advisory_lock(${HOLD_LOCK}) as held`);
      if (rows[0]?.held === true) return;
      await this.client.query(`select pg_sleep(${PAUSE_SECONDS})`);
    }
    throw new Error(OTHER_MOVER);
  }

  async beginFilling(control: StorageControl): Promise<void> {
    await this.#transact(async () => {
      const definitions: Definition[] = [];
      for (const query of [FOREIGN_KEYS, UNIQUE_CONSTRAINTS, INDEXES])
        for (const definition of (await this.client.query<Definition>(query)).rows) {
          await this.client.query(definition.drop);
          definitions.push(definition);
        }
      await this.#mark(control);
      await this.client.query(numbered(SET_DEFINITIONS), [JSON.stringify(definitions)]);
    });
  }

  async progress(): Promise<Progress | undefined> {
    return progressOf((await this.#controlRow())?.progress);
  }

  async append(
    { name, columns }: StoredTable,
    rows: readonly StoredRow[],
    before: Progress | undefined,
    after: Progress,
  ): Promise<void> {
    const lines = Buffer.from(rows.map(lineOf).join(''));
    await this.#transact(async () => {
      const text = JSON.stringify(after);
      const { rowCount } =
        before === undefined
          ? await this.client.query(numbered(SET_PROGRESS), [text])
          : await this.client.query(numbered(CHANGE_PROGRESS), [text, JSON.stringify(before)]);
      if (rowCount !== 1) throw new Error(OTHER_MOVER);
      if (rows.length > 0) await copyIn(this.client, `copy ${name} (${columns.join(', ')}) from stdin`, lines);
    });
  }

  async endFilling(counters: Counters, control: StorageControl): Promise<void> {
    await this.#transact(async () => {
      await this.#restoreDefinitions();
      for (const table of STORED_TABLES) {
        if (table.counted === undefined) continue;
        const last = counters.get(table.name) ?? '0';
        const values = last === '0' ? '1, false' : `${BigInt(last)}, true`;
        await this.client.query(`select setval(${sequenceOf(table)}, ${values})`);
      }
      await this.#mark(control);
    });
    await this.client.query('analyze');
  }

  async empty(): Promise<void> {
    await this.#transact(async () => {
      await this.#dropFence();
      await this.client.query(`truncate ${STORED_TABLES.map(({ name }) => name).join(', ')} restart identity`);
      await this.#restoreDefinitions();
      await this.client.query('delete from storage_control');
    });
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  async #transact(work: () => Promise<void>): Promise<void> {
    await this.client.query('begin');
    try {
      await work();
      await this.client.query('commit');
    } catch (error) {
      await this.client.query('rollback').catch(() => undefined);
      throw error;
    }
  }

  async #controlRow(): Promise<ControlRow | undefined> {
    const { rows } = await this.client.query<ControlRow>(CONTROL_ROW);
    return rows[0];
  }

  async #mark(control: StorageControl): Promise<void> {
    await this.client.query(numbered(MARK), [...markBindings(control)]);
  }

  // The function stays: without a trigger it does nothing.
  async #dropFence(): Promise<void> {
    for (const { name } of STORED_TABLES) await this.client.query(`drop trigger if exists ${FENCE} on ${name}`);
  }

  // Indexes before the foreign keys that lean on them: in the order opposite to the one in which they were dropped.
  async #restoreDefinitions(): Promise<void> {
    const definitions = definitionsOf((await this.#controlRow())?.definitions);
    for (const { create } of definitions.toReversed()) await this.client.query(create);
    await this.client.query(numbered(SET_DEFINITIONS), [null]);
  }
}

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'gatehouse storage',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  // A connection that is lost is told to whoever asks next.
  client.on('error', () => undefined);
  await client.connect();
  await client.query('set jit = off');
  return client;
};
