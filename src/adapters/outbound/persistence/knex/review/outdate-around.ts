import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { openAround } from './around-branch.js';

interface IdRow {
  readonly id: number;
}

/** Bindings of one statement at most. */
const AT_ONCE = 500;

/** Notes of each open merge request around a branch that how it stands is out of date. False where there is none. */
export const outdateAround = async (
  { query, dialect }: Session,
  projectId: ProjectId,
  branch: string,
): Promise<boolean> => {
  const ids: number[] = [];
  // In the order of their ids, so that no two works that take several wait for one another.
  const around = await Promise.all(openAround(query, projectId, branch).map((open) => open.select<IdRow[]>('id')));
  const found = [...new Set(around.flat().map(({ id }) => id))].sort((one, other) => one - other);
  for (let start = 0; start < found.length; start += AT_ONCE) {
    // Those that are still open: what is known of one that was merged meanwhile stays.
    const some = query('merge_requests')
      .whereIn('id', found.slice(start, start + AT_ONCE))
      .where({ state: 'opened' });
    const held = (await dialect.lockRows(some.orderBy('id').select('id'))) as IdRow[];
    ids.push(...held.map(({ id }) => id));
  }
  for (let start = 0; start < ids.length; start += AT_ONCE)
    await query('merge_requests')
      .whereIn('id', ids.slice(start, start + AT_ONCE))
      // What was found last, and for which commits, is where the next look begins.
      .update({ status: 'unchecked' });
  return ids.length > 0;
};
