import { isDraft } from '../../domain/review/merge-request.js';
import type { WebhookFacts } from '../../domain/webhooks/webhook.js';
import type { Project } from '../../domain/workspace/namespace.js';
import type { NoteReader } from '../collaboration/ports/note-ports.js';
import type { MergeRequestDetails, MergeRequestReader } from '../review/ports/merge-request-ports.js';
import type { WorkspaceReader } from '../workspace/ports/workspace-readers.js';
import { presentNote, presentPeople, presentProject, type WebhookUrls } from './webhook-words.js';

interface Parts {
  readonly workspace: Pick<WorkspaceReader, 'findProject'>;
  readonly notes: Pick<NoteReader, 'find'>;
  readonly mergeRequests: Pick<MergeRequestReader, 'findById'>;
  readonly urls: WebhookUrls;
}

type Facts<Kind extends WebhookFacts['kind']> = Extract<WebhookFacts, { kind: Kind }>;

/** The projects of its branches. A fork that is less visible than the project is no business of its receivers. */
const sidesOf = async ({ workspace, urls }: Parts, project: Project, { sourceProjectId }: MergeRequestDetails) => {
  const source = sourceProjectId === null ? undefined : await workspace.findProject(sourceProjectId);
  const shown = source?.id === project.id || source?.visibility === 'public' ? source : undefined;
  return {
    source: shown === undefined ? null : presentProject(shown, urls),
    target: presentProject(project, urls),
  };
};

/** Told of what was done to a merge request; undefined once it is gone. */
export const composeMergeRequest = async (
  parts: Parts,
  common: object,
  project: Project,
  { id, action, before }: Facts<'merge_request'>,
): Promise<object | undefined> => {
  const mergeRequest = await parts.mergeRequests.findById(id);
  if (mergeRequest === undefined) return undefined;
  return {
    object_kind: 'merge_request',
    event_type: 'merge_request',
    ...common,
    object_attributes: {
      ...presentMergeRequest(mergeRequest, parts.urls),
      ...(await sidesOf(parts, project, mergeRequest)),
      action,
      ...(before === undefined ? {} : { oldrev: before }),
    },
    labels: mergeRequest.labels.map((title) => ({ title })),
    assignees: presentPeople(mergeRequest.assignees),
    reviewers: presentPeople(mergeRequest.reviewers),
    changes: {},
  };
};

/** Told of a comment on a merge request. */
export const composeMergeRequestNote = async (
  parts: Parts,
  common: object,
  project: Project,
  { id, noteId }: Facts<'merge_request_note'>,
): Promise<object | undefined> => {
  const mergeRequest = await parts.mergeRequests.findById(id);
  const note = await parts.notes.find(id, noteId);
  if (mergeRequest === undefined || note === undefined) return undefined;
  const page = parts.urls.mergeRequest(project.fullPath, mergeRequest.iid);
  return {
    object_kind: 'note',
    event_type: 'note',
    ...common,
    project_id: project.id,
    object_attributes: presentNote(note, project, { noteable: ['MergeRequest', id], page }),
    merge_request: {
      ...presentMergeRequest(mergeRequest, parts.urls),
      ...(await sidesOf(parts, project, mergeRequest)),
    },
  };
};

const presentMergeRequest = (mergeRequest: MergeRequestDetails, urls: WebhookUrls) => ({
  id: mergeRequest.id,
  iid: mergeRequest.iid,
  title: mergeRequest.title,
  description: mergeRequest.description,
  state: mergeRequest.state,
  target_branch: mergeRequest.targetBranch,
  target_project_id: mergeRequest.projectId,
  source_branch: mergeRequest.sourceBranch,
  source_project_id: mergeRequest.sourceProjectId,
  author_id: mergeRequest.author?.id ?? null,
  assignee_id: mergeRequest.assignees[0]?.id ?? null,
  assignee_ids: mergeRequest.assignees.map(({ id }) => id),
  reviewer_ids: mergeRequest.reviewers.map(({ id }) => id),
  milestone_id: mergeRequest.milestone?.id ?? null,
  merge_status: mergeRequest.status,
  merge_commit_sha: mergeRequest.mergeCommitSha,
  merge_error: mergeRequest.mergeError,
  work_in_progress: isDraft(mergeRequest.title),
  draft: isDraft(mergeRequest.title),
  labels: mergeRequest.labels.map((title) => ({ title })),
  last_commit: mergeRequest.sourceSha === null ? null : { id: mergeRequest.sourceSha },
  blocking_discussions_resolved: !mergeRequest.unresolvedDiscussions,
  created_at: mergeRequest.createdAt.toISOString(),
  updated_at: mergeRequest.updatedAt.toISOString(),
  url: urls.mergeRequest(mergeRequest.projectPath, mergeRequest.iid),
});
