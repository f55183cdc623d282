import type { Knex } from 'knex';
import { narrowByGrams } from '../narrow-by-grams.js';
import type { Session } from '../session.js';
import { containsPattern } from '../text-search.js';

/** Leaves in a list of issues those whose title or description contains a text. */
export const narrowByText = async (list: Knex.QueryBuilder, session: Session, search: string): Promise<void> => {
  void list.whereRaw("issues.search_key like ? escape '\\'", [containsPattern(search)]);
  await narrowByGrams(list, session, { index: 'issue_search', column: 'issues.id', search });
};
