import type { MergeRequest } from '../../../../../domain/review/merge-request.js';
import type { Dialect } from '../dialect/dialect.js';
import { readInstantOrNull } from '../dialect/nullable-instants.js';
import type { RowOf } from '../tables.js';

export type MergeRequestRow = Omit<RowOf<'merge_requests'>, 'search_key'>;

// Without the text that is searched, which is as long as the others together.
export const MERGE_REQUEST_COLUMNS: readonly (keyof MergeRequestRow)[] = [
  'id',
  'project_id',
  'iid',
  'target_branch',
  'source_project_id',
  'source_branch',
  'state',
  'draft',
  'author_id',
  'merged_by_id',
  'closed_by_id',
  'milestone_id',
  'created_at',
  'updated_at',
  'merged_at',
  'closed_at',
  'source_sha',
  'status',
  'checked_source',
  'checked_target',
  'ahead',
  'behind',
  'branches_there',
  'conflicts',
  'merge_error',
  'squash',
  'remove_source_branch',
  'source_branch_removed',
  'allow_collaboration',
  'discussion_locked',
  'merge_commit_sha',
  'squash_commit_sha',
  'title',
  'description',
];

const booleanOrNull = (value: boolean | number | null): boolean | null => (value === null ? null : Boolean(value));

export const toMergeRequest = (row: MergeRequestRow, dialect: Dialect): MergeRequest => ({
  id: row.id,
  projectId: row.project_id,
  iid: row.iid,
  targetBranch: row.target_branch,
  sourceProjectId: row.source_project_id,
  sourceBranch: row.source_branch,
  state: row.state,
  title: row.title,
  description: row.description,
  authorId: row.author_id,
  milestoneId: row.milestone_id,
  sourceSha: row.source_sha,
  // What was found for another commit says nothing of this one.
  status: row.checked_source === row.source_sha ? row.status : 'unchecked',
  ahead: row.ahead,
  behind: row.behind,
  branchesThere: Boolean(row.branches_there),
  conflicts: JSON.parse(row.conflicts) as string[],
  mergeError: row.merge_error,
  squash: Boolean(row.squash),
  removeSourceBranch: booleanOrNull(row.remove_source_branch),
  sourceBranchRemoved: booleanOrNull(row.source_branch_removed),
  allowCollaboration: Boolean(row.allow_collaboration),
  discussionLocked: booleanOrNull(row.discussion_locked),
  mergeCommitSha: row.merge_commit_sha,
  squashCommitSha: row.squash_commit_sha,
  createdAt: dialect.readInstant(row.created_at),
  updatedAt: dialect.readInstant(row.updated_at),
  mergedAt: readInstantOrNull(dialect, row.merged_at),
  mergedById: row.merged_by_id,
  closedAt: readInstantOrNull(dialect, row.closed_at),
  closedById: row.closed_by_id,
});
