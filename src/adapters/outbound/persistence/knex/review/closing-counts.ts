import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { Session } from '../session.js';
import { visibleMergeRequests } from './visible-merge-requests.js';

/** How many merge requests that the viewer may see close some issues, by the ids of these; those that none closes are left out. */
export const closingCounts = async (
  { query }: Session,
  viewer: Viewer,
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, number>> => {
  if (issueIds.length === 0) return new Map();
  const closing = query('merge_request_issues')
    .whereIn('issue_id', [...issueIds])
    .where({ closes: true });
  const rows = (await visibleMergeRequests(query, viewer)
    .join(closing.as('closing'), 'closing.merge_request_id', 'merge_requests.id')
    .groupBy('closing.issue_id')
    .select('closing.issue_id')
    .count({ count: '*' })) as { issue_id: number; count: number | string }[];
  return new Map(rows.map((row) => [row.issue_id, Number(row.count)]));
};
