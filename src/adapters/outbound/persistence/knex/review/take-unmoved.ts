import type { ObjectId } from '../../../../../domain/repositories/object-id.js';
import { branchRef } from '../../../../../domain/repositories/ref-name.js';
import type { MergeRequest } from '../../../../../domain/review/merge-request.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { MERGE_REQUEST_COLUMNS, toMergeRequest, type MergeRequestRow } from './merge-request-row.js';

interface RefRow {
  readonly project_id: ProjectId;
  readonly name: string;
  readonly target: ObjectId;
}

const sourceOf = (row: MergeRequestRow): string => `${row.source_project_id} ${branchRef(row.source_branch)}`;

/** Locks merge requests that were looked at before their target moved, and whose source has not; see `MergeRequestRepository`. */
export const takeUnmoved = async (
  session: Session,
  ids: readonly number[],
  { projectId, branch }: { readonly projectId: ProjectId; readonly branch: string },
): Promise<readonly MergeRequest[]> => {
  const { query, dialect } = session;
  const list = query('merge_requests')
    .whereIn('id', [...ids])
    .where({ project_id: projectId, target_branch: branch, state: 'opened', status: 'unchecked' })
    .orderBy('id')
    .select(...MERGE_REQUEST_COLUMNS);
  const rows = (await dialect.lockRows(list)) as MergeRequestRow[];
  const tips = await tipsOf(session, rows);
  return rows
    .filter((row) => row.source_sha === row.checked_source && tips.get(sourceOf(row)) === row.source_sha)
    .map((row) => toMergeRequest(row, dialect));
};

/** Where the source branches are, by their project and name. */
const tipsOf = async ({ query }: Session, rows: readonly MergeRequestRow[]): Promise<ReadonlyMap<string, ObjectId>> => {
  const branches = new Set(rows.map((row) => branchRef(row.source_branch)));
  const projects = new Set(rows.map((row) => row.source_project_id).filter((id) => id !== null));
  const tips = (await query('refs')
    .join('repositories', 'repositories.id', 'refs.repository_id')
    .whereIn('repositories.project_id', [...projects])
    .whereIn('refs.name', [...branches])
    .select('repositories.project_id', 'refs.name', 'refs.target')) as RefRow[];
  return new Map(tips.map(({ project_id, name, target }) => [`${project_id} ${name}`, target]));
};
