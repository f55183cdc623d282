import type { Knex } from 'knex';
import type { LabelCounts } from '../../../../../application/planning/ports/planning-overview.js';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import { REPORTER, type IssueState } from '../../../../../domain/planning/issue.js';
import { COUNT_LIMIT } from '../../../../../domain/shared/page.js';
import type { Session } from '../session.js';
import { keptForViewers } from '../visibility/kept-for-viewers.js';
import { visibleProjects, whetherLevel, whetherPermitted } from '../visibility/visible.js';
import { assignedTo } from './visible-issues.js';

interface CountsRow {
  readonly id: number;
  readonly open_issues: number | string;
  readonly closed_issues: number | string;
  readonly open_merge_requests: number | string;
}

/** What has the label of a row of `seen`. */
const labelled = (query: Knex, table: 'issues' | 'merge_requests', state: IssueState): Knex.QueryBuilder =>
  query
    .from('subject_labels')
    .join(table, `${table}.id`, 'subject_labels.subject_id')
    .whereRaw('subject_labels.label_id = seen.id')
    .andWhere(`${table}.state`, state);

/** Confidential issues count for whoever is shown them. */
const issuesIn = (query: Knex, { userId }: Viewer, state: IssueState): Knex.QueryBuilder =>
  labelled(query, 'issues', state)
    .andWhereRaw('seen.shows_issues = 1')
    .andWhere((told) => {
      void told
        .whereRaw('seen.reports = 1')
        .orWhere('issues.confidential', false)
        .orWhere('issues.author_id', userId ?? 0)
        .orWhereExists((assigned) => void assignedTo(assigned, userId ?? 0));
    });

const mergeRequestsIn = (query: Knex): Knex.QueryBuilder =>
  labelled(query, 'merge_requests', 'opened').andWhereRaw('seen.shows_merge_requests = 1');

const countsIn = keptForViewers<CountsRow>((query, viewer, among) => {
  const seen = visibleProjects(query, viewer, (list) =>
    list.from('labels').join('projects', 'projects.id', 'labels.project_id'),
  )
    .where(among('labels.id'))
    .select('labels.id', {
      shows_issues: whetherPermitted(query, viewer, 'read_issues'),
      shows_merge_requests: whetherPermitted(query, viewer, 'read_merge_requests'),
      reports: viewer.admin ? query.raw('1') : whetherLevel(query, REPORTER),
    });
  const count = (things: Knex.QueryBuilder): Knex.QueryBuilder =>
    query
      .from(
        things
          .limit(COUNT_LIMIT)
          .select({ one: query.raw('1') })
          .as('counted'),
      )
      .count('*');
  return query.from(seen.as('seen')).select('seen.id', {
    open_issues: count(issuesIn(query, viewer, 'opened')),
    closed_issues: count(issuesIn(query, viewer, 'closed')),
    open_merge_requests: count(mergeRequestsIn(query)),
  });
});

/** What has some labels, of what the viewer sees, by the ids of the labels. */
export const labelCounts = async (
  session: Session,
  viewer: Viewer,
  labelIds: readonly number[],
): Promise<ReadonlyMap<number, LabelCounts>> => {
  const rows = await countsIn(session, viewer, labelIds);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        openIssues: Number(row.open_issues),
        closedIssues: Number(row.closed_issues),
        openMergeRequests: Number(row.open_merge_requests),
      },
    ]),
  );
};
