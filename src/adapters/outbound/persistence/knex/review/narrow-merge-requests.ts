import type { Knex } from 'knex';
import type {
  MergeRequestExclusions,
  MergeRequestFilters,
} from '../../../../../application/review/ports/merge-request-ports.js';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import { labelsOf, narrowByLabels, type RareLabel } from '../collaboration/labels-of-subjects.js';
import {
  awardedBy,
  named,
  narrowByChosen,
  narrowByMilestone,
  narrowByReaction,
  narrowBySearch,
  narrowByTime,
  without,
  withoutMilestone,
} from '../collaboration/narrow-subjects.js';
import type { Session } from '../session.js';
import { idsInside } from '../visibility/lineage.js';
import { visibleProjects, wherePermitted } from '../visibility/visible.js';
import { approvalCounts } from './approvals-that-count.js';
import { whichBrought } from './which-brought.js';

type Equal = Readonly<Record<string, string | number | boolean | undefined>>;

/** Leaves the merge requests of a list that a query asks for. */
export const narrowMergeRequests = async (
  session: Session,
  list: Knex.QueryBuilder,
  query: MergeRequestFilters,
  rarestLabel?: RareLabel,
): Promise<void> => {
  const equal: Equal = {
    'merge_requests.state': query.state,
    'merge_requests.author_id': query.authorId,
    'merge_requests.source_branch': query.sourceBranch,
    'merge_requests.target_branch': query.targetBranch,
    'merge_requests.source_project_id': query.sourceProjectId,
    'merge_requests.draft': query.draft,
    'projects.archived': query.archived,
  };
  for (const [column, value] of Object.entries(equal)) if (value !== undefined) void list.where(column, value);
  if (query.iids !== undefined) void list.whereIn('merge_requests.iid', [...query.iids]);
  if (query.within !== undefined) void list.whereIn('projects.namespace_id', idsInside(session.query, query.within));
  await narrowBySearch(session, list, 'merge_requests', query);
  narrowByLabels(list, session, 'merge_requests.id', { ...query, rarest: rarestLabel });
  narrowByTime(session, list, 'merge_requests', query);
  narrowByMilestone(list, 'merge_requests', query);
  narrowByPeople(session, list, query);
  narrowByCode(session, list, query);
  narrowByDeployment(session, list, query);
  narrowByApproval(session, list, query);
  narrowByReaction(session, list, 'merge_requests', query);
  if (query.not !== undefined) exclude(session, list, query.not, query.viewer);
};

const chosenAs = ({ query }: Session, kind: 'assignees' | 'reviewers'): Knex.QueryBuilder =>
  query(`merge_request_${kind}`).select('merge_request_id');

const narrowByPeople = (session: Session, list: Knex.QueryBuilder, query: MergeRequestFilters): void => {
  const { authorUsername, mergeUserId, mergeUsername, assigned, reviewed } = query;
  if (authorUsername !== undefined) void list.whereIn('merge_requests.author_id', named(session, [authorUsername]));
  if (mergeUserId !== undefined) void list.where('merge_requests.merged_by_id', mergeUserId);
  if (mergeUsername !== undefined) void list.whereIn('merge_requests.merged_by_id', named(session, [mergeUsername]));
  const { assigneeId, assigneeUsernames, reviewerId, reviewerUsername } = query;
  const chosen = {
    assignees: { id: assigneeId, usernames: assigneeUsernames, some: assigned },
    reviewers: { id: reviewerId, usernames: listOf(reviewerUsername), some: reviewed },
  };
  for (const kind of ['assignees', 'reviewers'] as const)
    narrowByChosen(session, list, { column: 'merge_requests.id', among: () => chosenAs(session, kind) }, chosen[kind]);
};

const listOf = <Item>(item: Item | undefined): readonly Item[] => (item === undefined ? [] : [item]);

const narrowByApproval = (session: Session, list: Knex.QueryBuilder, query: MergeRequestFilters): void => {
  const { query: knex } = session;
  const approvals = () => knex('merge_request_approvals').select('merge_request_id');
  const { approvedByIds = [], approvedByUsernames = [], approvedByAnybody: anybody, approved } = query;
  for (const userId of approvedByIds) void list.whereIn('merge_requests.id', approvals().where({ user_id: userId }));
  for (const username of approvedByUsernames)
    void list.whereIn('merge_requests.id', approvals().whereIn('user_id', named(session, [username])));
  if (anybody === true) void list.whereIn('merge_requests.id', approvals());
  if (anybody === false) void list.whereNotIn('merge_requests.id', approvals());
  if (approved === undefined) return;
  const counts = approvalCounts(query.viewer.today);
  const count = `(select count(*) from merge_request_approvals where merge_request_id = merge_requests.id and ${counts.text})`;
  const required = '(select approvals_before_merge from projects where projects.id = merge_requests.project_id)';
  const enough = `${count} >= (case when ${required} > 0 then ${required} else 1 end)`;
  void list.whereRaw(`${approved ? '' : 'not '}(${enough})`, counts.bindings as Knex.RawBinding[]);
};

const excludeChosen = (
  session: Session,
  among: (ids: Knex.QueryBuilder) => void,
  { assigneeId, assigneeUsernames, reviewerId, reviewerUsername }: MergeRequestExclusions,
): void => {
  const chosen = {
    assignees: { id: assigneeId, usernames: assigneeUsernames },
    reviewers: { id: reviewerId, usernames: listOf(reviewerUsername) },
  };
  for (const kind of ['assignees', 'reviewers'] as const) {
    const { id, usernames = [] } = chosen[kind];
    if (id !== undefined) among(chosenAs(session, kind).where({ user_id: id }));
    if (usernames.length > 0) among(chosenAs(session, kind).whereIn('user_id', named(session, usernames)));
  }
};

/** Leaves out what has one of these. */
const exclude = (
  session: Session,
  list: Knex.QueryBuilder,
  { labels, reaction, ...not }: MergeRequestExclusions,
  viewer: Viewer,
): void => {
  const columns = {
    author_id: not.authorId,
    source_branch: not.sourceBranch,
    target_branch: not.targetBranch,
  };
  for (const [column, value] of Object.entries(columns))
    if (value !== undefined) without(list, `merge_requests.${column}`, value);
  if (not.authorUsername !== undefined) without(list, 'merge_requests.author_id', named(session, [not.authorUsername]));
  withoutMilestone(session, list, 'merge_requests', { ...not, viewer });
  const among = (ids: Knex.QueryBuilder) => void list.whereNotIn('merge_requests.id', ids);
  excludeChosen(session, among, not);
  if (reaction !== undefined) among(awardedBy(session, viewer.userId).where({ name: reaction }));
  if (labels !== undefined)
    void list.whereNotExists((any) => void labelsOf(any, 'merge_requests.id').whereIn('labels.name', [...labels]));
};

const narrowByCode = ({ query: knex }: Session, list: Knex.QueryBuilder, query: MergeRequestFilters): void => {
  const { issue, commits } = query;
  if (issue !== undefined) {
    const naming = knex('merge_request_issues').where({ issue_id: issue.id }).select('merge_request_id');
    void list.whereIn('merge_requests.id', issue.closing ? naming.where({ closes: true }) : naming);
  }
  if (commits !== undefined) void whichBrought(knex, list, commits);
};

/** By deployments that succeeded, as far as the viewer may know of them. */
const narrowByDeployment = (
  { query: knex, dialect }: Session,
  list: Knex.QueryBuilder,
  { deployed, projectId, viewer }: MergeRequestFilters,
): void => {
  if (deployed === undefined) return;
  const { environment, after, before } = deployed;
  const known = wherePermitted(visibleProjects(knex, viewer), viewer, 'read_pipelines').select('projects.id');
  const brought = knex('deployed_merge_requests')
    .join('deployments', 'deployments.id', 'deployed_merge_requests.deployment_id')
    .where('deployments.status', 'success')
    .whereIn('deployments.project_id', known)
    .select('deployed_merge_requests.merge_request_id');
  if (projectId !== undefined) void brought.where('deployments.project_id', projectId);
  if (environment !== undefined)
    void brought
      .join('environments', 'environments.id', 'deployments.environment_id')
      .where('environments.name', environment);
  if (after !== undefined) void brought.where('deployments.finished_at', '>=', dialect.writeInstant(after));
  if (before !== undefined) void brought.where('deployments.finished_at', '<=', dialect.writeInstant(before));
  void list.whereIn('merge_requests.id', brought);
};
