import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import type { Moment } from '../../../../../../application/storage/ports/stored-rows.js';
import { prepareDatabaseFile } from '../sqlite-file.js';
import { readSqliteChanges } from './sqlite-rows.js';

/** Between so many, 8 MiB, the process may do something else. */
const PAGES_AT_ONCE = 2_048;
/** So many times what a copy takes is to be free: others write to the journal meanwhile. */
const ROOM = 2;

const SUFFIX = '.kept-moment-';
/** What no operator calls a copy of their own. */
const NAMED = /\.kept-moment-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(-journal)?$/;
/** Nobody has written to a copy for so long that still makes it, in whatever container. */
const LEFT_MS = 60 * 60 * 1_000;

/** Removes copies of a file from beside it that processes were killed over. */
const removeLeft = (path: string): void => {
  const [folder, file] = [dirname(path), basename(path)];
  for (const name of readdirSync(folder).filter((each) => each.replace(NAMED, '') === file && each !== file)) {
    const modified = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - modified > LEFT_MS) rmSync(join(folder, name), { force: true });
  }
};

/** How many bytes are free where a file is, for the account that runs this. */
const freeBeside = async (path: string): Promise<number> => {
  const { bavail, bsize } = await statfs(dirname(path));
  return bavail * bsize;
};

/**
 * A copy of what a transaction of a connection sees. It has a name only while it is written: afterwards nobody else can open it, and it is
 * gone with its connection.
 */
const copyOf = async (reader: Database.Database, path: string): Promise<Database.Database> => {
  const place = `${path}${SUFFIX}${randomUUID()}`;
  prepareDatabaseFile(place);
  try {
    await reader.backup(place, { progress: () => PAGES_AT_ONCE });
    const copy = new Database(place, { fileMustExist: true });
    // Its journal would be files with names again.
    copy.pragma('journal_mode = delete');
    copy.pragma('locking_mode = exclusive');
    copy.prepare('select count(*) from sqlite_schema').get();
    return copy;
  } finally {
    rmSync(place, { force: true });
  }
};

/**
 * The rows of a file as they were at one moment. It is held by a transaction, for which whatever is written meanwhile has to stay in the
 * journal, many times what the rows take; or kept by a copy, once that was asked for.
 */
export class SqliteMoment {
  #copy: Database.Database | undefined;

  constructor(
    private readonly reader: Database.Database,
    private readonly path: string,
    private readonly letGo: () => void,
    private readonly free: (path: string) => Promise<number> = freeBeside,
  ) {}

  begin(): Moment {
    this.reader.exec('begin');
    return { ...readSqliteChanges(() => this.#copy ?? this.reader), keep: () => this.#keep() };
  }

  end(): void {
    if (this.#copy === undefined) this.letGo();
    else this.#copy.close();
  }

  async #keep(): Promise<void> {
    // A transaction that has read nothing yet has no moment.
    this.reader.prepare('select count(*) from sqlite_schema').get();
    if (this.#copy !== undefined) return;
    removeLeft(this.path);
    if ((await this.free(this.path)) < statSync(this.path).size * ROOM) return;
    this.#copy = await copyOf(this.reader, this.path);
    this.letGo();
  }
}
