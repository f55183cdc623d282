import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type {
  CopiedRows,
  LockedRows,
  Orphans,
  Progress,
  StorageEnd,
  StorageNode,
  TargetWork,
} from '../../../../../../application/storage/ports/storage-end.js';
import type { Moment, RowSource, StoredTable } from '../../../../../../application/storage/ports/stored-rows.js';
import { releasedMigrations } from '../../../../../../domain/storage/released-migrations.js';
import type { StorageControl } from '../../../../../../domain/storage/storage-control.js';
import type { StoredRow } from '../../../../../../domain/storage/stored-row.js';
import {
  CHANGE_PROGRESS,
  CONTROL_ROW,
  controlOf,
  copiedRowsOf,
  FORGET_CHANGES,
  FORGET_NODES,
  FORGET_PROGRESS,
  nodeOf,
  NODES,
  OTHER_MOVER,
  progressOf,
  refuseOther,
  SET_COPIED,
  SET_PROGRESS,
  SET_RUN,
  type ControlRow,
} from '../../storage/control-row.js';
import { holdWithin } from '../../storage/hold-within.js';
import { STORED_TABLES } from '../../storage/stored-tables.js';
import type { RowOf } from '../../tables.js';
import { POSTGRES_TABLES, type NamedTable } from '../tables-there.js';
import { MAY_MAKE_TABLES, SERVERS } from './postgres-catalogue.js';
import { readPostgresChanges, readPostgresMoment, readPostgresRows } from './postgres-rows.js';
import {
  addForeignKeys,
  checkForeignKeys,
  controlRowOf,
  dropConstraints,
  dropForeignKeys,
  forgetDefinitions,
  insertRows,
  makeIndexes,
  markPostgres,
  numbered,
  postgresTarget,
} from './postgres-target.js';
import { dropTriggers, fence, takeNotes } from './postgres-triggers.js';

const CONNECT_TIMEOUT_MS = 10_000;
const SERVED_ATTEMPTS = 20;
const PAUSE_MS = 100;
const HOLD_LOCK = 7_262_031;

/** Whoever waits for a lock lets everybody behind it wait, too: it is asked for again instead. */
const LOCK_WAIT_MS = 150;
const LOCK_ATTEMPTS = 200;
const LOCK_REFUSED: ReadonlySet<unknown> = new Set(['55P03', '40P01']);
const ANALYZE = `analyze ${STORED_TABLES.map(({ name }) => name).join(', ')}`;
const LOCK_TABLES = `lock table ${STORED_TABLES.map(({ name }) => name).join(', ')} in share row exclusive mode`;

const placeOf = (url: string): string => {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
};

/** A database of a server that rows are moved from or to. */
export class PostgresStorageEnd implements StorageEnd {
  readonly servesMany = true;
  readonly holdsReferences = true;
  /** Opened before it is needed, and kept for whoever reads next: it knows the catalogue by then. */
  #spare: pg.Client | undefined;

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
    return releasedMigrations(rows.map(({ name }) => name));
  }

  async tables(): Promise<readonly string[]> {
    return (await this.client.query<NamedTable>(POSTGRES_TABLES)).rows.map(({ name }) => name);
  }

  async mayMakeTables(): Promise<boolean> {
    return (await this.client.query<{ may: boolean | null }>(MAY_MAKE_TABLES)).rows[0]?.may === true;
  }

  async control(): Promise<StorageControl> {
    return controlOf(await controlRowOf(this.client));
  }

  async mark(control: StorageControl, before: StorageControl): Promise<void> {
    await this.#transact(async () => {
      const { rows } = await this.client.query<ControlRow>(`${CONTROL_ROW} for update`);
      refuseOther(controlOf(rows[0]), before);
      await markPostgres(this.client, control);
    });
  }

  async receipt(): Promise<string | undefined> {
    return (await controlRowOf(this.client))?.receipt ?? undefined;
  }

  // The connections of a service that has just ended are seen for a moment longer.
  async isServed(): Promise<boolean> {
    for (let attempt = 1; attempt <= SERVED_ATTEMPTS; attempt += 1) {
      if ((await this.client.query(SERVERS)).rowCount === 0) return false;
      await sleep(PAUSE_MS);
    }
    return true;
  }

  async servers(): Promise<readonly string[]> {
    const { rows } = await this.client.query<{ name: string }>(SERVERS);
    return rows.map(({ name }) => name.split(' ').at(-1) ?? name);
  }

  async nodes(): Promise<readonly StorageNode[]> {
    return (await this.client.query<RowOf<'storage_nodes'>>(NODES)).rows.map(nodeOf);
  }

  snapshot<Result>(read: (rows: Moment) => Promise<Result>): Promise<Result> {
    return this.#read(async (client) => {
      await client.query('begin isolation level repeatable read read only');
      const result = await read(readPostgresMoment(client));
      await client.query('commit');
      return result;
    });
  }

  byPages<Result>(read: (rows: RowSource) => Promise<Result>): Promise<Result> {
    return this.#read((client) => read(readPostgresRows(client)));
  }

  // The server holds each row against the others.
  orphans(): Promise<Orphans> {
    return Promise.resolve({ first: [], count: 0 });
  }

  // What the server takes as text is text everywhere.
  mend(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async tellCopied({ copied, known }: CopiedRows): Promise<void> {
    await this.client.query(numbered(SET_COPIED), [copied, known]);
  }

  async copiedRows(): Promise<CopiedRows | undefined> {
    return copiedRowsOf(await controlRowOf(this.client));
  }

  // One table after the other: a lock on all of them would let writers wait for each.
  async arm(control: StorageControl): Promise<void> {
    await this.client.query(FORGET_NODES);
    for (const statements of takeNotes()) await this.#whenFree(statements);
    await this.#transact(() => markPostgres(this.client, control));
  }

  // Marked first: whoever is killed while triggers go leaves no move that would go on without them.
  async release(control: StorageControl, before: StorageControl): Promise<void> {
    await this.mark(control, before);
    for (const statement of dropTriggers()) await this.#whenFree([statement]);
    await this.client.query(`${FORGET_CHANGES}; ${FORGET_NODES}`);
  }

  fence(control: StorageControl): Promise<void> {
    return this.#transact(() => this.#leave(control));
  }

  // What a trigger asks may be hidden by a snapshot: only its being there fences, and no moment before will do.
  prepareToLeave(): Promise<void> {
    return Promise.resolve();
  }

  // Whoever asks first for all sequences on a connection waits until they were found.
  async prepareToArrive(): Promise<void> {
    this.#spare ??= await connect(this.url);
    for (const client of [this.client, this.#spare]) await readPostgresRows(client).counters();
  }

  // Numbers are not seen in their order: exactly those that were read.
  async forgetNotes(notes: readonly number[]): Promise<void> {
    await this.client.query('delete from storage_changes where id = any ($1::bigint[])', [notes]);
  }

  async whileLocked<Result>(work: (rows: LockedRows) => Promise<Result>): Promise<Result | undefined> {
    const client = await connect(this.url);
    try {
      await readPostgresRows(client).counters();
      await client.query('begin');
      await client.query(`set local lock_timeout = ${LOCK_WAIT_MS}`);
      await client.query(LOCK_TABLES);
      // Whoever gives the move up marks it before the cut, or finds it marked as left.
      await client.query(`${CONTROL_ROW} for update`);
    } catch (error) {
      await client.end();
      if (LOCK_REFUSED.has((error as { code?: unknown }).code)) return undefined;
      throw error;
    }
    try {
      const leave = (control: StorageControl): Promise<void> => this.#leave(control, client);
      const result = await work({ ...readPostgresChanges(client), leave });
      await client.query('commit');
      return result;
    } finally {
      await client.end();
    }
  }

  // The server may still be at work for a mover that is gone, and commit afterwards: its lock says so.
  hold(patienceMs?: number): Promise<void> {
    const take = async (): Promise<boolean> => {
      const { rows } = await this.client.query<{ held: boolean }>(`select pg_try_advisory_lock(${HOLD_LOCK}) as held`);
      return rows[0]?.held === true;
    };
    return holdWithin(take, patienceMs);
  }

  beginFilling(control: StorageControl): Promise<void> {
    return this.#transact(async () => {
      await markPostgres(this.client, control);
      await dropConstraints(this.client);
      await this.client.query(FORGET_PROGRESS);
    });
  }

  async takeOver(run: string): Promise<void> {
    await this.client.query(numbered(SET_RUN), [run]);
  }

  async progress(): Promise<Progress | undefined> {
    return progressOf((await controlRowOf(this.client))?.progress);
  }

  // What a crash of the server takes away it takes with the word of how far it was: nobody needs to wait for the disk.
  append(table: StoredTable, rows: readonly StoredRow[], before: Progress | undefined, after: Progress): Promise<void> {
    return this.#transact(async () => {
      const text = JSON.stringify(after);
      const { rowCount } =
        before === undefined
          ? await this.client.query(numbered(SET_PROGRESS), [text])
          : await this.client.query(numbered(CHANGE_PROGRESS), [text, JSON.stringify(before)]);
      if (rowCount !== 1) throw new Error(OTHER_MOVER);
      await insertRows(this.client, table, rows);
    }, 'begin; set local synchronous_commit = off');
  }

  transact<Result>(run: string, work: (target: TargetWork) => Promise<Result>): Promise<Result> {
    return this.#transact(async () => {
      const { rows } = await this.client.query<ControlRow>(`${CONTROL_ROW} for update`);
      if (rows[0]?.run !== run) throw new Error(OTHER_MOVER);
      return work(postgresTarget(this.client));
    });
  }

  async checkReferences(): Promise<void> {
    await checkForeignKeys(this.client);
    await forgetDefinitions(this.client);
  }

  async analyze(): Promise<void> {
    await this.client.query(ANALYZE);
  }

  async empty(then?: StorageControl): Promise<void> {
    await this.#transact(async () => {
      await this.client.query(dropTriggers().join('; '));
      await this.client.query(`truncate ${STORED_TABLES.map(({ name }) => name).join(', ')} restart identity`);
      await makeIndexes(this.client);
      await dropForeignKeys(this.client);
      await addForeignKeys(this.client);
      await this.client.query(`${FORGET_CHANGES}; ${FORGET_NODES}; delete from storage_control`);
      if (then !== undefined) await markPostgres(this.client, then);
      await checkForeignKeys(this.client);
    });
  }

  async close(): Promise<void> {
    await this.#spare?.end();
    await this.client.end();
  }

  async #read<Result>(read: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const client = this.#spare ?? (await connect(this.url));
    this.#spare = undefined;
    try {
      const result = await read(client);
      this.#spare ??= client;
      return result;
    } finally {
      if (this.#spare !== client) await client.end();
    }
  }

  /** Runs statements in a transaction that lets nobody wait for long. */
  async #whenFree(statements: readonly string[]): Promise<void> {
    for (let attempt = 1; ; attempt += 1)
      try {
        // At once: a hundred tables have five each.
        await this.#transact(() =>
          this.client.query([`set local lock_timeout = ${LOCK_WAIT_MS}`, ...statements].join('; ')),
        );
        return;
      } catch (error) {
        if (attempt === LOCK_ATTEMPTS || !LOCK_REFUSED.has((error as { code?: unknown }).code)) throw error;
        await sleep(PAUSE_MS);
      }
  }

  async #transact<Result>(work: () => Promise<Result>, begin = 'begin'): Promise<Result> {
    await this.client.query(begin);
    try {
      const result = await work();
      await this.client.query('commit');
      return result;
    } catch (error) {
      await this.client.query('rollback').catch(() => undefined);
      throw error;
    }
  }

  async #leave(control: StorageControl, client = this.client): Promise<void> {
    await client.query(fence().join('; '));
    await markPostgres(client, control);
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
  // Others may be served by the same machine: what is built and read here takes one of its processors, unless it is told otherwise.
  await client.query(
    // Instants are read as the server writes them.
    "set timezone = 'UTC'; set datestyle = 'ISO'; set jit = off; set max_parallel_maintenance_workers = 0; set max_parallel_workers_per_gather = 0",
  );
  return client;
};
