import type { SeenBefore } from '../../../../../application/review/ports/merge-request-ports.js';
import type { ObjectId } from '../../../../../domain/repositories/object-id.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';

interface SeenRow {
  readonly id: number;
  readonly checked_source: ObjectId;
  readonly checked_target: ObjectId;
}

/** Those of some merge requests that were looked at before their target moved; see `MergeRequestReader`. */
export const seenBefore = async (
  { query }: Session,
  projectId: ProjectId,
  branch: string,
  ids: readonly number[],
): Promise<readonly SeenBefore[]> => {
  const rows = (await query('merge_requests')
    .whereIn('id', [...ids])
    .where({ project_id: projectId, target_branch: branch, status: 'unchecked', branches_there: true })
    .where('ahead', '>', 0)
    .whereNotNull('checked_target')
    .where('checked_source', query.ref('source_sha'))
    // Without a version they had nothing in common.
    .whereExists(
      query('merge_request_versions')
        .where('merge_request_versions.merge_request_id', query.ref('merge_requests.id'))
        .where('merge_request_versions.head_sha', query.ref('merge_requests.checked_source'))
        .select(query.raw('1')),
    )
    .select('id', 'checked_source', 'checked_target')) as SeenRow[];
  const discussions = query('discussions').whereIn(
    'subject_id',
    rows.map(({ id }) => id),
  );
  const discussed = new Set<number>(await discussions.distinct('subject_id').pluck('subject_id'));
  return rows.map(({ id, checked_source: source, checked_target: target }) => ({
    ...{ id, source, target },
    discussed: discussed.has(id),
  }));
};
