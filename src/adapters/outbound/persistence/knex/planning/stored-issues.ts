import { subjectOfIssue } from '../../../../../application/planning/ports/issue-subject.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { StoredSubjectKind } from '../collaboration/subject-kind.js';
import { visibleIssues } from './visible-issues.js';
import { ISSUE_COLUMNS, toIssue, type IssueRow } from './issue-row.js';

/** Issues as subjects, as their tables have them. */
export const storedIssues: StoredSubjectKind = {
  kind: 'issue',
  async find({ query, dialect }, id) {
    const row = (await query('issues')
      .join('projects', 'projects.id', 'issues.project_id')
      .where('issues.id', id)
      .first(...ISSUE_COLUMNS.map((column) => `issues.${column}`), { project_path: 'projects.full_path' })) as
      (IssueRow & { readonly project_path: string }) | undefined;
    if (row === undefined) return undefined;
    const assignees = (await query('issue_assignees')
      .join('users', 'users.id', 'issue_assignees.user_id')
      .where({ issue_id: id })
      .orderBy('users.id')
      .select('users.id', 'users.name')) as { id: UserId; name: string }[];
    return subjectOfIssue({ ...toIssue(row, dialect), projectPath: row.project_path, assignees });
  },
  visibleAmong: (query, viewer, ids) => visibleIssues(query, viewer).whereIn('issues.id', ids).select('issues.id'),
  participants: (query, id) => [
    query('issues').where({ id }).whereNotNull('author_id').select({ user_id: 'author_id' }),
    query('issue_assignees').where({ issue_id: id }).select('user_id'),
  ],
};
