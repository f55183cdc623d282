import { lineOf, type StoredRow } from '../../domain/storage/stored-row.js';
import { UNMOVABLE } from './fill-table.js';
import { MoveRefused } from './move-refused.js';
import type { StorageEnd, TargetWork } from './ports/storage-end.js';
import type { Changes, ChangingRows, StartDigest, StoredKey, StoredTable } from './ports/stored-rows.js';

/** All notes there are. */
export const ALL = Number.MAX_SAFE_INTEGER;

export const countKeys = ({ keys }: Changes): number => [...keys.values()].reduce((sum, { length }) => sum + length, 0);

/** Takes over what changed in a database that serves, again and again. */
export class Rounds {
  constructor(
    private readonly source: StorageEnd,
    private readonly target: StorageEnd,
    private readonly tables: readonly StoredTable[],
    private readonly run: string,
    private readonly startDigest: StartDigest,
  ) {}

  /**
   * Takes over what the oldest notes tell, and answers how many there were. Once it was all of them, the target is what the source was
   * at one moment; `then` is called while the source is read as of that moment still.
   */
  async next(limit: number, then: (rows: ChangingRows) => Promise<void> = () => Promise.resolve()): Promise<number> {
    const changes = await this.source.snapshot(async (rows) => {
      const read = await rows.changes(limit);
      if (read.notes.length > 0)
        await this.target.transact(this.run, (target) => this.#replaceRows(target, rows, read));
      await then(rows);
      return read;
    });
    // After the commit: whoever is killed before takes the same over once more.
    await this.source.forgetNotes(changes.notes);
    return changes.notes.length;
  }

  // What is unique may have gone from one row to another: all rows go before any comes.
  async #replaceRows(
    target: TargetWork,
    rows: ChangingRows,
    changes: Changes,
    heed: (table: StoredTable, rows: readonly StoredRow[]) => void = () => undefined,
  ): Promise<void> {
    for (const [table, keys] of this.#changed(changes)) await target.remove(table, keys);
    for (const [table, keys] of this.#changed(changes))
      for await (const page of rows.rowsOf(table, keys)) {
        if (page.faults.length > 0) throw new MoveRefused(UNMOVABLE, page);
        await target.insert(table, page.rows);
        heed(table, page.rows);
      }
  }

  /** Takes over what is told, and reads it back. @throws MoveRefused where a row did not arrive as it is. */
  async takeOver(target: TargetWork, rows: ChangingRows, changes: Changes): Promise<void> {
    const digests = new Map(this.#changed(changes).map(([{ name }]) => [name, this.startDigest()]));
    await this.#replaceRows(target, rows, changes, ({ name }, some) =>
      digests.get(name)?.update(some.map(lineOf).join('')),
    );
    for (const [table, keys] of this.#changed(changes)) {
      const arrived = this.startDigest();
      for await (const page of target.rowsOf(table, keys)) arrived.update(page.rows.map(lineOf).join(''));
      if (arrived.end() !== digests.get(table.name)?.end())
        throw new MoveRefused(`Rows of ${table.name} did not arrive as they are: nothing was cut over.`);
    }
  }

  #changed({ keys }: Changes): readonly (readonly [StoredTable, readonly StoredKey[]])[] {
    return this.tables.flatMap((table) => {
      const changed = keys.get(table.name);
      return changed === undefined ? [] : [[table, changed] as const];
    });
  }
}
