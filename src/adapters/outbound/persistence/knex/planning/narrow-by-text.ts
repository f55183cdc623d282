import type { Knex } from 'knex';
import { COUNT_LIMIT } from '../../../../../domain/shared/page.js';
import type { Session } from '../session.js';
import { containsPattern, gramsOf } from '../text-search.js';

/** Where more of them may be found, whoever goes through all issues in the order of the list has a page of it soon. */
const MOST_LOOKED_UP = COUNT_LIMIT;

/** Leaves in a list of issues those whose title or description contains a text. */
export const narrowByText = async (list: Knex.QueryBuilder, session: Session, search: string): Promise<void> => {
  const { dialect } = session;
  void list.whereRaw("issues.search_key like ? escape '\\'", [containsPattern(search)]);
  const grams = gramsOf(search);
  if (grams.length === 0) return;
  const bindings = [dialect.writeGrams(grams), MOST_LOOKED_UP + 1];
  const found = await session.run<{ readonly id: number }>(dialect.idsByGrams('issue_search'), bindings);
  if (found.length > MOST_LOOKED_UP) return;
  void list.whereRaw(dialect.among('issues.id'), [dialect.writeNumbers(found.map(({ id }) => id))]);
};
