import { Type } from '@sinclair/typebox';
import { decideMerge } from '../../../../../domain/review/merge-decision.js';
import { isDraft, squashes, type MergeStatus } from '../../../../../domain/review/merge-request.js';
import { factsOf } from '../../../../../application/review/operations/facts.js';
import type { PipelineDetails } from '../../../../../application/pipelines/ports/pipeline-ports.js';
import type {
  MergeRequestDetails,
  Person,
  Version,
} from '../../../../../application/review/ports/merge-request-ports.js';
import { presentTasks, TaskCompletionSchema } from '../collaboration/task-schema.js';
import { presentTime, TimeStatsSchema } from '../collaboration/time-schema.js';
import { component } from '../../openapi/component.js';
import { nullable } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { presentPerson } from '../users/present-user.js';
import {
  BasicPipelineSchema,
  PipelineSchema,
  presentBasicPipeline,
  presentPipeline,
} from '../pipelines/pipeline-schema.js';
import { presentReferences, type AskedPlace } from '../collaboration/references.js';
import { LABELS_SHOWN, presentLabels, type WithLabelDetails } from '../labels/label-details.js';
import { MilestoneSchema, presentMilestone } from '../milestones/milestone-schema.js';
import { BasicUserSchema } from '../users/user-schema.js';

const instant = Type.String({ format: 'date-time' });
const person = nullable(BasicUserSchema);
const perhaps = nullable(Type.String());

const LISTED = {
  id: Type.Integer(),
  iid: Type.Integer({ description: 'Counted within the project' }),
  project_id: Type.Integer({ description: 'The project that it is to be merged into' }),
  title: Type.String(),
  description: Type.String(),
  state: Type.String({ description: '`opened`, `closed` or `merged`' }),
  created_at: instant,
  updated_at: instant,
  merged_by: person,
  merge_user: person,
  merged_at: nullable(instant),
  closed_by: person,
  closed_at: nullable(instant),
  target_branch: Type.String(),
  source_branch: Type.String(),
  user_notes_count: Type.Integer(),
  upvotes: Type.Integer(),
  downvotes: Type.Integer(),
  author: BasicUserSchema,
  assignees: Type.Array(BasicUserSchema),
  assignee: person,
  reviewers: Type.Array(BasicUserSchema),
  source_project_id: nullable(Type.Integer({ description: 'Null once that fork is gone' })),
  target_project_id: Type.Integer(),
  labels: LABELS_SHOWN,
  draft: Type.Boolean({ description: 'Whether its title begins with `Draft:`' }),
  work_in_progress: Type.Boolean({ description: 'The same, by its old name' }),
  milestone: nullable(MilestoneSchema),
  merge_when_pipeline_succeeds: Type.Boolean({ description: 'Whether it is merged once its pipeline succeeds' }),
  merge_status: Type.String({ description: '`unchecked`, `can_be_merged` or `cannot_be_merged`' }),
  detailed_merge_status: Type.String({ description: '`mergeable`, or the reason why it can’t be merged' }),
  sha: nullable(Type.String({ description: 'Where the source branch is, or was last' })),
  merge_commit_sha: perhaps,
  squash_commit_sha: perhaps,
  discussion_locked: nullable(Type.Boolean()),
  should_remove_source_branch: nullable(
    Type.Boolean({ description: 'As whoever merged it decided, or has it merged once its pipeline succeeds' }),
  ),
  force_remove_source_branch: nullable(Type.Boolean({ description: 'As whoever opened it wants' })),
  allow_collaboration: Type.Optional(Type.Boolean()),
  allow_maintainer_to_push: Type.Optional(Type.Boolean()),
  reference: Type.String(),
  references: Type.Object({ short: Type.String(), relative: Type.String(), full: Type.String() }),
  web_url: Type.String(),
  time_stats: TimeStatsSchema,
  squash: Type.Boolean(),
  squash_on_merge: Type.Boolean({ description: 'Whether its commits become one, as its project has it' }),
  task_completion_status: TaskCompletionSchema,
  has_conflicts: Type.Boolean(),
  blocking_discussions_resolved: Type.Boolean(),
  approvals_before_merge: nullable(Type.Integer()),
};

const SIMPLE = [
  'id',
  'iid',
  'project_id',
  'title',
  'description',
  'state',
  'created_at',
  'updated_at',
  'web_url',
] as const;

/** A merge request as lists show it. */
export const ListedMergeRequestSchema = component('schemas/ListedMergeRequest', Type.Object(LISTED));

/** As lists show it that are asked for little. */
const SimpleMergeRequestSchema = component('schemas/SimpleMergeRequest', Type.Pick(Type.Object(LISTED), [...SIMPLE]));

/** What a list may hold. */
export const AnyMergeRequestSchema = Type.Union([ListedMergeRequestSchema, SimpleMergeRequestSchema]);

const SINGLE = {
  ...LISTED,
  subscribed: Type.Boolean({ description: 'Whether you are mailed about it' }),
  changes_count: nullable(Type.String({ description: 'Of files, such as `12` or `1000+`' })),
  latest_build_started_at: nullable(instant),
  latest_build_finished_at: nullable(instant),
  first_deployed_to_production_at: Type.Null(),
  pipeline: nullable(BasicPipelineSchema),
  head_pipeline: nullable(PipelineSchema),
  diff_refs: nullable(Type.Object({ base_sha: Type.String(), head_sha: Type.String(), start_sha: Type.String() })),
  merge_error: perhaps,
  conflicts: Type.Array(Type.String({ description: 'Path of a file that can’t be merged by a machine' })),
  rebase_in_progress: Type.Optional(Type.Boolean()),
  diverged_commits_count: Type.Optional(Type.Integer({ description: 'Commits that the target branch alone has' })),
  title_html: Type.Optional(Type.String({ description: 'With `render_html`' })),
  description_html: Type.Optional(Type.String({ description: 'With `render_html`' })),
  first_contribution: Type.Boolean(),
  user: Type.Object({ can_merge: Type.Boolean() }),
};

/** One merge request alone. */
export const MergeRequestSchema = component('schemas/MergeRequest', Type.Object(SINGLE));
export const MERGE_REQUEST_PROPERTIES = SINGLE;

const presentMaybe = (somebody: Person | null, urls: WebUrls) => somebody && presentPerson(somebody, urls);

const mergeStatusOf = (status: MergeStatus, reason: string | undefined) => ({
  merge_status: status,
  detailed_merge_status: reason ?? 'mergeable',
});

const presentPeople = (mergeRequest: MergeRequestDetails, urls: WebUrls) => {
  const assignees = mergeRequest.assignees.map((each) => presentPerson(each, urls));
  return {
    merged_by: presentMaybe(mergeRequest.mergedBy, urls),
    merge_user: presentMaybe(mergeRequest.mergedBy ?? mergeRequest.mergesBy, urls),
    merged_at: mergeRequest.mergedAt?.toISOString() ?? null,
    closed_by: mergeRequest.state === 'closed' ? presentMaybe(mergeRequest.closedBy, urls) : null,
    closed_at: mergeRequest.closedAt?.toISOString() ?? null,
    author: presentPerson(mergeRequest.author, urls),
    assignees,
    assignee: assignees[0] ?? null,
    reviewers: mergeRequest.reviewers.map((each) => presentPerson(each, urls)),
  };
};

const presentBranches = (mergeRequest: MergeRequestDetails) => {
  const { projectId, sourceProjectId, allowCollaboration } = mergeRequest;
  const across = sourceProjectId !== projectId;
  return {
    target_branch: mergeRequest.targetBranch,
    source_branch: mergeRequest.sourceBranch,
    source_project_id: sourceProjectId,
    target_project_id: projectId,
    sha: mergeRequest.sourceSha,
    merge_commit_sha: mergeRequest.mergeCommitSha,
    squash_commit_sha: mergeRequest.squashCommitSha,
    should_remove_source_branch: mergeRequest.sourceBranchRemoved ?? mergeRequest.mergesWithRemoval,
    force_remove_source_branch: mergeRequest.removeSourceBranch,
    ...(across ? { allow_collaboration: allowCollaboration, allow_maintainer_to_push: allowCollaboration } : {}),
  };
};

/** @param place where it is asked for; without it references are given in full. */
export const presentListedMergeRequest = (
  mergeRequest: WithLabelDetails<MergeRequestDetails>,
  urls: WebUrls,
  place?: AskedPlace,
) => {
  const { title, description, milestone, projectPath } = mergeRequest;
  const draft = isDraft(title);
  return {
    id: mergeRequest.id,
    iid: mergeRequest.iid,
    project_id: mergeRequest.projectId,
    title,
    description,
    state: mergeRequest.state,
    created_at: mergeRequest.createdAt.toISOString(),
    updated_at: mergeRequest.updatedAt.toISOString(),
    ...presentPeople(mergeRequest, urls),
    ...presentBranches(mergeRequest),
    reference: `!${mergeRequest.iid}`,
    references: presentReferences(`!${mergeRequest.iid}`, projectPath, place),
    ...mergeStatusOf(mergeRequest.status, decideMerge(factsOf(mergeRequest))),
    user_notes_count: mergeRequest.userNotesCount,
    upvotes: mergeRequest.upvotes,
    downvotes: mergeRequest.downvotes,
    labels: presentLabels(mergeRequest),
    draft,
    work_in_progress: draft,
    milestone: milestone && presentMilestone({ ...milestone, projectPath }, urls),
    merge_when_pipeline_succeeds: mergeRequest.mergesBy !== null,
    discussion_locked: mergeRequest.discussionLocked,
    web_url: urls.mergeRequest(projectPath, mergeRequest.iid),
    time_stats: presentTime(mergeRequest.time),
    squash: mergeRequest.squash,
    squash_on_merge: squashes(mergeRequest.rules.squash, mergeRequest.squash),
    task_completion_status: presentTasks(description),
    has_conflicts: mergeRequest.conflicts.length > 0,
    blocking_discussions_resolved: !mergeRequest.unresolvedDiscussions,
    approvals_before_merge: mergeRequest.rules.approvalsRequired,
  };
};

export const presentSimpleMergeRequest = (mergeRequest: MergeRequestDetails, urls: WebUrls) => ({
  id: mergeRequest.id,
  iid: mergeRequest.iid,
  project_id: mergeRequest.projectId,
  title: mergeRequest.title,
  description: mergeRequest.description,
  state: mergeRequest.state,
  created_at: mergeRequest.createdAt.toISOString(),
  updated_at: mergeRequest.updatedAt.toISOString(),
  web_url: urls.mergeRequest(mergeRequest.projectPath, mergeRequest.iid),
});

/** What isn't in its rows. */
export interface MergeRequestExtras {
  readonly version: Version | undefined;
  /** Its pipeline, and the project of that, as far as they may see it. */
  readonly head: { readonly pipeline: PipelineDetails; readonly projectPath: string } | undefined;
  readonly subscribed: boolean;
  readonly canMerge: boolean;
  readonly withDivergence: boolean;
  readonly withRebase: boolean;
}

export const presentMergeRequest = (mergeRequest: MergeRequestDetails, urls: WebUrls, extras: MergeRequestExtras) => {
  const { version, head, subscribed, canMerge, withDivergence, withRebase } = extras;
  return {
    ...presentListedMergeRequest(mergeRequest, urls, { project: mergeRequest.projectPath }),
    subscribed,
    changes_count: version === undefined ? null : `${version.fileCount}${version.overflow ? '+' : ''}`,
    ...presentHead(head, urls),
    first_deployed_to_production_at: null,
    diff_refs: version === undefined ? null : presentDiffRefs(version),
    merge_error: mergeRequest.mergeError,
    conflicts: mergeRequest.conflicts,
    ...(withRebase ? { rebase_in_progress: false } : {}),
    ...(withDivergence ? { diverged_commits_count: mergeRequest.behind } : {}),
    first_contribution: false,
    user: { can_merge: canMerge },
  };
};

const presentHead = (head: MergeRequestExtras['head'], urls: WebUrls) => {
  const whole = head && presentPipeline(head.pipeline, head.projectPath, urls);
  return {
    latest_build_started_at: whole?.started_at ?? null,
    latest_build_finished_at: whole?.finished_at ?? null,
    pipeline: head === undefined ? null : presentBasicPipeline(head.pipeline, head.projectPath, urls),
    head_pipeline: whole ?? null,
  };
};

const presentDiffRefs = ({ base, head, start }: Version) => ({ base_sha: base, head_sha: head, start_sha: start });
