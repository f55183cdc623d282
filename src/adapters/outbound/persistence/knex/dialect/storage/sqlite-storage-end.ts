import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type {
  CopiedRows,
  LockedRows,
  Orphans,
  Progress,
  StorageEnd,
  StorageNode,
  TargetWork,
} from '../../../../../../application/storage/ports/storage-end.js';
import type { Fault, Moment, RowSource, StoredTable } from '../../../../../../application/storage/ports/stored-rows.js';
import { releasedMigrations } from '../../../../../../domain/storage/released-migrations.js';
import type { StorageControl } from '../../../../../../domain/storage/storage-control.js';
import type { StoredRow } from '../../../../../../domain/storage/stored-row.js';
import {
  CHANGE_PROGRESS,
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
} from '../../storage/control-row.js';
import { holdWithin } from '../../storage/hold-within.js';
import { STORED_TABLES } from '../../storage/stored-tables.js';
import type { RowOf } from '../../tables.js';
import { isBusy } from '../sqlite-dialect.js';
import { lockFile } from '../lock-file.js';
import { SQLITE_TABLES } from '../tables-there.js';
import { findOrphans } from './find-orphans.js';
import { mendSqlite } from './mend-sqlite.js';
import { SqliteMoment } from './sqlite-moment.js';
import { readSqliteChanges, readSqliteRows } from './sqlite-rows.js';
import { controlRowOf, dropIndexes, insertRows, makeIndexes, markSqlite, sqliteTarget } from './sqlite-target.js';
import { COUNT_FENCE, dropTriggers, fence, takeNotes } from './sqlite-triggers.js';

/** How long writers are waited for. They write again and again: whoever asks seldom would never find a gap. */
const PATIENCE_MS = 10_000;
const ASK_AGAIN_MS = 1;
/** Triggers that are made at once, so that writers wait for little. */
const TRIGGERS_AT_ONCE = 50;

/** The file is empty, and stays: whoever removed it might remove it under somebody who waits for it. */
const LOCK_SUFFIX = '.move-lock';

/** A file that rows are moved from or to. */
export class SqliteStorageEnd implements StorageEnd {
  readonly servesMany = false;
  readonly holdsReferences = false;
  readonly #writer: Database.Database;
  /** Kept for whoever reads next: a new one would read the whole schema once more. */
  #reader: Database.Database | undefined;
  #held: Database.Database | undefined;

  constructor(private readonly path: string) {
    this.#writer = this.#open();
  }

  get place(): string {
    return `sqlite:${this.path}`;
  }

  // The lock is that of a file beside it, which goes with the process that has it; on the database itself it would be in the way of writers.
  hold(patienceMs?: number): Promise<void> {
    return holdWithin(() => {
      this.#held ??= lockFile(`${this.path}${LOCK_SUFFIX}`);
      return this.#held !== undefined;
    }, patienceMs);
  }

  async migrations(): Promise<readonly string[]> {
    const names = this.#writer.prepare<[], string>('select name from schema_migrations order by name');
    return releasedMigrations(names.pluck().all());
  }

  async tables(): Promise<readonly string[]> {
    return this.#writer.prepare<[], string>(SQLITE_TABLES).pluck().all();
  }

  // Whoever may not write to the file could not have opened it.
  mayMakeTables(): Promise<boolean> {
    return Promise.resolve(true);
  }

  async control(): Promise<StorageControl> {
    return controlOf(controlRowOf(this.#writer));
  }

  mark(control: StorageControl, before: StorageControl): Promise<void> {
    return this.#transact(() => {
      refuseOther(controlOf(controlRowOf(this.#writer)), before);
      markSqlite(this.#writer, control);
    });
  }

  async receipt(): Promise<string | undefined> {
    return controlRowOf(this.#writer)?.receipt ?? undefined;
  }

  // The journal changes its mode only while nobody else has the file open.
  async isServed(): Promise<boolean> {
    this.#closeReader();
    try {
      return this.#writer.pragma('journal_mode = delete', { simple: true }) !== 'delete';
    } catch (error) {
      if (isBusy(error)) return true;
      throw error;
    } finally {
      await this.#asksAgain(() => this.#writer.pragma('journal_mode = wal'));
    }
  }

  // A file knows nothing of who has it open.
  servers(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  async nodes(): Promise<readonly StorageNode[]> {
    return this.#writer.prepare<[], RowOf<'storage_nodes'>>(NODES).all().map(nodeOf);
  }

  snapshot<Result>(read: (rows: Moment) => Promise<Result>): Promise<Result> {
    return this.#read(async (reader) => {
      const moment = new SqliteMoment(reader, this.path, () => this.#letGo(reader));
      try {
        return await read(moment.begin());
      } finally {
        moment.end();
      }
    });
  }

  byPages<Result>(read: (rows: RowSource) => Promise<Result>): Promise<Result> {
    return this.#read((reader) => read(readSqliteRows(() => reader)));
  }

  async orphans(limit: number): Promise<Orphans> {
    return findOrphans(this.#writer, limit);
  }

  mend(fault: Fault): Promise<boolean> {
    return this.#transact(() => mendSqlite(this.#writer, fault));
  }

  tellCopied({ copied, known }: CopiedRows): Promise<void> {
    return this.#transact(() => void this.#writer.prepare(SET_COPIED).run(copied, known));
  }

  async copiedRows(): Promise<CopiedRows | undefined> {
    return copiedRowsOf(controlRowOf(this.#writer));
  }

  arm(control: StorageControl): Promise<void> {
    return this.#transact(() => {
      this.#writer.exec(FORGET_NODES);
      for (const statement of takeNotes()) this.#writer.exec(statement);
      markSqlite(this.#writer, control);
    });
  }

  release(control: StorageControl, before: StorageControl): Promise<void> {
    return this.#transact(() => {
      refuseOther(controlOf(controlRowOf(this.#writer)), before);
      this.#dropTriggers();
      markSqlite(this.#writer, control);
    });
  }

  fence(control: StorageControl): Promise<void> {
    return this.#transact(() => this.#leave(control));
  }

  // Some at a time, so that writers wait for little.
  async prepareToLeave(): Promise<void> {
    for (let first = 0; first < fence().length; first += TRIGGERS_AT_ONCE)
      await this.#transact(() => {
        for (const statement of fence().slice(first, first + TRIGGERS_AT_ONCE)) this.#writer.exec(statement);
      });
  }

  // To open a file takes no time.
  prepareToArrive(): Promise<void> {
    return Promise.resolve();
  }

  // Whoever writes is alone: what was noted before the last of these can't appear behind it.
  async forgetNotes(notes: readonly number[]): Promise<void> {
    await this.#transact(
      () => void this.#writer.prepare('delete from storage_changes where id <= ?').run(notes.at(-1)),
    );
  }

  whileLocked<Result>(work: (rows: LockedRows) => Promise<Result>): Promise<Result> {
    const leave = async (control: StorageControl): Promise<void> => this.#leave(control);
    return this.#transact(() => work({ ...readSqliteChanges(() => this.#writer), leave }));
  }

  beginFilling(control: StorageControl): Promise<void> {
    return this.#transact(() => {
      markSqlite(this.#writer, control);
      dropIndexes(this.#writer);
      this.#writer.exec(FORGET_PROGRESS);
    });
  }

  takeOver(run: string): Promise<void> {
    return this.#transact(() => void this.#writer.prepare(SET_RUN).run(run));
  }

  async progress(): Promise<Progress | undefined> {
    return progressOf(controlRowOf(this.#writer)?.progress);
  }

  // What a crash of the machine takes away it takes with the word of how far it was: nobody needs to wait for the disk.
  async append(
    table: StoredTable,
    rows: readonly StoredRow[],
    before: Progress | undefined,
    after: Progress,
  ): Promise<void> {
    this.#writer.pragma('synchronous = NORMAL');
    await this.#transact(() => {
      insertRows(this.#writer, table, rows);
      const text = JSON.stringify(after);
      const { changes } =
        before === undefined
          ? this.#writer.prepare(SET_PROGRESS).run(text)
          : this.#writer.prepare(CHANGE_PROGRESS).run(text, JSON.stringify(before));
      if (changes !== 1) throw new Error(OTHER_MOVER);
    }).finally(() => this.#writer.pragma('synchronous = FULL'));
  }

  transact<Result>(run: string, work: (target: TargetWork) => Promise<Result>): Promise<Result> {
    return this.#transact(() => {
      if (controlRowOf(this.#writer)?.run !== run) throw new Error(OTHER_MOVER);
      return work(sqliteTarget(this.#writer));
    });
  }

  async checkReferences(): Promise<void> {
    const [orphan] = this.#writer.pragma('foreign_key_check') as { table: string; rowid: number; parent: string }[];
    if (orphan !== undefined)
      throw new Error(`${orphan.table} ${orphan.rowid} refers to a row of ${orphan.parent} that is not there.`);
  }

  async analyze(): Promise<void> {
    await this.#asksAgain(() => this.#writer.exec('analyze'));
    // All indexes that were made at once are in the journal. Whoever serves from here first would have to shorten it, and all others wait.
    this.#writer.pragma('wal_checkpoint(truncate)');
  }

  empty(then?: StorageControl): Promise<void> {
    return this.#transact(() => {
      this.#dropTriggers();
      for (const { name, counted } of STORED_TABLES.toReversed()) {
        this.#writer.exec(`delete from ${name}`);
        if (counted !== undefined) this.#writer.prepare('delete from sqlite_sequence where name = ?').run(name);
      }
      makeIndexes(this.#writer);
      this.#writer.exec('delete from storage_control');
      if (then !== undefined) markSqlite(this.#writer, then);
    });
  }

  async close(): Promise<void> {
    this.#closeReader();
    this.#held?.close();
    this.#writer.close();
  }

  #open(): Database.Database {
    const connection = new Database(this.path, { fileMustExist: true });
    connection.pragma('journal_mode = WAL');
    connection.pragma('synchronous = FULL');
    // Rows may arrive before those that they refer to: they are checked when all are there.
    connection.pragma('foreign_keys = OFF');
    // Its own waiting backs off, and would come too late each time: `#asksAgain` waits instead.
    connection.pragma('busy_timeout = 0');
    return connection;
  }

  async #read<Result>(read: (reader: Database.Database) => Promise<Result>): Promise<Result> {
    const reader = this.#reader ?? this.#open();
    this.#reader = undefined;
    try {
      const result = await read(reader);
      this.#reader ??= reader;
      return result;
    } finally {
      if (this.#reader !== reader) reader.close();
    }
  }

  #letGo(reader: Database.Database): void {
    if (reader.inTransaction) reader.exec('commit');
    // What was written meanwhile had to stay in the journal. Whoever writes next would bring all of it into the file, and wait for that.
    if (!this.#writer.inTransaction) this.#writer.pragma('wal_checkpoint(passive)');
  }

  #closeReader(): void {
    this.#reader?.close();
    this.#reader = undefined;
  }

  async #asksAgain<Result>(ask: () => Result): Promise<Result> {
    const giveUpAt = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return ask();
      } catch (error) {
        if (!isBusy(error) || performance.now() > giveUpAt) throw error;
        await sleep(ASK_AGAIN_MS);
      }
    }
  }

  async #transact<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    await this.#asksAgain(() => this.#writer.exec('begin immediate'));
    try {
      const result = await work();
      this.#writer.exec('commit');
      return result;
    } catch (error) {
      if (this.#writer.inTransaction) this.#writer.exec('rollback');
      throw error;
    }
  }

  #leave(control: StorageControl): void {
    const made = this.#writer.prepare<[], number>(COUNT_FENCE).pluck().get();
    if (made !== fence().length) for (const statement of fence()) this.#writer.exec(statement);
    markSqlite(this.#writer, control);
  }

  #dropTriggers(): void {
    for (const statement of dropTriggers()) this.#writer.exec(statement);
    this.#writer.exec(FORGET_CHANGES);
    this.#writer.exec(FORGET_NODES);
  }
}
