import type { Knex } from 'knex';
import { COUNT_LIMIT } from '../../../../domain/shared/page.js';
import type { Session } from './session.js';
import type { INDEXES_OF_TEXTS } from './tables.js';
import { gramsOf } from './text-search.js';

/** Where more of them may be found, whoever goes through all rows in the order of the list has a page of it soon. */
const MOST_LOOKED_UP = COUNT_LIMIT;

interface LookUp {
  readonly index: (typeof INDEXES_OF_TEXTS)[number];
  /** Of the list, with the ids of the index. */
  readonly column: string;
  readonly search: string;
}

/** Leaves in a list what an index of texts has for a text, where that is not too much: candidates, of which some may lack the text itself. */
export const narrowByGrams = async (
  list: Knex.QueryBuilder,
  session: Session,
  { index, column, search }: LookUp,
): Promise<void> => {
  const { dialect } = session;
  const grams = gramsOf(search);
  if (grams.length === 0) return;
  const bindings = [dialect.writeGrams(grams), MOST_LOOKED_UP + 1];
  const found = await session.run<{ readonly id: number }>(dialect.idsByGrams(index), bindings);
  if (found.length > MOST_LOOKED_UP) return;
  void list.whereRaw(dialect.among(column), [dialect.writeNumbers(found.map(({ id }) => id))]);
};
