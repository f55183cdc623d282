import { isMoving, left } from '../../domain/storage/storage-control.js';
import type { Clock } from '../shared/ports/clock.js';
import { GIVEN_UP } from './given-up.js';
import { MoveRefused } from './move-refused.js';
import { RowsInTheWay, type LockedRows, type StorageEnd } from './ports/storage-end.js';
import { ALL, countKeys, type Rounds } from './rounds.js';

/** So few keys are taken over while writers wait. */
const FEW = 500;
const ROUNDS_AT_MOST = 8;
/** Whoever is written to faster than it brings in turns with writers what they wrote goes on without rests. */
const ROUNDS_IN_TURNS = 3;
const ATTEMPTS = 60;
/** Writers wait no longer: then they go on, and it is tried again. */
const LONGEST_MS = 800;
const PAUSE_MS = 250;
/** Then all rows go before any comes, for which writers wait longer. */
const IN_THE_WAY_AT_MOST = 3;

class TookTooLong extends Error {}

export interface CutParts {
  readonly source: StorageEnd;
  readonly target: StorageEnd;
  readonly rounds: Rounds;
  readonly run: string;
  readonly clock: Clock;
  readonly pause: (ms: number) => Promise<void>;
  /** Begins to work in turns with those who are served: what it answers is waited for between pieces of work. */
  readonly takeTurns: () => () => Promise<void>;
}

export interface Cut {
  /** When writers began to wait. */
  readonly begunAt: Date;
  readonly keys: number;
}

/** Ends a move: from the commit on the source on, the target is the one. */
export class CutOver {
  /** How often the last rows could not be taken over in place. */
  #inTheWay = 0;

  constructor(private readonly parts: CutParts) {}

  /** @throws MoveRefused */
  async execute(receipt: string): Promise<Cut> {
    await this.parts.source.prepareToLeave();
    await this.#catchUp();
    // To make them, and to hold every row against them, takes longer than all that writers have to wait for.
    await this.parts.rounds.letReferencesStand();
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      await this.parts.target.prepareToArrive();
      await this.#catchUp();
      const cut = await this.#try(receipt);
      if (cut !== undefined) return cut;
      await this.parts.pause(PAUSE_MS);
    }
    throw new MoveRefused(
      `${this.parts.source.place} is written to so much that its writers would wait longer than ${LONGEST_MS} ms: nothing was cut over. Run the same command again when there is less to do.`,
    );
  }

  /** A target whose source was not left after all goes on as before: rows come and go in any order. */
  async follow(): Promise<void> {
    const { target, run } = this.parts;
    const to = await target.control();
    await target.transact(run, async (work) => {
      await work.dropForeignKeys();
      await work.mark({ ...to, state: 'following' });
    });
  }

  async #catchUp(): Promise<void> {
    const { rounds, takeTurns } = this.parts;
    const rest = takeTurns();
    for (let round = 1; round <= ROUNDS_AT_MOST; round += 1)
      if ((await rounds.next(ALL, round <= ROUNDS_IN_TURNS ? { rest } : {})) < FEW) return;
  }

  async #try(receipt: string): Promise<Cut | undefined> {
    try {
      return await this.parts.source.whileLocked((rows) => this.#cut(rows, receipt));
    } catch (error) {
      if (error instanceof RowsInTheWay) this.#inTheWay += 1;
      else if (!(error instanceof TookTooLong)) throw error;
      return undefined;
    }
  }

  async #cut(rows: LockedRows, receipt: string): Promise<Cut> {
    const { source, target, rounds, run, clock } = this.parts;
    const begunAt = clock.now();
    const [from, to] = await Promise.all([source.control(), target.control()]);
    if (!isMoving(from) || to.move !== from.move) throw new MoveRefused(GIVEN_UP);
    const changes = await rows.changes(ALL);
    const counters = await rows.counters();
    await target.transact(run, async (work) => {
      await rounds.takeOver(work, rows, changes, this.#inTheWay >= IN_THE_WAY_AT_MOST);
      await work.setCounters(counters);
      await work.mark({ ...to, state: 'ready' });
      await work.keepReceipt(receipt);
      if (clock.now().getTime() - begunAt.getTime() > LONGEST_MS) throw new TookTooLong();
    });
    await rows.leave(left(from));
    return { begunAt, keys: countKeys(changes) };
  }
}
