import type { Knex } from 'knex';
import { BadRequest } from '../../../../domain/shared/domain-error.js';
import { COUNT_LIMIT, MAX_OFFSET, type Page, type PageRequest } from '../../../../domain/shared/page.js';
import { countUpTo } from './count-up-to.js';
import { countUnlessLong } from './long-lists.js';
import type { Session } from './session.js';

/**
 * Runs a list query: one page of its rows, and the total where it is asked for and the list ends within the limit of counting.
 * @throws BadRequest for a page beyond `MAX_OFFSET` of a list that is longer than the limit of counting.
 */
export const pageOfRows = async <Row, Item>(
  session: Session,
  list: Knex.QueryBuilder,
  { page, perPage, counted }: PageRequest,
  toItem: (row: Row) => Item,
): Promise<Page<Item>> => {
  // Where the list was begun it is counted, too.
  const { pinned } = session;
  const offset = (page - 1) * perPage;
  if (offset > MAX_OFFSET) {
    const total = await countRows(pinned, list);
    if (total <= COUNT_LIMIT) return { items: [], hasNext: false, total };
    throw new BadRequest(`This list can be paged up to entry ${MAX_OFFSET}. Narrow it down to see what lies beyond.`);
  }
  const rows = (await list
    .clone()
    .limit(perPage + 1)
    .offset(offset)) as Row[];
  const items = rows.slice(0, perPage).map(toItem);
  const hasNext = rows.length > perPage;
  if (counted === false) return { items, hasNext };
  // Where the list ends on this page its length is known.
  const ended = !hasNext && (rows.length > 0 || offset === 0);
  const total = ended
    ? offset + rows.length
    : await countUnlessLong(session, nameOf(list), COUNT_LIMIT, () => countRows(pinned, list));
  return { items, hasNext, ...(total !== undefined && total <= COUNT_LIMIT ? { total } : {}) };
};

/** The same list for the same viewer, whatever page of it. */
const nameOf = (list: Knex.QueryBuilder): string => {
  const { sql, bindings } = list.toSQL();
  return JSON.stringify([sql, bindings]);
};

/** One row beyond the limit tells that there are more. */
const countRows = (session: Session, list: Knex.QueryBuilder): Promise<number> =>
  countUpTo(session, list, COUNT_LIMIT + 1);
