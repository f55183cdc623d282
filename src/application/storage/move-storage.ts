import { asSource, asTarget, left, serving, type StorageControl } from '../../domain/storage/storage-control.js';
import type { Clock } from '../shared/ports/clock.js';
import { fillTable, UNMOVABLE } from './fill-table.js';
import { isUnused } from './is-unused.js';
import { lookAtStore, type Look } from './look-at-store.js';
import { MoveRefused } from './move-refused.js';
import type { Progress, StorageEnd } from './ports/storage-end.js';
import type { RowSource, StartDigest, StoredTable } from './ports/stored-rows.js';
import { verifyStores, type Verification } from './verify-stores.js';

export interface MoveParts {
  /** Each after those that its rows refer to. */
  readonly tables: readonly StoredTable[];
  readonly clock: Clock;
  readonly startDigest: StartDigest;
  readonly newMove: () => string;
  /** Hears how far it is. */
  readonly report: (step: MoveStep) => void;
}

export type MoveStep =
  | { readonly step: 'looked'; readonly look: Look }
  | { readonly step: 'resumed'; readonly move: string }
  | { readonly step: 'copied'; readonly table: string; readonly rows: number }
  | { readonly step: 'made indexes' | 'verified' };

export interface Moved {
  readonly move: string;
  readonly from: string;
  readonly to: string;
  readonly migrations: readonly string[];
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** Whether an earlier run had begun it. */
  readonly resumed: boolean;
  /** Absent when an earlier run had ended it. */
  readonly verification: Verification | undefined;
}

/**
 * Moves an installation whose service is stopped to another database. The source is fenced from the first moment and is never changed
 * otherwise, so that its rows are those of one moment however often this is killed and run again; it decides, by one commit, whether the
 * installation has left it.
 */
export class MoveStorage {
  constructor(
    private readonly source: StorageEnd,
    private readonly target: StorageEnd,
    private readonly parts: MoveParts,
  ) {}

  /** @throws MoveRefused with a sentence. */
  async execute(): Promise<Moved> {
    const startedAt = this.parts.clock.now();
    // What a mover that was killed had sent may still arrive: nothing is read before.
    for (const end of [this.source, this.target]) await end.hold();
    const move = await this.#admit();
    if (move === undefined) {
      const look = await this.source.snapshot((rows) => lookAtStore(this.parts.tables, rows));
      this.parts.report({ step: 'looked', look });
      if (look.faulty > 0) throw new MoveRefused(UNMOVABLE, look);
    } else this.parts.report({ step: 'resumed', move });
    const name = await this.#arm(move);
    const verification = await this.#fillAndLeave();
    return {
      move: name,
      from: this.source.place,
      to: this.target.place,
      migrations: await this.source.migrations(),
      startedAt,
      endedAt: this.parts.clock.now(),
      resumed: move !== undefined,
      verification,
    };
  }

  /** The move that these two are in the middle of, if there is one. */
  async #admit(): Promise<string | undefined> {
    const { source, target } = this;
    if (source.place === target.place) throw new MoveRefused('Both addresses name the same database.');
    const [from, to] = [await source.control(), await target.control()];
    await this.#compareMigrations();
    if (await source.isServed()) throw new MoveRefused(`A service has ${source.place} open: stop it first.`);
    if (from.role === 'target')
      throw new MoveRefused(`${source.place} is itself the target of a move (${from.move}) that has not ended.`);
    if (from.role === 'left' || from.state === 'moving') return this.#sameMove(from, to);
    if (!(await isUnused(this.target, this.parts.tables)))
      throw new MoveRefused(
        `The database at ${target.place} is in use, was left, or is what a move that was given up has filled: a move fills one that is empty. Of the last, "gatehouse storage abort --to URL" makes one.`,
      );
    return undefined;
  }

  async #compareMigrations(): Promise<void> {
    const [here, there] = [await this.source.migrations(), await this.target.migrations()];
    const known = new Set(there);
    const missing = there.filter((name) => !here.includes(name));
    if (missing.length > 0)
      throw new MoveRefused(`${this.source.place} lacks ${missing.join(', ')}: run "gatehouse migrate" there first.`);
    const newer = here.filter((name) => !known.has(name));
    if (newer.length > 0)
      throw new MoveRefused(
        `${this.source.place} was migrated by a newer version (${newer.join(', ')}): move it by that.`,
      );
  }

  // Between the fence of the source and the first mark of the target, the target says nothing yet.
  async #sameMove(from: StorageControl, to: StorageControl): Promise<string> {
    if (to.move === from.move && from.move !== undefined) return from.move;
    if (from.state === 'moving' && from.peer === this.target.place && (await isUnused(this.target, this.parts.tables)))
      return from.move ?? '';
    throw new MoveRefused(
      from.role === 'left'
        ? `${this.source.place} was left for ${from.peer} already: there is nothing to move.`
        : `${this.source.place} is being moved to ${from.peer} (${from.move}): finish that, or run "gatehouse storage abort".`,
    );
  }

  async #arm(resumed: string | undefined): Promise<string> {
    const move = resumed ?? this.parts.newMove();
    const [from, to] = [await this.source.control(), await this.target.control()];
    if (from.role !== 'left' && from.state !== 'moving')
      await this.source.fence(asSource(from, move, this.target.place));
    if (to.move !== move) await this.target.beginFilling(asTarget(to, move, this.source.place));
    return move;
  }

  async #fillAndLeave(): Promise<Verification | undefined> {
    const from = await this.source.control();
    const to = await this.target.control();
    // Whoever was killed in between finds the source left, and only makes the last mark.
    if (from.role === 'left' && to.role !== 'target') return undefined;
    const ready = { ...to, state: 'ready' } as const;
    const verification = await this.#fillAndVerify(to, ready);
    if (from.role !== 'left') await this.source.mark(left(from), from);
    // As this run left it: where somebody has given up the move meanwhile, nobody may serve from it.
    await this.target.mark(serving(ready, from.epoch + 1), ready);
    return verification;
  }

  async #fillAndVerify(to: StorageControl, ready: StorageControl): Promise<Verification> {
    const verification = await this.source.snapshot(async (rows) => {
      if (to.state === 'filling') await this.#fill(rows, ready);
      return this.target.snapshot((there) => verifyStores(this.parts.tables, rows, there, this.parts.startDigest));
    });
    if (!verification.equal) throw new MoveRefused('The two databases differ.', { verification });
    this.parts.report({ step: 'verified' });
    return verification;
  }

  async #fill(rows: RowSource, ready: StorageControl): Promise<void> {
    const { tables, report } = this.parts;
    let progress = await this.target.progress();
    const first = progress === undefined ? 0 : tables.findIndex(({ name }) => name === progress?.table);
    for (const table of tables.slice(first)) progress = await this.#fillTable(table, rows, progress);
    await this.target.endFilling(await rows.counters(), ready);
    report({ step: 'made indexes' });
  }

  async #fillTable(table: StoredTable, rows: RowSource, before: Progress | undefined): Promise<Progress | undefined> {
    const { target, parts } = this;
    const pages = before?.table === table.name ? rows.pagesAfter(table, before.after) : rows.pages(table);
    const report = (count: number): void => parts.report({ step: 'copied', table: table.name, rows: count });
    return fillTable({ target, table, pages, before, report });
  }
}
