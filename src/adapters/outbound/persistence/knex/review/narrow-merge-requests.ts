import type { Knex } from 'knex';
import type {
  MergeRequestExclusions,
  MergeRequestQuery,
} from '../../../../../application/review/ports/merge-request-ports.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import { labelsOf, narrowByLabels, type RareLabel } from '../collaboration/labels-of-subjects.js';
import { narrowByGrams } from '../narrow-by-grams.js';
import type { Session } from '../session.js';
import { containsPattern } from '../text-search.js';
import { idsInside } from '../visibility/lineage.js';

type Equal = Readonly<Record<string, string | number | boolean | undefined>>;

/** Leaves the merge requests of a list that a query asks for. */
export const narrowMergeRequests = async (
  session: Session,
  list: Knex.QueryBuilder,
  query: MergeRequestQuery,
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
  await narrowBySearch(session, list, query);
  narrowByLabels(list, session, 'merge_requests.id', { ...query, rarest: rarestLabel });
  narrowByTime(session, list, query);
  narrowByMilestone(list, query);
  narrowByPeople(session, list, query);
  narrowByCode(session, list, query);
  narrowByApproval(session, list, query);
  narrowByReaction(session, list, query);
  if (query.not !== undefined) exclude(session, list, query.not, query.viewer.userId ?? 0);
};

/** The title is the first line of what is searched. */
const narrowBySearch = async (
  session: Session,
  list: Knex.QueryBuilder,
  { search, searchIn }: MergeRequestQuery,
): Promise<void> => {
  if (search === undefined) return;
  const key = 'merge_requests.search_key';
  const end = session.dialect.indexIn(key);
  const parts = { title: `substr(${key}, 1, ${end})`, description: `substr(${key}, ${end} + 1)` };
  const searched = searchIn === undefined ? { text: key, ends: [] } : { text: parts[searchIn], ends: ['\n'] };
  void list.whereRaw(`${searched.text} like ? escape '\\'`, [...searched.ends, containsPattern(search)]);
  await narrowByGrams(list, session, { index: 'merge_request_search', column: 'merge_requests.id', search });
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

const named = ({ query }: Session, usernames: readonly string[]): Knex.QueryBuilder =>
  query('users')
    .whereIn(
      'username_key',
      usernames.map((username) => username.toLowerCase()),
    )
    .select('id');

const chosenAs = ({ query }: Session, kind: 'assignees' | 'reviewers'): Knex.QueryBuilder =>
  query(`merge_request_${kind}`).select('merge_request_id');

const narrowByPeople = (session: Session, list: Knex.QueryBuilder, query: MergeRequestQuery): void => {
  const { authorUsername, mergeUserId, mergeUsername, assigned, reviewed } = query;
  const chosen = {
    assignees: { id: query.assigneeId, username: query.assigneeUsername, some: assigned },
    reviewers: { id: query.reviewerId, username: query.reviewerUsername, some: reviewed },
  };
  if (authorUsername !== undefined) void list.whereIn('merge_requests.author_id', named(session, [authorUsername]));
  if (mergeUserId !== undefined) void list.where('merge_requests.merged_by_id', mergeUserId);
  if (mergeUsername !== undefined) void list.whereIn('merge_requests.merged_by_id', named(session, [mergeUsername]));
  for (const kind of ['assignees', 'reviewers'] as const) {
    const { id, username, some } = chosen[kind];
    const people = () => chosenAs(session, kind);
    if (id !== undefined) void list.whereIn('merge_requests.id', people().where({ user_id: id }));
    if (username !== undefined)
      void list.whereIn('merge_requests.id', people().whereIn('user_id', named(session, [username])));
    if (some === true) void list.whereIn('merge_requests.id', people());
    if (some === false) void list.whereNotIn('merge_requests.id', people());
  }
};

const narrowByApproval = (session: Session, list: Knex.QueryBuilder, query: MergeRequestQuery): void => {
  const { query: knex } = session;
  const approvals = () => knex('merge_request_approvals').select('merge_request_id');
  const { approvedByIds = [], approvedByUsernames = [], approvedByAnybody: anybody, approved } = query;
  for (const userId of approvedByIds) void list.whereIn('merge_requests.id', approvals().where({ user_id: userId }));
  for (const username of approvedByUsernames)
    void list.whereIn('merge_requests.id', approvals().whereIn('user_id', named(session, [username])));
  if (anybody === true) void list.whereIn('merge_requests.id', approvals());
  if (anybody === false) void list.whereNotIn('merge_requests.id', approvals());
  if (approved === undefined) return;
  const count = `(select count(*) from merge_request_approvals where merge_request_id = merge_requests.id)`;
  const required = '(select approvals_before_merge from projects where projects.id = merge_requests.project_id)';
  void list.whereRaw(`${approved ? '' : 'not '}(${count} > 0 and ${count} >= ${required})`);
};

const awardedBy = ({ query }: Session, userId: UserId | 0): Knex.QueryBuilder =>
  query('awards').where('user_id', userId).whereNull('note_id').select('subject_id');

const narrowByReaction = (
  session: Session,
  list: Knex.QueryBuilder,
  { viewer, reaction, reacted }: MergeRequestQuery,
): void => {
  const mine = () => awardedBy(session, viewer.userId ?? 0);
  if (reaction !== undefined) void list.whereIn('merge_requests.id', mine().where({ name: reaction }));
  if (reacted === true) void list.whereIn('merge_requests.id', mine());
  if (reacted === false) void list.whereNotIn('merge_requests.id', mine());
};

/** Leaves out what has one of these. */
const exclude = (
  session: Session,
  list: Knex.QueryBuilder,
  { labels, milestoneTitle, reaction, ...not }: MergeRequestExclusions,
  viewerId: UserId | 0,
): void => {
  const { query } = session;
  const columns = {
    author_id: not.authorId,
    source_branch: not.sourceBranch,
    target_branch: not.targetBranch,
  };
  for (const [column, value] of Object.entries(columns))
    if (value !== undefined)
      void list.where((other) => {
        void other.whereNot(`merge_requests.${column}`, value).orWhereNull(`merge_requests.${column}`);
      });
  const without = (ids: Knex.QueryBuilder) => void list.whereNotIn('merge_requests.id', ids);
  if (not.authorUsername !== undefined)
    void list.where((other) => {
      void other
        .whereNotIn('merge_requests.author_id', named(session, [not.authorUsername ?? '']))
        .orWhereNull('merge_requests.author_id');
    });
  for (const kind of ['assignee', 'reviewer'] as const) {
    const people = chosenAs(session, `${kind}s`);
    const [id, username] = [not[`${kind}Id`], not[`${kind}Username`]];
    if (id !== undefined) without(people.clone().where({ user_id: id }));
    if (username !== undefined) without(people.clone().whereIn('user_id', named(session, [username])));
  }
  if (reaction !== undefined) without(awardedBy(session, viewerId).where({ name: reaction }));
  if (milestoneTitle !== undefined)
    void list.where((other) => {
      void other
        .whereNotIn('merge_requests.milestone_id', query('milestones').where({ title: milestoneTitle }).select('id'))
        .orWhereNull('merge_requests.milestone_id');
    });
  if (labels !== undefined)
    void list.whereNotExists((any) => void labelsOf(any, 'merge_requests.id').whereIn('labels.name', [...labels]));
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
