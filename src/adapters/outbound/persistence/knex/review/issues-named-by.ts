import type { NamedIssue } from '../../../../../application/review/ports/merge-request-ports.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';

interface Row {
  readonly project_id: ProjectId;
  readonly iid: number;
  readonly full_path: string;
}

/** The issues that the text of a merge request names; with `closes`, those that it says it closes. */
export const issuesNamedBy = async (
  { query }: Session,
  where: { readonly merge_request_id: number; readonly closes?: boolean },
): Promise<readonly NamedIssue[]> => {
  const rows = (await query('merge_request_issues')
    .join('issues', 'issues.id', 'merge_request_issues.issue_id')
    .join('projects', 'projects.id', 'issues.project_id')
    .where(where)
    .orderBy('issues.id')
    .select('issues.project_id', 'issues.iid', 'projects.full_path')) as Row[];
  return rows.map(({ project_id: projectId, iid, full_path: projectPath }) => ({ projectId, projectPath, iid }));
};
