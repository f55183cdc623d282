import type { Knex } from 'knex';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import { REPORTER } from '../../../../../domain/planning/issue.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import { hasLevel, visibleProjects, wherePermitted } from '../visibility/visible.js';

/** Of the query of an issue: whether somebody is assigned to it. */
export const assignedTo = (query: Knex.QueryBuilder, userId: UserId | 0): Knex.QueryBuilder =>
  query.from('issue_assignees').whereRaw('issue_assignees.issue_id = issues.id').where('user_id', userId);

const fromIssues = (list: Knex.QueryBuilder): Knex.QueryBuilder =>
  list.from('issues').join('projects', 'projects.id', 'issues.project_id');

/**
 * The issues of the projects that the viewer sees, without confidential ones of others below their level.
 * @param from puts into the query what is read, with `issues` and `projects` joined.
 */
export const visibleIssues = (query: Knex, viewer: Viewer, from = fromIssues): Knex.QueryBuilder => {
  const me = viewer.userId ?? 0;
  const list = wherePermitted(visibleProjects(query, viewer, from), viewer, 'read_issues');
  if (viewer.admin) return list;
  return list.where((open) => {
    void open
      .where('issues.confidential', false)
      .orWhere('issues.author_id', me)
      .orWhere(hasLevel(REPORTER))
      .orWhereExists((assigned) => void assignedTo(assigned, me));
  });
};
