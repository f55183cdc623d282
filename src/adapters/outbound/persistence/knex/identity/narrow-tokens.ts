import type { Knex } from 'knex';
import type { TokenFilters, TokenSort } from '../../../../../application/identity/ports/identity-readers.js';
import { asciiPattern } from '../text-search.js';
import type { Session } from '../session.js';

/** What hasn't expired on that day. */
export const isLasting =
  (today: string) =>
  (lasting: Knex.QueryBuilder): void => {
    void lasting
      .whereNull('personal_access_tokens.expires_at')
      .orWhere('personal_access_tokens.expires_at', '>', today);
  };

const ORDERS: Readonly<Record<TokenSort, readonly [column: string, direction: 'asc' | 'desc']>> = {
  created_asc: ['created_at', 'asc'],
  created_desc: ['created_at', 'desc'],
  expires_asc: ['expires_at', 'asc'],
  expires_desc: ['expires_at', 'desc'],
  last_used_asc: ['last_used_at', 'asc'],
  last_used_desc: ['last_used_at', 'desc'],
  name_asc: ['name', 'asc'],
  name_desc: ['name', 'desc'],
};

/** Others have such columns, too, where they are joined. */
const column = (name: string): string => `personal_access_tokens.${name}`;

/** Leaves the tokens of a list that a query asks for, in its order. */
export const narrowTokens = (session: Session, list: Knex.QueryBuilder, asked: TokenFilters): void => {
  const { state, search } = asked;
  if (state !== undefined) narrowByState(list, state);
  if (search !== undefined) void list.whereRaw(session.dialect.isLikeAscii(column('name')), [asciiPattern(search)]);
  if (asked.revoked === true) void list.whereNotNull(column('revoked_at'));
  if (asked.revoked === false) void list.whereNull(column('revoked_at'));
  narrowByTimes(session, list, asked);
  sortTokens(session, list, asked.sort);
};

const narrowByState = (list: Knex.QueryBuilder, { is, at }: NonNullable<TokenFilters['state']>): void => {
  const today = at.toISOString().slice(0, 10);
  if (is === 'active') void list.whereNull(column('revoked_at')).where(isLasting(today));
  else
    void list.where(
      (ended) => void ended.whereNotNull(column('revoked_at')).orWhere(column('expires_at'), '<=', today),
    );
};

const narrowByTimes = ({ dialect }: Session, list: Knex.QueryBuilder, asked: TokenFilters): void => {
  const bounds = [
    ['created_at', '>=', asked.createdAfter],
    ['created_at', '<=', asked.createdBefore],
    ['last_used_at', '>=', asked.lastUsedAfter],
    ['last_used_at', '<=', asked.lastUsedBefore],
  ] as const;
  for (const [name, comparison, bound] of bounds)
    if (bound !== undefined) void list.where(column(name), comparison, dialect.writeInstant(bound));
};

const sortTokens = ({ query }: Session, list: Knex.QueryBuilder, sort: TokenSort | undefined): void => {
  if (sort === undefined) return void list.orderBy(column('id'));
  const [by, direction] = ORDERS[sort];
  // Those without such a day come last, on both databases.
  void list.orderBy(query.raw('case when ?? is null then 1 else 0 end', [column(by)])).orderBy(column(by), direction);
  void list.orderBy(column('id'), direction);
};
