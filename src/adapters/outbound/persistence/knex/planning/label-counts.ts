import type { Knex } from 'knex';
import type { LabelCounts } from '../../../../../application/planning/ports/planning-overview.js';
import { together } from '../../../../../application/shared/together.js';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import { REPORTER, type IssueState } from '../../../../../domain/planning/issue.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { COUNT_LIMIT } from '../../../../../domain/shared/page.js';
import type { Session } from '../session.js';
import { keptForViewers } from '../visibility/kept-for-viewers.js';
import { visibleProjects, whetherLevel, whetherPermitted } from '../visibility/visible.js';
import { GROUP_LABEL_IDS, groupLabelIn, idOfLabel } from './label-ids.js';
import { assignedTo } from './visible-issues.js';

interface CountsRow {
  readonly id: number;
  readonly open_issues: number | string;
  readonly closed_issues: number | string;
  readonly open_merge_requests: number | string;
}

/** What has the labels that are counted together. */
type Labelled = (table: 'issues' | 'merge_requests', state: IssueState) => Knex.QueryBuilder;

/** Confidential issues count for whoever is shown them. */
const issuesIn = (labelled: Labelled, { userId }: Viewer, state: IssueState): Knex.QueryBuilder =>
  labelled('issues', state)
    .andWhereRaw('seen.shows_issues = 1')
    .andWhere((told) => {
      void told
        .whereRaw('seen.reports = 1')
        .orWhere('issues.confidential', false)
        .orWhere('issues.author_id', userId ?? 0)
        .orWhereExists((assigned) => void assignedTo(assigned, userId ?? 0));
    });

const mergeRequestsIn = (labelled: Labelled): Knex.QueryBuilder =>
  labelled('merge_requests', 'opened').andWhereRaw('seen.shows_merge_requests = 1');

/** `seen (id, group_label_id, …)`: rows of labels in projects that the viewer sees, with what of these is open to them. */
const seenLabels = (query: Knex, viewer: Viewer): Knex.QueryBuilder =>
  visibleProjects(query, viewer, (list) =>
    list.from('labels').join('projects', 'projects.id', 'labels.project_id'),
  ).select('labels.id', 'labels.group_label_id', {
    shows_issues: whetherPermitted(query, viewer, 'read_issues'),
    shows_merge_requests: whetherPermitted(query, viewer, 'read_merge_requests'),
    reports: viewer.admin ? query.raw('1') : whetherLevel(query, REPORTER),
  });

const countOf = (query: Knex, things: Knex.QueryBuilder): Knex.QueryBuilder =>
  query
    .from(
      things
        .limit(COUNT_LIMIT)
        .select({ one: query.raw('1') })
        .as('counted'),
    )
    .count('*');

const countsOf = (query: Knex, viewer: Viewer, labelled: Labelled) => ({
  open_issues: countOf(query, issuesIn(labelled, viewer, 'opened')),
  closed_issues: countOf(query, issuesIn(labelled, viewer, 'closed')),
  open_merge_requests: countOf(query, mergeRequestsIn(labelled)),
});

const countsIn = keptForViewers<CountsRow>((query, viewer, among) => {
  const seen = seenLabels(query, viewer).where(among('labels.id'));
  const labelled: Labelled = (table, state) =>
    query
      .from('subject_labels')
      .join(table, `${table}.id`, 'subject_labels.subject_id')
      .whereRaw('subject_labels.label_id = seen.id')
      .andWhere(`${table}.state`, state);
  return query.from(seen.as('seen')).select('seen.id', countsOf(query, viewer, labelled));
});

/** Of labels of groups, by the ids of these, in all projects together. */
const countsOfGroups = keptForViewers<CountsRow>((query, viewer, among) => {
  const seen = seenLabels(query, viewer).where(among('labels.group_label_id'));
  // Its rows first, and of each what has it: SQLite takes what is joined so in the order in which it stands.
  const labelled: Labelled = (table, state) =>
    query
      .from('seen')
      .crossJoin('subject_labels' as never)
      .join(table, `${table}.id`, 'subject_labels.subject_id')
      .whereRaw('seen.group_label_id = group_labels.id and subject_labels.label_id = seen.id')
      .andWhere(`${table}.state`, state);
  return query
    .with('seen', seen)
    .from('group_labels')
    .where(among('group_labels.id'))
    .select('group_labels.id', countsOf(query, viewer, labelled));
});

const toCounts = (row: CountsRow): LabelCounts => ({
  openIssues: Number(row.open_issues),
  closedIssues: Number(row.closed_issues),
  openMergeRequests: Number(row.open_merge_requests),
});

/** Ids as everybody knows them: those of labels of projects, and those of rows of labels of groups. */
const apart = (labelIds: readonly number[]) => ({
  own: labelIds.filter((id) => groupLabelIn(id) === undefined),
  ofGroups: labelIds.flatMap((id) => groupLabelIn(id) ?? []),
});

/** What has some labels, of what the viewer sees, by the ids of the labels. */
export const labelCounts = async (
  session: Session,
  viewer: Viewer,
  labelIds: readonly number[],
): Promise<ReadonlyMap<number, LabelCounts>> => {
  const { own, ofGroups } = apart(labelIds);
  const [rows, rowsOfGroups] = await together([
    countsIn(session, viewer, own),
    countsOfGroups(session, viewer, ofGroups),
  ]);
  return new Map([
    ...rows.map((row) => [row.id, toCounts(row)] as const),
    ...rowsOfGroups.map((row) => [GROUP_LABEL_IDS + row.id, toCounts(row)] as const),
  ]);
};

/** The same of what is in one project. */
export const labelCountsIn = async (
  session: Session,
  viewer: Viewer,
  labelIds: readonly number[],
  projectId: ProjectId,
): Promise<ReadonlyMap<number, LabelCounts>> => {
  const { own, ofGroups } = apart(labelIds);
  const used =
    ofGroups.length === 0
      ? []
      : await session
          .query('labels')
          .where({ project_id: projectId })
          .whereIn('group_label_id', ofGroups)
          .select('id', 'group_label_id');
  const known = new Map(used.map((row) => [row.id, idOfLabel(row)]));
  const rows = await countsIn(session, viewer, [...own, ...known.keys()]);
  return new Map(rows.map((row) => [known.get(row.id) ?? row.id, toCounts(row)]));
};
