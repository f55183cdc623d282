import { asSource, asTarget, serving, type StorageControl } from '../../domain/storage/storage-control.js';
import type { Clock } from '../shared/ports/clock.js';
import { admitMove } from './admit-move.js';
import { CutOver, type Cut } from './cut-over.js';
import { fillTable, UNMOVABLE } from './fill-table.js';
import { refuseGivenUp } from './given-up.js';
import { lookAtSource, type Look } from './look-at-store.js';
import { mendStore } from './mend-store.js';
import { MoveRefused } from './move-refused.js';
import { MoveTurns } from './move-turns.js';
import { createPace } from './pace.js';
import type { Progress, StorageEnd } from './ports/storage-end.js';
import type { Counters, Fault, Moment, RowSource, StartDigest, StoredTable } from './ports/stored-rows.js';
import { ALL, Rounds } from './rounds.js';
import { ServingNodes } from './serving-nodes.js';
import { heeding } from './turns.js';
import { verifyStores, type Verification } from './verify-stores.js';

export interface MoveParts {
  /** Each after those that its rows refer to. */
  readonly tables: readonly StoredTable[];
  readonly clock: Clock;
  readonly startDigest: StartDigest;
  /** A word that no move and no run of the command had before. */
  readonly newName: () => string;
  readonly pause: (ms: number) => Promise<void>;
  /** How many processors others leave, as far as that is known. */
  readonly spare: () => number;
  /** The address of the target, sealed, for the processes that go over. */
  readonly sealedSuccessor: string;
  /** Waits with the cut until the operator says so. */
  readonly hold?: boolean;
  /** Rows a second that are copied at most, for those who use the source meanwhile. */
  readonly rate?: number | undefined;
  /** Replaces in the source what no text can hold, instead of refusing it. */
  readonly mend?: boolean;
  /** Hears how far it is. */
  readonly report: (step: MoveStep) => void;
}

export type MoveStep =
  | { readonly step: 'looked'; readonly look: Look }
  | { readonly step: 'mended'; readonly mended: readonly Fault[] }
  | { readonly step: 'resumed'; readonly move: string }
  | { readonly step: 'copied'; readonly table: string; readonly rows: number }
  | { readonly step: 'cut'; readonly keys: number; readonly pauseMs: number }
  | { readonly step: 'made indexes' | 'verified' | 'holding' | 'compared again' };

export interface Moved {
  readonly move: string;
  readonly from: string;
  readonly to: string;
  readonly migrations: readonly string[];
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** Whether an earlier run had begun it. */
  readonly resumed: boolean;
  /** What was replaced in the source; absent where an earlier run had looked. */
  readonly mended: readonly Fault[] | undefined;
  /** Absent when an earlier run had cut over. */
  readonly cut: (Cut & { readonly pauseMs: number }) | undefined;
  /** The SHA-256 of both databases, which were equal at one moment before the cut. */
  readonly beforeCut: string | undefined;
  /** Of every row as of the cut; absent where the target had been written to since. */
  readonly verification: Verification | undefined;
}

/** What the target keeps of the run that cut over, for a later one that ends the move. */
interface KeptReceipt {
  readonly beforeCut: string;
}

/** Notes that are taken over at once while what is unique is not looked at. */
const PART = 20_000;
/** So many of them are taken over in turns with those who are served: whoever writes more than that is caught up with. */
const PARTS_IN_TURNS = 10;
const HOLDING_MS = 500;
/** How often it is told at the source how far the copy is. */
const TELL_MS = 1_000;

/** Counters are read at another moment than rows: what is compared without them. */
const uncounted = (rows: RowSource): RowSource => ({ ...rows, counters: () => Promise.resolve(new Map()) });

/**
 * Moves an installation to another database while it serves. Its rows are copied, what changes meanwhile is noted and taken over, and one
 * commit on the source decides that the installation has left it. Until then the source serves, and this may be killed and run again.
 */
export class MoveStorage {
  private readonly parts: MoveParts;
  private readonly nodes: ServingNodes;
  private readonly turns: MoveTurns;

  constructor(
    private readonly source: StorageEnd,
    private readonly target: StorageEnd,
    parts: MoveParts,
  ) {
    const pause = async (ms: number): Promise<void> => {
      await parts.pause(ms);
      await refuseGivenUp(source);
    };
    this.parts = { ...parts, pause };
    this.nodes = new ServingNodes(source, this.parts);
    this.turns = new MoveTurns(source, this.nodes, parts);
  }

  /** @throws MoveRefused with a sentence. */
  async execute(): Promise<Moved> {
    const { clock, report, newName } = this.parts;
    const startedAt = clock.now();
    // What a mover that was killed had sent may still arrive: nothing is read before.
    for (const end of [this.source, this.target]) await end.hold();
    const resumed = await admitMove(this.source, this.target, this.parts.tables);
    const looked = resumed === undefined ? await this.#look() : undefined;
    if (resumed !== undefined) report({ step: 'resumed', move: resumed });
    const move = await this.#arm(resumed);
    if (looked !== undefined) await this.source.tellCopied({ copied: 0, known: looked.rows });
    const over = (await this.source.control()).role === 'left';
    const cut = over ? undefined : await this.#moveRows(newName());
    const { pauseMs, verification } = await this.#arrive(cut);
    return {
      move,
      from: this.source.place,
      to: this.target.place,
      migrations: await this.source.migrations(),
      startedAt,
      endedAt: clock.now(),
      resumed: resumed !== undefined,
      mended: looked?.mended,
      cut: cut && { ...cut, pauseMs },
      beforeCut: await this.#comparedBeforeCut(),
      verification,
    };
  }

  async #look(): Promise<{ readonly rows: number; readonly mended: readonly Fault[] }> {
    const { tables, report, mend = false } = this.parts;
    const rest = await this.turns.takeBeforehand();
    const look = (): Promise<Look> => lookAtSource(tables, this.source, rest);
    let looked = await look();
    let mended: readonly Fault[] = [];
    if (looked.faulty > 0 && mend) {
      mended = await mendStore(tables, this.source);
      report({ step: 'mended', mended });
      looked = await look();
    }
    report({ step: 'looked', look: looked });
    if (looked.faulty > 0) throw new MoveRefused(UNMOVABLE, looked);
    return { rows: looked.rows, mended };
  }

  async #arm(resumed: string | undefined): Promise<string> {
    const { newName, sealedSuccessor } = this.parts;
    const move = resumed ?? newName();
    const [from, to] = [await this.source.control(), await this.target.control()];
    if (resumed === undefined)
      await this.source.arm(asSource(from, { move, peer: this.target.place, sealedSuccessor }));
    if (to.move !== move) await this.target.beginFilling(asTarget(to, move, this.source.place));
    return move;
  }

  async #moveRows(run: string): Promise<Cut> {
    const { source, target } = this;
    await target.takeOver(run);
    const rounds = new Rounds(source, target, this.parts.tables, run, this.parts.startDigest);
    const to = await target.control();
    if (to.state === 'filling') await this.#fill(rounds, run, to);
    const cutOver = new CutOver({ ...this.parts, source, target, rounds, run, takeTurns: () => this.turns.take() });
    await cutOver.follow();
    const { sha256: beforeCut } = await this.#verify(rounds);
    if (this.parts.hold === true) await this.#holdOn(rounds);
    await this.nodes.standBy(!target.servesMany);
    const kept: KeptReceipt = { beforeCut };
    return cutOver.execute(JSON.stringify(kept));
  }

  async #comparedBeforeCut(): Promise<string | undefined> {
    const kept = await this.target.receipt();
    return kept === undefined ? undefined : (JSON.parse(kept) as KeptReceipt).beforeCut;
  }

  async #fill(rounds: Rounds, run: string, to: StorageControl): Promise<void> {
    await this.source.byPages((rows) =>
      this.#copy(heeding(rows, this.turns.take(this.parts.rate === undefined ? Infinity : 0))),
    );
    const rest = this.turns.take();
    for (let part = 1; (await rounds.next(PART, part <= PARTS_IN_TURNS ? { rest } : {})) === PART; part += 1);
    const sparing = await this.turns.areNeeded();
    // Rows of different moments might be unique on neither side; those of one moment are.
    await this.target.transact(run, async (work) => {
      await work.makeIndexes(sparing);
      await work.mark({ ...to, state: 'following' });
    });
    await this.target.analyze();
    this.parts.report({ step: 'made indexes' });
  }

  async #copy(rows: RowSource): Promise<void> {
    const { target } = this;
    const { tables, report } = this.parts;
    const [tell, pace] = [await this.#teller(), createPace(this.parts.rate, this.parts)];
    let before: Progress | undefined = await target.progress();
    const first = before === undefined ? 0 : tables.findIndex(({ name }) => name === before?.table);
    for (const table of tables.slice(first)) {
      const pages = before?.table === table.name ? rows.pagesAfter(table, before.after) : rows.pages(table);
      const told = async (count: number, ofPage: number): Promise<void> => {
        report({ step: 'copied', table: table.name, rows: count });
        await tell(ofPage);
        await pace(ofPage);
      };
      before = await fillTable({ target, table, pages, before, report: told });
    }
    await tell(0, true);
  }

  /**
   * Says at the source how many rows have arrived, now and then, and in the end that all have: a run that was killed had not told of its
   * last ones.
   */
  async #teller(): Promise<(rows: number, isLast?: boolean) => Promise<void>> {
    const { clock } = this.parts;
    let { copied, known } = (await this.source.copiedRows()) ?? { copied: 0, known: 0 };
    let toldAt = clock.now().getTime();
    return async (rows, isLast = false) => {
      copied += rows;
      if (!isLast && clock.now().getTime() - toldAt < TELL_MS) return;
      toldAt = clock.now().getTime();
      known = Math.max(known, copied);
      if (isLast) copied = known;
      await this.source.tellCopied({ copied, known });
    };
  }

  async #verify(rounds: Rounds): Promise<Verification> {
    const { tables, startDigest, report } = this.parts;
    let verification: Verification | undefined;
    const rest = this.turns.takeHolding(this.source);
    await rounds.next(ALL, {
      rest,
      then: async (here: Moment) => {
        await this.#keep(here);
        verification = await this.target.snapshot((there) =>
          verifyStores(tables, uncounted(heeding(here, rest)), uncounted(there), startDigest),
        );
      },
    });
    if (verification?.equal !== true)
      throw new MoveRefused('The two databases differ: nothing was cut over.', verification && { verification });
    report({ step: 'verified' });
    return verification;
  }

  async #holdOn(rounds: Rounds): Promise<void> {
    const control = await this.source.control();
    if (control.state === 'copying')
      await this.source.mark({ ...control, state: 'holding' }, control).catch(async (error: unknown) => {
        await refuseGivenUp(this.source);
        throw error;
      });
    this.parts.report({ step: 'holding' });
    while ((await this.source.control()).state !== 'cutting') {
      await rounds.next(ALL);
      await this.parts.pause(HOLDING_MS);
    }
  }

  /** Lets everybody write at the target once nobody reads from the source, and compares what arrived. */
  async #arrive(
    cut: Cut | undefined,
  ): Promise<{ readonly pauseMs: number; readonly verification: Verification | undefined }> {
    const { clock, tables, startDigest, report } = this.parts;
    const result = await this.target.snapshot(async (there) => {
      // Writers wait: they go over while the moment is held at which nobody has written there.
      const [{ counters, asOfCut }] = await Promise.all([this.#unwritten(there), this.nodes.goOver()]);
      await this.#settle();
      const pauseMs = cut === undefined ? 0 : clock.now().getTime() - cut.begunAt.getTime();
      if (cut !== undefined) report({ step: 'cut', keys: cut.keys, pauseMs });
      if (!asOfCut) return { pauseMs, verification: undefined };
      // First: the longer it is held, the more there is to be brought into a file afterwards, which writers feel.
      await this.#keep(there);
      await this.turns.letWritersGoFirst();
      const arrived = { ...there, counters: () => Promise.resolve(counters) };
      const rest = this.turns.takeHolding(this.target);
      const verification = await this.source.snapshot((here) =>
        verifyStores(tables, heeding(here, rest), arrived, startDigest),
      );
      return { pauseMs, verification };
    });
    await this.target.checkReferences();
    if (result.verification?.equal === false)
      throw new MoveRefused(
        `What arrived differs from ${this.source.place}: "gatehouse storage reopen" goes back to it.`,
        { verification: result.verification },
      );
    report({ step: 'compared again' });
    return result;
  }

  /** Those who are served meanwhile are not to notice that all rows are read in turns with them. */
  async #keep(moment: Moment): Promise<void> {
    if (await this.nodes.areHeard()) await moment.keep();
  }

  async #unwritten(there: RowSource): Promise<{ readonly counters: Counters; readonly asOfCut: boolean }> {
    const counters = await there.counters();
    return { counters, asOfCut: (await this.target.control()).role === 'target' };
  }

  // A process that went over and did not hear of this run does the same.
  async #settle(): Promise<void> {
    const [from, to] = [await this.source.control(), await this.target.control()];
    if (to.move !== from.move)
      throw new MoveRefused(`${this.target.place} is not what ${this.source.place} was left for any more.`);
    if (to.role !== 'target') return;
    await this.target.mark(serving(to, from.epoch + 1), to).catch(async (error: unknown) => {
      if ((await this.target.control()).role !== 'primary') throw error;
    });
  }
}
