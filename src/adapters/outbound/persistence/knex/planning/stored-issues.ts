import { subjectOfIssue } from '../../../../../application/planning/ports/issue-subject.js';
import { readPeopleOf } from '../collaboration/people-of-subjects.js';
import type { StoredSubjectKind } from '../collaboration/subject-kind.js';
import { visibleIssues } from './visible-issues.js';
import { ISSUE_COLUMNS, toIssue, type IssueRow } from './issue-row.js';

/** Issues as subjects, as their tables have them. */
export const storedIssues: StoredSubjectKind = {
  kind: 'issue',
  ownRows: (query, ids) =>
    query('issues')
      .whereIn('id', [...ids])
      .select('id'),
  async findAll({ query, dialect }, ids) {
    const rows = (await query('issues')
      .join('projects', 'projects.id', 'issues.project_id')
      .whereIn('issues.id', [...ids])
      .select(...ISSUE_COLUMNS.map((column) => `issues.${column}`), {
        project_path: 'projects.full_path',
      })) as (IssueRow & { readonly project_path: string })[];
    const assigneesOf = await readPeopleOf(query, 'issue_assignees', ids);
    return rows.map((row) =>
      subjectOfIssue({ ...toIssue(row, dialect), projectPath: row.project_path, assignees: assigneesOf(row.id) }),
    );
  },
  visibleAmong: (query, viewer, ids) => visibleIssues(query, viewer).whereIn('issues.id', ids).select('issues.id'),
  participants: (query, id) => [
    query('issues').where({ id }).whereNotNull('author_id').select({ user_id: 'author_id' }),
    query('issue_assignees').where({ issue_id: id }).select('user_id'),
  ],
};
