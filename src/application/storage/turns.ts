import type { Clock } from '../shared/ports/clock.js';
import type { Page, RowSource } from './ports/stored-rows.js';

interface TurnParts {
  readonly clock: Clock;
  readonly pause: (ms: number) => Promise<void>;
}

const LONGEST_MS = 1_000;

/**
 * Rests after each page for as long as the page took, while others are `served` by the same machine or database: every other moment is
 * theirs, and what takes longer because they have much to do comes less often.
 */
export const createTurns = ({ clock, pause }: TurnParts, served: () => Promise<boolean>): (() => Promise<void>) => {
  let from = clock.now().getTime();
  return async () => {
    if (await served()) await pause(Math.min(clock.now().getTime() - from, LONGEST_MS));
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
