import type { Clock } from '../shared/ports/clock.js';
import type { Page, RowSource } from './ports/stored-rows.js';

export interface TurnParts {
  readonly clock: Clock;
  readonly pause: (ms: number) => Promise<void>;
  /** How many processors others leave, as far as that is known. */
  readonly spare: () => number;
}

const LONGEST_MS = 1_000;
/** One for whoever works, and one for the database that it asks. */
const NEEDED = 2;

export const leavesTooFew = ({ spare }: Pick<TurnParts, 'spare'>): boolean => spare() < NEEDED;

/** The length of a rest beside that of the page before it, where no processor is spare: the move then works for a quarter of the time. */
const RESTS = 3;

/**
 * Rests after each page while others are `served` by the same machine or database and leave too few processors, for three times as long as the
 * page took: most moments are theirs, and what takes longer because they have much to do comes less often. Where they leave enough nobody waits.
 * Of each rest only a `share` is taken, from 0 to 1.
 */
export const createTurns = (
  { clock, pause, spare }: TurnParts,
  served: () => Promise<boolean>,
  share: () => number = () => 1,
): (() => Promise<void>) => {
  let from = clock.now().getTime();
  return async () => {
    const took = clock.now().getTime() - from;
    const part = Math.min(1, NEEDED - spare()) * share();
    if (part > 0 && (await served())) await pause(Math.min(took * part * RESTS, LONGEST_MS));
    from = clock.now().getTime();
  };
};

/** The same rows, before each page of which `heed` is waited for. */
export const heeding = (rows: RowSource, heed: () => Promise<void>): RowSource => {
  const heeded = async function* (pages: AsyncIterable<Page>): AsyncIterable<Page> {
    for await (const page of pages) {
      await heed();
      yield page;
    }
  };
  return {
    pages: (table) => heeded(rows.pages(table)),
    pagesAfter: (table, key) => heeded(rows.pagesAfter(table, key)),
    counters: () => rows.counters(),
  };
};
