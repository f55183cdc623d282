import type { Knex } from 'knex';
import { MAX_OFFSET } from '../../../../../domain/shared/page.js';
import { countUpTo } from '../count-up-to.js';
import type { Session } from '../session.js';

const idOf = (row: unknown): number => Number((row as { id: number | string } | undefined)?.id ?? 0);

/**
 * After which entry the page begins that holds one; 0 where that is the first page.
 * @param entries all of them, by `id` and in no order.
 */
export const pageOf = async (
  session: Session,
  entries: Knex.QueryBuilder,
  id: number,
  perPage: number,
): Promise<number> => {
  const before = await countUpTo(session, entries.clone().where('id', '<', id), MAX_OFFSET);
  // Further down a list nobody counts: the page begins with the entry itself.
  const offset = before === MAX_OFFSET ? 0 : before % perPage;
  return offset === before ? 0 : await entryBefore(entries, id, offset);
};

/** After which entry the page before the one after `after` begins; likewise. */
export const pageBefore = (entries: Knex.QueryBuilder, after: number, perPage: number): Promise<number> =>
  entryBefore(entries, after + 1, perPage);

const entryBefore = async (entries: Knex.QueryBuilder, id: number, offset: number): Promise<number> =>
  idOf(await entries.clone().where('id', '<', id).orderBy('id', 'desc').offset(offset).limit(1).first('id'));
