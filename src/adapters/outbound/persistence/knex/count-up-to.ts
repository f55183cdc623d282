import type { Knex } from 'knex';
import type { Session } from './session.js';

/** Counts the rows of a query no further than `most`. */
export const countUpTo = async ({ query }: Session, rows: Knex.QueryBuilder, most: number): Promise<number> => {
  const bounded = rows.clone().clearSelect().clearOrder().select(query.raw('1 as one')).limit(most);
  const [counted] = (await query.from(bounded.as('counted')).count({ total: '*' })) as { total: number | string }[];
  return Number(counted?.total ?? 0);
};

/** Counts the rows of a query by what a column says; undefined where there are more than `most` of them together. */
export const countEach = async (
  { query }: Session,
  rows: Knex.QueryBuilder,
  { column, most }: { readonly column: string; readonly most: number },
): Promise<ReadonlyMap<string, number> | undefined> => {
  const bounded = rows
    .clone()
    .clearSelect()
    .clearOrder()
    .select({ said: column })
    .limit(most + 1);
  const counted = (await query.from(bounded.as('counted')).groupBy('said').select('said').count({ total: '*' })) as {
    said: string;
    total: number | string;
  }[];
  const counts = new Map(counted.map(({ said, total }) => [said, Number(total)]));
  return [...counts.values()].reduce((sum, count) => sum + count, 0) > most ? undefined : counts;
};
