import type { Issue } from '../../../../../domain/planning/issue.js';
import type { Dialect } from '../dialect/dialect.js';
import { readInstantOrNull } from '../dialect/nullable-instants.js';
import type { RowOf } from '../tables.js';

export type IssueRow = Omit<RowOf<'issues'>, 'search_key' | 'relative_position'>;

// Without the text that is searched, which is as long as the others together, and without what lists alone are put in order by.
export const ISSUE_COLUMNS: readonly (keyof IssueRow)[] = [
  'id',
  'project_id',
  'iid',
  'kind',
  'title',
  'description',
  'state',
  'severity',
  'confidential',
  'due_date',
  'milestone_id',
  'author_id',
  'closed_by_id',
  'created_at',
  'updated_at',
  'closed_at',
  'moved_to_id',
  'duplicated_to_id',
  'discussion_locked',
];

export const toIssue = (row: IssueRow, dialect: Dialect): Issue => ({
  id: row.id,
  projectId: row.project_id,
  iid: row.iid,
  kind: row.kind,
  title: row.title,
  description: row.description,
  state: row.state,
  severity: row.severity,
  confidential: Boolean(row.confidential),
  dueDate: row.due_date,
  milestoneId: row.milestone_id,
  authorId: row.author_id,
  closedById: row.closed_by_id,
  createdAt: dialect.readInstant(row.created_at),
  updatedAt: dialect.readInstant(row.updated_at),
  closedAt: readInstantOrNull(dialect, row.closed_at),
  movedToId: row.moved_to_id,
  duplicatedToId: row.duplicated_to_id,
  discussionLocked: row.discussion_locked === null ? null : Boolean(row.discussion_locked),
});
