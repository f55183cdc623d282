import { Type } from '@sinclair/typebox';
import type { IssueDetails } from '../../../../../application/planning/ports/planning-readers.js';
import { nullable } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { presentTasks, TaskCompletionSchema } from '../collaboration/task-schema.js';
import { presentTime, TimeStatsSchema } from '../collaboration/time-schema.js';
import { LABELS_SHOWN, presentLabels, type WithLabelDetails } from '../labels/label-details.js';
import { MilestoneSchema, presentMilestone } from '../milestones/milestone-schema.js';
import { presentReferences, type AskedPlace } from '../collaboration/references.js';
import { presentPerson } from '../users/present-user.js';
import { BasicUserSchema } from '../users/user-schema.js';
import { component } from '../../openapi/component.js';

const address = Type.String();
const instant = Type.String({ format: 'date-time' });

export const IssueSchema = component(
  'schemas/Issue',
  Type.Object({
    id: Type.Integer(),
    iid: Type.Integer({ description: 'Counted within the project' }),
    project_id: Type.Integer(),
    title: Type.String(),
    description: Type.String(),
    state: Type.String({ description: 'opened or closed' }),
    type: Type.String({ description: 'ISSUE or INCIDENT' }),
    issue_type: Type.String({ description: 'issue or incident' }),
    severity: Type.String({ description: 'Of an incident, in capitals' }),
    confidential: Type.Boolean(),
    discussion_locked: nullable(Type.Boolean({ description: 'Whether only members may comment' })),
    due_date: nullable(Type.String({ format: 'date' })),
    labels: LABELS_SHOWN,
    milestone: nullable(MilestoneSchema),
    author: BasicUserSchema,
    assignees: Type.Array(BasicUserSchema),
    assignee: nullable(BasicUserSchema),
    created_at: instant,
    updated_at: instant,
    closed_at: nullable(instant),
    closed_by: nullable(BasicUserSchema),
    subscribed: Type.Optional(Type.Boolean({ description: 'Of one issue: whether you are mailed about it' })),
    user_notes_count: Type.Integer(),
    merge_requests_count: Type.Integer({ description: 'Merge requests that close it once they are merged' }),
    upvotes: Type.Integer(),
    downvotes: Type.Integer(),
    time_stats: TimeStatsSchema,
    task_completion_status: TaskCompletionSchema,
    has_tasks: Type.Boolean(),
    _links: Type.Object({ self: address, notes: address, award_emoji: address, project: address }),
    moved_to_id: nullable(Type.Integer({ description: 'Id of the issue that it went on as, in another project' })),
    web_url: Type.String(),
    references: Type.Object({ short: Type.String(), relative: Type.String(), full: Type.String() }),
  }),
);

const presentLinks = ({ projectId, iid }: IssueDetails, urls: WebUrls) => {
  const project = urls.api(`/projects/${projectId}`);
  const self = `${project}/issues/${iid}`;
  return { self, notes: `${self}/notes`, award_emoji: `${self}/award_emoji`, project };
};

/** @param place where it is asked for; without it references are given in full. */
export const presentIssue = (issue: WithLabelDetails<IssueDetails>, urls: WebUrls, place?: AskedPlace) => {
  const assignees = issue.assignees.map((person) => presentPerson(person, urls));
  const tasks = presentTasks(issue.description);
  return {
    id: issue.id,
    iid: issue.iid,
    project_id: issue.projectId,
    title: issue.title,
    description: issue.description,
    state: issue.state,
    type: issue.kind.toUpperCase(),
    issue_type: issue.kind,
    severity: (issue.severity ?? 'unknown').toUpperCase(),
    confidential: issue.confidential,
    discussion_locked: issue.discussionLocked,
    due_date: issue.dueDate,
    labels: presentLabels(issue),
    milestone: issue.milestone && presentMilestone({ ...issue.milestone, projectPath: issue.projectPath }, urls),
    author: presentPerson(issue.author, urls),
    assignees,
    assignee: assignees[0] ?? null,
    created_at: issue.createdAt.toISOString(),
    updated_at: issue.updatedAt.toISOString(),
    closed_at: issue.closedAt?.toISOString() ?? null,
    closed_by: issue.state === 'closed' ? presentPerson(issue.closedBy, urls) : null,
    user_notes_count: issue.userNotesCount,
    merge_requests_count: issue.mergeRequestsCount,
    upvotes: issue.upvotes,
    downvotes: issue.downvotes,
    time_stats: presentTime(issue.time),
    task_completion_status: tasks,
    has_tasks: tasks.count > 0,
    _links: presentLinks(issue, urls),
    moved_to_id: issue.movedToId,
    web_url: urls.issue(issue.projectPath, issue.iid),
    references: presentReferences(`#${issue.iid}`, issue.projectPath, place),
  };
};

/** One that is asked for by its own project. */
export const presentOwnIssue = (issue: WithLabelDetails<IssueDetails>, urls: WebUrls) =>
  presentIssue(issue, urls, { project: issue.projectPath });
