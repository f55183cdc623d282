import type { Knex } from 'knex';
import type { Session } from './session.js';

/** Whether a column is one of the ids that are given when a kept query is run. */
export type Among = (column: string) => Knex.Raw;

/** @param ids as `Dialect.writeNumbers` writes them, or where these will stand. */
export const amongIds =
  ({ dialect }: Session, query: Knex, ids: string): Among =>
  (column) =>
    query.raw(dialect.among(column), [ids]);

/** For functions that are given their session: what they keep is made once for each. */
export const onceOf = <Kept>(make: (session: Session) => Kept): ((session: Session) => Kept) => {
  const made = new WeakMap<Session, Kept>();
  return (session) => {
    const kept = made.get(session) ?? make(session);
    made.set(session, kept);
    return kept;
  };
};

/**
 * Finds rows by ids, whatever their number: the ids are one value, so the query is always in the same words, built once and kept
 * prepared. Its columns are named.
 */
export const keptByIds = <Row>(build: (query: Knex, among: Among) => Knex.QueryBuilder) => {
  const find = onceOf((session) =>
    session.keep<Row, { readonly ids: string }>(['ids'], (query, { ids }) =>
      build(query, amongIds(session, query, ids)),
    ),
  );
  return async (session: Session, ids: readonly number[]): Promise<readonly Row[]> =>
    ids.length === 0 ? [] : find(session)({ ids: session.dialect.writeNumbers(ids) });
};
