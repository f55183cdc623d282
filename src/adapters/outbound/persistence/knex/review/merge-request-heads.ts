import type { Knex } from 'knex';
import type {
  MergeRequestCounts,
  MergeRequestFilters,
  MergeRequestHead,
  MergeRequestQuery,
} from '../../../../../application/review/ports/merge-request-ports.js';
import { together } from '../../../../../application/shared/together.js';
import { isDraft } from '../../../../../domain/review/merge-request.js';
import { mapPage, type Page } from '../../../../../domain/shared/page.js';
import { chipsOfSubjects, rarestLabel } from '../collaboration/labels-of-subjects.js';
import { countEach } from '../count-up-to.js';
import { orderSubjects } from '../collaboration/order-subjects.js';
import { readPeople } from '../identity/people.js';
import { pageOfRows } from '../page-of-rows.js';
import { milestoneTitles } from '../planning/milestone-row.js';
import type { Session } from '../session.js';
import { headPipelines } from './head-pipelines.js';
import type { MergeRequestRow } from './merge-request-row.js';
import { narrowMergeRequests } from './narrow-merge-requests.js';
import { chosenPeople, countApprovals } from './people-of-merge-requests.js';
import { visibleMergeRequests, visibleMergeRequestsOf } from './visible-merge-requests.js';

const HEAD = [
  ...(['id', 'project_id', 'iid', 'title', 'state', 'source_branch', 'target_branch'] as const),
  ...(['conflicts', 'created_at', 'author_id', 'milestone_id'] as const),
] as const;
type HeadRow = Pick<MergeRequestRow, (typeof HEAD)[number]>;

/** What of a list the viewer may see; in a box, since a query runs where it is awaited. */
const narrowed = async (session: Session, query: MergeRequestFilters): Promise<readonly [Knex.QueryBuilder]> => {
  const { viewer, projectId, labels } = query;
  const rarest = labels && (await rarestLabel(session, labels, projectId));
  const list =
    projectId === undefined
      ? visibleMergeRequests(session.query, viewer)
      : visibleMergeRequestsOf(session.query, viewer, projectId);
  await narrowMergeRequests(session, list, query, rarest);
  return [list];
};

/** How many are in each state; undefined where there are more than `most` together. */
export const countMergeRequests = async (
  session: Session,
  filters: MergeRequestFilters,
  most: number,
): Promise<MergeRequestCounts | undefined> => {
  const [list] = await narrowed(session, filters);
  const counts = await countEach(session, list, { column: 'merge_requests.state', most });
  if (counts === undefined) return undefined;
  const of = (state: keyof MergeRequestCounts): number => counts.get(state) ?? 0;
  return { opened: of('opened'), merged: of('merged'), closed: of('closed') };
};

/** One page of a list of merge requests: the same list, whatever is read of each. */
export const pageOfMergeRequests = async <Row>(
  session: Session,
  query: MergeRequestQuery,
  columns: readonly (string | Readonly<Record<string, Knex.Raw>>)[],
): Promise<Page<Row>> => {
  const [list] = await narrowed(session, query);
  await orderSubjects(session, list.select(columns), 'merge_requests', query);
  return pageOfRows(session, list, query.page, (row: Row) => row);
};

/** One page of a list, without what is not shown of each there. */
export const listMergeRequestHeads = async (
  session: Session,
  query: MergeRequestQuery,
): Promise<Page<MergeRequestHead>> => {
  const columns = HEAD.map((column) => `merge_requests.${column}`);
  const page = await pageOfMergeRequests<HeadRow>(session, query, columns);
  const ids = page.items.map(({ id }) => id);
  if (ids.length === 0) return { ...page, items: [] };
  // None needs what another one finds, and each would wait for a round trip.
  const [paths, authors, assignees, reviewers, labels, approvals, milestones, pipelines] = await together([
    pathsOf(session, page.items),
    readPeople(
      session,
      page.items.map(({ author_id }) => author_id),
    ),
    chosenPeople(session, 'assignees', ids),
    chosenPeople(session, 'reviewers', ids),
    chipsOfSubjects(session, ids),
    countApprovals(session, ids, query.viewer.today),
    milestoneTitles(
      session,
      page.items.map(({ milestone_id }) => milestone_id),
    ),
    headPipelines(session, ids),
  ]);
  return mapPage(page, (row) => ({
    id: row.id,
    iid: row.iid,
    projectPath: paths.get(row.project_id) ?? '',
    title: row.title,
    draft: isDraft(row.title),
    state: row.state,
    sourceBranch: row.source_branch,
    targetBranch: row.target_branch,
    hasConflicts: (JSON.parse(row.conflicts) as string[]).length > 0,
    createdAt: session.dialect.readInstant(row.created_at),
    author: authors.get(row.author_id) ?? null,
    assignees: assignees.get(row.id) ?? [],
    reviewers: reviewers.get(row.id) ?? [],
    labels: labels.get(row.id) ?? [],
    approvals: approvals.get(row.id) ?? 0,
    milestoneTitle: milestones.get(row.milestone_id ?? 0) ?? null,
    pipelineStatus: pipelines.get(row.id)?.status ?? null,
  }));
};

const pathsOf = async ({ query }: Session, rows: readonly HeadRow[]): Promise<ReadonlyMap<number, string>> => {
  const ids = [...new Set(rows.map(({ project_id }) => project_id))];
  const projects = await query('projects').whereIn('id', ids).select('id', 'full_path');
  return new Map(projects.map(({ id, full_path }) => [id, full_path]));
};
