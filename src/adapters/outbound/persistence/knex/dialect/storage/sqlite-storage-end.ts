import Database from 'better-sqlite3';
import type { Progress, StorageEnd } from '../../../../../../application/storage/ports/storage-end.js';
import type { Counters, RowSource, StoredTable } from '../../../../../../application/storage/ports/stored-rows.js';
import type { StorageControl } from '../../../../../../domain/storage/storage-control.js';
import type { StoredRow } from '../../../../../../domain/storage/stored-row.js';
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
import { readSqliteRows } from './sqlite-rows.js';

const BUSY_TIMEOUT_MS = 10_000;
const WRITES = ['insert', 'update', 'delete'] as const;
const fenceOf = (table: string, write: string): string => `storage_fence_${table}_${write}`;

const FENCED = 'storage moved: this database takes no writes';

/** A file that rows are moved from or to. */
export class SqliteStorageEnd implements StorageEnd {
  readonly #writer: Database.Database;

  constructor(private readonly path: string) {
    this.#writer = this.#open();
  }

  get place(): string {
    return `sqlite:${this.path}`;
  }

  async migrations(): Promise<readonly string[]> {
    return this.#writer.prepare<[], string>('select name from schema_migrations order by name').pluck().all();
  }

  async control(): Promise<StorageControl> {
    return controlOf(this.#controlRow());
  }

  async mark(control: StorageControl, before: StorageControl): Promise<void> {
    this.#transact(() => {
      refuseOther(controlOf(this.#controlRow()), before);
      this.#mark(control);
    });
  }

  // The journal changes its mode only while nobody else has the file open.
  async isServed(): Promise<boolean> {
    this.#writer.pragma('busy_timeout = 0');
    try {
      return this.#writer.pragma('journal_mode = delete', { simple: true }) !== 'delete';
    } catch (error) {
      if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY') === true) return true;
      throw error;
    } finally {
      this.#writer.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
      this.#writer.pragma('journal_mode = wal');
    }
  }

  async snapshot<Result>(read: (rows: RowSource) => Promise<Result>): Promise<Result> {
    const reader = this.#open();
    try {
      reader.exec('begin');
      return await read(readSqliteRows(reader));
    } finally {
      reader.close();
    }
  }

  async fence(control: StorageControl): Promise<void> {
    this.#transact(() => {
      for (const { name } of STORED_TABLES)
        for (const write of WRITES)
          this.#writer.exec(
            `create trigger if not exists ${fenceOf(name, write)} before ${write} on ${name} begin select raise(abort, '${FENCED}'); end`,
          );
      this.#mark(control);
    });
  }

  async unfence(control: StorageControl): Promise<void> {
    this.#transact(() => {
      this.#dropFence();
      this.#mark(control);
    });
  }

  // Whoever appends holds its own progress against the database's: two movers can't both go on.
  hold(): Promise<void> {
    return Promise.resolve();
  }

  async beginFilling(control: StorageControl): Promise<void> {
    this.#transact(() => {
      const indexes = this.#writer
        .prepare<[], { name: string; sql: string }>(
          "select name, sql from sqlite_master where type = 'index' and sql is not null and tbl_name <> 'storage_control' order by name",
        )
        .all();
      const definitions: Definition[] = indexes.map(({ name, sql }) => ({ drop: `drop index "${name}"`, create: sql }));
      for (const { drop } of definitions) this.#writer.exec(drop);
      this.#mark(control);
      this.#writer.prepare(SET_DEFINITIONS).run(JSON.stringify(definitions));
    });
  }

  async progress(): Promise<Progress | undefined> {
    return progressOf(this.#controlRow()?.progress);
  }

  async append(
    { name, columns }: StoredTable,
    rows: readonly StoredRow[],
    before: Progress | undefined,
    after: Progress,
  ): Promise<void> {
    const places = columns.map(() => '?').join(', ');
    this.#transact(() => {
      const insert = this.#writer.prepare(`insert into ${name} (${columns.join(', ')}) values (${places})`);
      for (const row of rows) insert.run(row);
      const text = JSON.stringify(after);
      const { changes } =
        before === undefined
          ? this.#writer.prepare(SET_PROGRESS).run(text)
          : this.#writer.prepare(CHANGE_PROGRESS).run(text, JSON.stringify(before));
      if (changes !== 1) throw new Error(OTHER_MOVER);
    });
  }

  async endFilling(counters: Counters, control: StorageControl): Promise<void> {
    this.#transact(() => {
      this.#restoreDefinitions();
      for (const { name, counted } of STORED_TABLES) {
        if (counted === undefined) continue;
        this.#writer.prepare('delete from sqlite_sequence where name = ?').run(name);
        const last = BigInt(counters.get(name) ?? '0');
        this.#writer.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(name, last);
      }
      const [orphan] = this.#writer.pragma('foreign_key_check') as { table: string; rowid: number; parent: string }[];
      if (orphan !== undefined)
        throw new Error(`${orphan.table} ${orphan.rowid} refers to a row of ${orphan.parent} that is not there.`);
      this.#mark(control);
    });
    this.#writer.exec('analyze');
  }

  async empty(): Promise<void> {
    this.#transact(() => {
      this.#dropFence();
      for (const { name, counted } of STORED_TABLES.toReversed()) {
        this.#writer.exec(`delete from ${name}`);
        if (counted !== undefined) this.#writer.prepare('delete from sqlite_sequence where name = ?').run(name);
      }
      this.#restoreDefinitions();
      this.#writer.exec('delete from storage_control');
    });
  }

  async close(): Promise<void> {
    this.#writer.close();
  }

  #open(): Database.Database {
    const connection = new Database(this.path, { fileMustExist: true });
    connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    connection.pragma('journal_mode = WAL');
    connection.pragma('synchronous = FULL');
    // Rows may arrive before those that they refer to: they are checked when all are there.
    connection.pragma('foreign_keys = OFF');
    return connection;
  }

  #transact(work: () => void): void {
    this.#writer.transaction(work).immediate();
  }

  #controlRow(): ControlRow | undefined {
    return this.#writer.prepare<[], ControlRow>('select * from storage_control where id = 1').get();
  }

  #mark(control: StorageControl): void {
    this.#writer.prepare(MARK).run(markBindings(control));
  }

  #dropFence(): void {
    for (const { name } of STORED_TABLES)
      for (const write of WRITES) this.#writer.exec(`drop trigger if exists ${fenceOf(name, write)}`);
  }

  #restoreDefinitions(): void {
    for (const { create } of definitionsOf(this.#controlRow()?.definitions)) this.#writer.exec(create);
    this.#writer.prepare(SET_DEFINITIONS).run(null);
  }
}
