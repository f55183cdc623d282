import type { Knex } from 'knex';
import type { IssueExclusions, IssueFilters } from '../../../../../application/planning/ports/planning-readers.js';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import { labelsOf, narrowByLabels, rarestLabel } from '../collaboration/labels-of-subjects.js';
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
import { whereWord } from '../written-out.js';

/** Leaves the issues of a list that a query asks for. */
export const narrowIssues = async (session: Session, list: Knex.QueryBuilder, filters: IssueFilters): Promise<void> => {
  const { labels, projectId, within, iids, not, viewer } = filters;
  const equal: Readonly<Record<string, string | number | boolean | undefined>> = {
    'issues.project_id': projectId,
    'issues.kind': filters.kind,
    'issues.author_id': filters.authorId,
    'issues.confidential': filters.confidential,
    'projects.archived': filters.archived,
  };
  for (const [column, value] of Object.entries(equal)) if (value !== undefined) void list.where(column, value);
  if (filters.state !== undefined) void whereWord(list, 'issues.state', filters.state);
  if (within !== undefined) void list.whereIn('projects.namespace_id', idsInside(session.query, within));
  if (iids !== undefined) void list.whereIn('issues.iid', [...iids]);
  const rarest = labels && (await rarestLabel(session, labels, projectId));
  narrowByLabels(list, session, 'issues.id', { ...filters, rarest });
  await narrowBySearch(session, list, 'issues', filters);
  narrowByTime(session, list, 'issues', filters);
  narrowByMilestone(list, 'issues', filters);
  narrowByPeople(session, list, filters);
  narrowByDueDate(list, filters);
  narrowByReaction(session, list, 'issues', filters);
  if (not !== undefined) exclude(session, list, not, viewer);
};

const assigned = ({ query }: Session): Knex.QueryBuilder => query('issue_assignees').select('issue_id');

const narrowByPeople = (session: Session, list: Knex.QueryBuilder, filters: IssueFilters): void => {
  const { authorUsername, assigneeId: id, assigneeUsernames: usernames, assigned: some } = filters;
  if (authorUsername !== undefined) void list.whereIn('issues.author_id', named(session, [authorUsername]));
  narrowByChosen(session, list, { column: 'issues.id', among: () => assigned(session) }, { id, usernames, some });
};

const narrowByDueDate = (list: Knex.QueryBuilder, { due, dueFrom, dueTo }: IssueFilters): void => {
  if (due === true) void list.whereNotNull('issues.due_date');
  if (due === false) void list.whereNull('issues.due_date');
  if (dueFrom !== undefined) void list.where('issues.due_date', '>=', dueFrom);
  if (dueTo !== undefined) void list.where('issues.due_date', '<=', dueTo);
};

/** Leaves out what has one of these. */
const exclude = (
  session: Session,
  list: Knex.QueryBuilder,
  { labels, reaction, iids, ...not }: IssueExclusions,
  viewer: Viewer,
): void => {
  if (not.authorId !== undefined) without(list, 'issues.author_id', not.authorId);
  if (not.authorUsername !== undefined) without(list, 'issues.author_id', named(session, [not.authorUsername]));
  withoutMilestone(session, list, 'issues', { ...not, viewer });
  if (iids !== undefined) void list.whereNotIn('issues.iid', [...iids]);
  const among = (ids: Knex.QueryBuilder) => void list.whereNotIn('issues.id', ids);
  if (not.assigneeId !== undefined) among(assigned(session).where({ user_id: not.assigneeId }));
  if (not.assigneeUsernames !== undefined)
    among(assigned(session).whereIn('user_id', named(session, not.assigneeUsernames)));
  if (reaction !== undefined) among(awardedBy(session, viewer.userId).where({ name: reaction }));
  if (labels !== undefined)
    void list.whereNotExists((any) => void labelsOf(any, 'issues.id').whereIn('labels.name', [...labels]));
};
