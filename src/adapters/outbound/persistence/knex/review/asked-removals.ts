import { keptByIds } from '../kept-queries.js';
import type { Session } from '../session.js';

/** Quotes in messages are escaped, so that nothing else in the options reads so; messages are long, and not wanted here. */
const says = (removes: boolean): string => `options like '%"removeSourceBranch":${removes}%'`;

const askedBy = keptByIds<{ readonly merge_request_id: number; readonly removes: number | null }>((query, among) =>
  query('automatic_merges')
    .where(among('merge_request_id'))
    .select('merge_request_id', {
      removes: query.raw(`case when ${says(true)} then 1 when ${says(false)} then 0 end`),
    }),
);

/** What whoever has a merge request merged later said of its source branch; null where they said nothing. */
export const askedRemovals = async (
  session: Session,
  ids: readonly number[],
): Promise<ReadonlyMap<number, boolean | null>> => {
  const rows = await askedBy(session, ids);
  return new Map(rows.map(({ merge_request_id: id, removes }) => [id, removes === null ? null : removes === 1]));
};
