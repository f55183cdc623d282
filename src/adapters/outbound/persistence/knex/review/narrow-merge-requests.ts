import type { Knex } from 'knex';
import type { MergeRequestQuery } from '../../../../../application/review/ports/merge-request-ports.js';
import { narrowByLabels } from '../collaboration/labels-of-subjects.js';
import type { Session } from '../session.js';
import { containsPattern } from '../text-search.js';
import { idsInside } from '../visibility/lineage.js';

type Equal = Readonly<Record<string, string | number | boolean | undefined>>;

/** Leaves the merge requests of a list that a query asks for. */
export const narrowMergeRequests = (session: Session, list: Knex.QueryBuilder, query: MergeRequestQuery): void => {
  const equal: Equal = {
    'merge_requests.project_id': query.projectId,
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
  if (query.search !== undefined)
    void list.whereRaw("merge_requests.search_key like ? escape '\\'", [containsPattern(query.search)]);
  narrowByLabels(list, session.query, 'merge_requests.id', query);
  narrowByTime(session, list, query);
  narrowByMilestone(list, query);
  narrowByPeople(session, list, query);
  narrowByCode(session, list, query);
};

const narrowByTime = ({ dialect }: Session, list: Knex.QueryBuilder, query: MergeRequestQuery): void => {
  const bounds = [
    ['created_at', '>=', query.createdAfter],
    ['created_at', '<=', query.createdBefore],
    ['updated_at', '>=', query.updatedAfter],
    ['updated_at', '<=', query.updatedBefore],
  ] as const;
  for (const [column, sign, at] of bounds)
    if (at !== undefined) void list.where(`merge_requests.${column}`, sign, dialect.writeInstant(at));
};

const narrowByMilestone = (list: Knex.QueryBuilder, { milestoneTitle, planned }: MergeRequestQuery): void => {
  if (milestoneTitle !== undefined)
    void list
      .join('milestones', 'milestones.id', 'merge_requests.milestone_id')
      .where('milestones.title', milestoneTitle);
  if (planned === true) void list.whereNotNull('merge_requests.milestone_id');
  if (planned === false) void list.whereNull('merge_requests.milestone_id');
};

const narrowByPeople = ({ query: knex }: Session, list: Knex.QueryBuilder, query: MergeRequestQuery): void => {
  const named = (username: string) => knex('users').where({ username_key: username.toLowerCase() }).select('id');
  const people = (kind: 'assignees' | 'reviewers') => knex(`merge_request_${kind}`).select('merge_request_id');
  const { authorUsername, assigneeId, assigned, reviewerId, reviewerUsername, reviewed } = query;
  const among = (kind: 'assignees' | 'reviewers', some: boolean | undefined): void => {
    if (some === true) void list.whereIn('merge_requests.id', people(kind));
    if (some === false) void list.whereNotIn('merge_requests.id', people(kind));
  };
  if (authorUsername !== undefined) void list.whereIn('merge_requests.author_id', named(authorUsername));
  if (assigneeId !== undefined)
    void list.whereIn('merge_requests.id', people('assignees').where({ user_id: assigneeId }));
  if (reviewerId !== undefined)
    void list.whereIn('merge_requests.id', people('reviewers').where({ user_id: reviewerId }));
  if (reviewerUsername !== undefined)
    void list.whereIn('merge_requests.id', people('reviewers').whereIn('user_id', named(reviewerUsername)));
  among('assignees', assigned);
  among('reviewers', reviewed);
};

const narrowByCode = ({ query: knex }: Session, list: Knex.QueryBuilder, query: MergeRequestQuery): void => {
  const { issue, commit } = query;
  if (issue !== undefined) {
    const naming = knex('merge_request_issues').where({ issue_id: issue.id }).select('merge_request_id');
    void list.whereIn('merge_requests.id', issue.closing ? naming.where({ closes: true }) : naming);
  }
  if (commit !== undefined)
    void list.where((brought) => {
      void brought
        .where('merge_requests.merge_commit_sha', commit)
        .orWhere('merge_requests.squash_commit_sha', commit)
        .orWhereIn(
          'merge_requests.id',
          knex('merge_request_versions').where({ head_sha: commit }).select('merge_request_id'),
        );
    });
};
