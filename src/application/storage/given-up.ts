import { isMoving } from '../../domain/storage/storage-control.js';
import { MoveRefused } from './move-refused.js';
import type { StorageEnd } from './ports/storage-end.js';
import type { Page, RowSource } from './ports/stored-rows.js';

export const GIVEN_UP = 'The move was given up meanwhile.';

/** @throws MoveRefused where a move is under way no more, and its source was not left either. */
export const refuseGivenUp = async (source: StorageEnd): Promise<void> => {
  const control = await source.control();
  if (control.role === 'left' || isMoving(control)) return;
  throw new MoveRefused(GIVEN_UP);
};

/** The same rows, which end with a sentence once their move was given up: whoever gives it up waits for that. */
export const untilGivenUp = (rows: RowSource, refuse: () => Promise<void>): RowSource => {
  const heeding = async function* (pages: AsyncIterable<Page>): AsyncIterable<Page> {
    for await (const page of pages) {
      await refuse();
      yield page;
    }
  };
  return {
    pages: (table) => heeding(rows.pages(table)),
    pagesAfter: (table, key) => heeding(rows.pagesAfter(table, key)),
    counters: () => rows.counters(),
  };
};
