import type { Knex } from 'knex';
import type { Session } from './session.js';

/** Counts the rows of a query no further than `most`. */
export const countUpTo = async ({ query }: Session, rows: Knex.QueryBuilder, most: number): Promise<number> => {
  const bounded = rows.clone().clearSelect().clearOrder().select(query.raw('1 as one')).limit(most);
  const [counted] = (await query.from(bounded.as('counted')).count({ total: '*' })) as { total: number | string }[];
  return Number(counted?.total ?? 0);
};
