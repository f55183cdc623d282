import type { IssueHead } from '../../../../../application/planning/ports/planning-readers.js';
import { together } from '../../../../../application/shared/together.js';
import { chipsOfSubjects } from '../collaboration/labels-of-subjects.js';
import { readPeople } from '../identity/people.js';
import type { Session } from '../session.js';
import { assigneesOfIssues } from './assignees-of-issues.js';
import type { IssueRow } from './issue-row.js';
import { milestoneTitles } from './milestone-row.js';

const COLUMNS = [
  ...(['id', 'iid', 'kind', 'title', 'state', 'severity', 'confidential', 'created_at'] as const),
  ...(['due_date', 'author_id', 'milestone_id'] as const),
] as const;

export type IssueHeadRow = Pick<IssueRow, (typeof COLUMNS)[number]> & { readonly project_path: string };

/** What is read of an issue for its head, with `issues` and `projects` joined. */
export const ISSUE_HEAD = [
  ...COLUMNS.map((column) => `issues.${column}`),
  { project_path: 'projects.full_path' },
] as const;

/** What lists show of issues, in their order: what stands in other tables is read for all of them at once. */
export const headsOf = async (session: Session, rows: readonly IssueHeadRow[]): Promise<readonly IssueHead[]> => {
  const ids = rows.map(({ id }) => id);
  const [labels, authors, assignees, milestones] = await together([
    chipsOfSubjects(session, ids),
    readPeople(
      session,
      rows.map(({ author_id }) => author_id),
    ),
    assigneesOfIssues(session, ids),
    milestoneTitles(
      session,
      rows.map(({ milestone_id }) => milestone_id),
    ),
  ]);
  return rows.map((row) => ({
    id: row.id,
    iid: row.iid,
    projectPath: row.project_path,
    kind: row.kind,
    title: row.title,
    state: row.state,
    severity: row.severity,
    confidential: Boolean(row.confidential),
    createdAt: session.dialect.readInstant(row.created_at),
    dueDate: row.due_date,
    labels: labels.get(row.id) ?? [],
    author: authors.get(row.author_id) ?? null,
    assignees: assignees(row.id),
    milestoneTitle: milestones.get(row.milestone_id ?? 0) ?? null,
  }));
};
