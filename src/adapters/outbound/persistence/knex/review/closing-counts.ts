import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { Session } from '../session.js';
import { visibleMergeRequests } from './visible-merge-requests.js';

/** How many merge requests that the viewer may see close some issues, by the ids of these; those that none closes are left out. */
export const closingCounts = async (
  { query }: Session,
  viewer: Viewer,
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, number>> => {
  const rows = (await visibleMergeRequests(query, viewer)
    .join('merge_request_issues', 'merge_request_issues.merge_request_id', 'merge_requests.id')
    .whereIn('merge_request_issues.issue_id', [...issueIds])
    .where('merge_request_issues.closes', true)
    .groupBy('merge_request_issues.issue_id')
    .select('merge_request_issues.issue_id')
    .count({ closing: '*' })) as { issue_id: number; closing: number | string }[];
  return new Map(rows.map((row) => [row.issue_id, Number(row.closing)]));
};
