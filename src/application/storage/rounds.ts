import { lineOf, type StoredRow } from '../../domain/storage/stored-row.js';
import { UNMOVABLE } from './fill-table.js';
import { MoveRefused } from './move-refused.js';
import { RowsInTheWay, type StorageEnd, type TargetWork } from './ports/storage-end.js';
import {
  keyOf,
  type Changes,
  type ChangingRows,
  type Moment,
  type Page,
  type StartDigest,
  type StoredKey,
  type StoredTable,
} from './ports/stored-rows.js';

/** All notes there are. */
export const ALL = Number.MAX_SAFE_INTEGER;

export const countKeys = ({ keys }: Changes): number => [...keys.values()].reduce((sum, { length }) => sum + length, 0);

type Heed = (table: StoredTable, rows: readonly StoredRow[]) => void;

const unheeded: Heed = () => undefined;

type Rest = () => Promise<void>;

const restless: Rest = () => Promise.resolve();

/** Rows that go between two rests. */
const ROWS_AT_ONCE = 500;
/** Notes that are forgotten between two: writers may have to wait for as many. */
const NOTES_AT_ONCE = 5_000;

function* someOf<One>(all: readonly One[], atOnce: number): Generator<readonly One[]> {
  for (let first = 0; first < all.length; first += atOnce) yield all.slice(first, first + atOnce);
}

const restingBetween = (rows: ChangingRows, rest: Rest): ChangingRows => ({
  ...rows,
  rowsOf: async function* (table, keys) {
    for await (const page of rows.rowsOf(table, keys)) {
      await rest();
      yield page;
    }
  },
});

interface Round {
  readonly rest?: Rest;
  readonly then?: (rows: Moment) => Promise<void>;
}

/** Takes over what changed in a database that serves, again and again. */
export class Rounds {
  #referencesStand = false;

  constructor(
    private readonly source: StorageEnd,
    private readonly target: StorageEnd,
    private readonly tables: readonly StoredTable[],
    private readonly run: string,
    private readonly startDigest: StartDigest,
  ) {}

  /**
   * Takes over what the oldest notes tell, and answers how many there were. Once it was all of them, the target is what the source was
   * at one moment; `then` is called while the source is read as of that moment still. `rest` is waited for between pieces of it.
   */
  async next(limit: number, { rest = restless, then }: Round = {}): Promise<number> {
    const changes = await this.source.snapshot(async (rows) => {
      const read = await rows.changes(limit);
      if (read.notes.length > 0) await this.#bring(restingBetween(rows, rest), read, rest);
      await then?.(rows);
      return read;
    });
    // After the commit: whoever is killed before takes the same over once more.
    for (const some of someOf(changes.notes, NOTES_AT_ONCE)) {
      await rest();
      await this.source.forgetNotes(some);
    }
    return changes.notes.length;
  }

  /** From now on the target holds what comes against foreign keys, all of which rows that are there fulfil. */
  async letReferencesStand(): Promise<void> {
    if (this.#referencesStand || !this.target.holdsReferences) return;
    await this.target.transact(this.run, async (work) => {
      await work.addForeignKeys();
      await work.checkForeignKeys();
    });
    this.#referencesStand = true;
  }

  /**
   * Takes over what is told, and reads it back; foreign keys stand afterwards.
   *
   * @throws RowsInTheWay unless all rows may go before any comes, which takes longer.
   * @throws MoveRefused where a row did not arrive as it is.
   */
  async takeOver(target: TargetWork, rows: ChangingRows, changes: Changes, anew: boolean): Promise<void> {
    const digests = new Map(this.#changed(changes).map(([{ name }]) => [name, this.startDigest()]));
    const heed: Heed = ({ name }, some) => digests.get(name)?.update(some.map(lineOf).join(''));
    if (this.#referencesStand && !anew) await this.#changeRows(target, rows, changes, heed);
    else await this.#replaceRows(target, rows, changes, { heed });
    for (const [table, keys] of this.#changed(changes)) {
      const arrived = this.startDigest();
      for await (const page of target.rowsOf(table, keys)) arrived.update(page.rows.map(lineOf).join(''));
      if (arrived.end() !== digests.get(table.name)?.end())
        throw new MoveRefused(`Rows of ${table.name} did not arrive as they are: nothing was cut over.`);
    }
  }

  async #bring(rows: ChangingRows, changes: Changes, rest: Rest): Promise<void> {
    const anew = () => this.target.transact(this.run, (work) => this.#replaceRows(work, rows, changes, { rest }));
    if (!this.#referencesStand) return anew();
    await this.target
      .transact(this.run, (work) => this.#changeRows(work, rows, changes))
      .catch((error: unknown) => {
        if (error instanceof RowsInTheWay) return anew();
        throw error;
      });
  }

  // What is unique may have gone from one row to another: all rows go before any comes, and nothing else goes with them.
  async #replaceRows(
    target: TargetWork,
    rows: ChangingRows,
    changes: Changes,
    { heed = unheeded, rest = restless }: { readonly heed?: Heed; readonly rest?: Rest },
  ): Promise<void> {
    if (this.#referencesStand) await target.dropForeignKeys();
    for (const [table, keys] of this.#changed(changes))
      for (const some of someOf(keys, ROWS_AT_ONCE)) {
        await rest();
        await target.remove(table, some);
      }
    for (const [table, keys] of this.#changed(changes))
      for await (const page of rows.rowsOf(table, keys)) await target.insert(table, this.#heeded(table, page, heed));
    if (this.#referencesStand) await target.addForeignKeys();
  }

  // What goes takes along what refers to it: by then all that stays refers to what it refers to at the source.
  async #changeRows(target: TargetWork, rows: ChangingRows, changes: Changes, heed = unheeded): Promise<void> {
    const changed = this.#changed(changes).map(([table, keys]) => ({
      table,
      gone: new Map(keys.map((key) => [JSON.stringify(key), key])),
    }));
    for (const { table, gone } of changed)
      for await (const page of rows.rowsOf(table, [...gone.values()])) {
        await target.put(table, this.#heeded(table, page, heed));
        for (const row of page.rows) gone.delete(JSON.stringify(keyOf(table, row)));
      }
    for (const { table, gone } of changed.toReversed()) await target.remove(table, [...gone.values()]);
  }

  #heeded(table: StoredTable, page: Page, heed: Heed): readonly StoredRow[] {
    if (page.faults.length > 0) throw new MoveRefused(UNMOVABLE, page);
    heed(table, page.rows);
    return page.rows;
  }

  #changed({ keys }: Changes): readonly (readonly [StoredTable, readonly StoredKey[]])[] {
    return this.tables.flatMap((table) => {
      const changed = keys.get(table.name);
      return changed === undefined ? [] : [[table, changed] as const];
    });
  }
}
