import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { Session } from '../session.js';
import { keptForViewers } from '../visibility/kept-for-viewers.js';
import { visibleMergeRequests } from './visible-merge-requests.js';

interface CountRow {
  readonly issue_id: number;
  readonly count: number | string;
}

const closing = keptForViewers<CountRow>((query, viewer, among) => {
  const links = query('merge_request_issues').where(among('issue_id')).where({ closes: true });
  return visibleMergeRequests(query, viewer)
    .join(links.as('closing'), 'closing.merge_request_id', 'merge_requests.id')
    .groupBy('closing.issue_id')
    .select('closing.issue_id')
    .count({ count: '*' });
});

/** How many merge requests that the viewer may see close some issues, by the ids of these; those that none closes are left out. */
export const closingCounts = async (
  session: Session,
  viewer: Viewer,
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, number>> => {
  const rows = await closing(session, viewer, issueIds);
  return new Map(rows.map((row) => [row.issue_id, Number(row.count)]));
};
