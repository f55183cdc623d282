import type { Knex } from 'knex';
import { COUNT_LIMIT, type Page, type PageRequest } from '../../../../domain/shared/page.js';
import type { Session } from './session.js';

/** Runs a list query: one page of its rows, and the total where it ends within the limit of counting. */
export const pageOfRows = async <Row, Item>(
  session: Session,
  list: Knex.QueryBuilder,
  { page, perPage }: PageRequest,
  toItem: (row: Row) => Item,
): Promise<Page<Item>> => {
  const rows = (await list
    .clone()
    .limit(perPage + 1)
    .offset((page - 1) * perPage)) as Row[];
  const counted = list
    .clone()
    .clearSelect()
    .clearOrder()
    .select(session.query.raw('1 as one'))
    .limit(COUNT_LIMIT + 1);
  const [count] = (await session.query.from(counted.as('counted')).count({ total: '*' })) as {
    total: number | string;
  }[];
  const total = Number(count?.total ?? 0);
  return {
    items: rows.slice(0, perPage).map(toItem),
    hasNext: rows.length > perPage,
    ...(total <= COUNT_LIMIT ? { total } : {}),
  };
};
