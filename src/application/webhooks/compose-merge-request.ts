import { branchRef } from '../../domain/repositories/ref-name.js';
import { isDraft } from '../../domain/review/merge-request.js';
import type { SubjectChanges } from '../../domain/shared/subject-changes.js';
import type { WebhookFacts } from '../../domain/webhooks/webhook.js';
import type { Project } from '../../domain/workspace/namespace.js';
import type { NoteReader } from '../collaboration/ports/note-ports.js';
import type { MergeRequestDetails, MergeRequestReader } from '../review/ports/merge-request-ports.js';
import type { WorkspaceReader } from '../workspace/ports/workspace-readers.js';
import { both, composeChanges, type ComposeChangesParts } from './compose-changes.js';
import type { ComposePushParts } from './compose-push.js';
import {
  presentCommit,
  presentNote,
  presentPeople,
  presentProject,
  type PresentLines,
  type WebhookUrls,
} from './webhook-words.js';

interface Parts extends Pick<ComposePushParts, 'refs' | 'objects'>, ComposeChangesParts {
  readonly lines: PresentLines;
  readonly workspace: Pick<WorkspaceReader, 'findProject'>;
  readonly notes: Pick<NoteReader, 'find'>;
  readonly mergeRequests: Pick<MergeRequestReader, 'findById'>;
  readonly urls: WebhookUrls;
}

type Facts<Kind extends WebhookFacts['kind']> = Extract<WebhookFacts, { kind: Kind }>;

const sourceOf = async (
  { workspace }: Parts,
  { sourceProjectId }: MergeRequestDetails,
): Promise<Project | undefined> => (sourceProjectId === null ? undefined : workspace.findProject(sourceProjectId));

/** A fork that is less visible than the project is no business of its receivers. */
const shownTo = (project: Project, source: Project | undefined): Project | undefined =>
  source?.id === project.id || source?.visibility === 'public' ? source : undefined;

/** The projects of its branches. */
const sidesOf = ({ urls }: Parts, project: Project, source: Project | undefined) => {
  const shown = shownTo(project, source);
  return {
    source: shown === undefined ? null : presentProject(shown, urls),
    target: presentProject(project, urls),
  };
};

interface Sides {
  readonly project: Project;
  readonly source: Project | undefined;
}

/** Its newest commit; null where it has none. */
const lastCommitOf = async (parts: Parts, sides: Sides, mergeRequest: MergeRequestDetails, action?: string) => {
  const { project, source } = sides;
  // Right after it was opened nobody may have looked at its branches yet.
  const tip = action === 'open' ? await tipOf(parts, source, mergeRequest) : undefined;
  const sha = mergeRequest.sourceSha ?? tip;
  if (sha === undefined) return null;
  // Commits of a fork are brought to the project a little later.
  const commit = (await commitIn(parts, project, sha)) ?? (await commitIn(parts, source, sha));
  return commit === undefined ? { id: sha } : presentCommit(commit, shownTo(project, source) ?? project, parts.urls);
};

const tipOf = async (
  { refs }: Parts,
  source: Project | undefined,
  { sourceBranch }: MergeRequestDetails,
): Promise<string | undefined> => {
  const repository = source && (await refs.findRepository(source.id));
  return repository && (await refs.findRef(repository.id, branchRef(sourceBranch)))?.target;
};

const commitIn = async ({ refs, objects }: Parts, project: Project | undefined, sha: string) => {
  const store = project && (await refs.findRepository(project.id))?.store;
  return store === undefined ? undefined : objects.commit(store, sha);
};

/** It is a draft by its title. */
const draftChange = ({ title }: SubjectChanges = {}) => {
  const draft = title && both(title, isDraft);
  return draft === undefined || draft.previous === draft.current ? {} : { draft };
};

/** Told of what was done to a merge request; undefined once it is gone. */
export const composeMergeRequest = async (
  parts: Parts,
  common: object,
  project: Project,
  { id, action, before, changes }: Facts<'merge_request'>,
): Promise<object | undefined> => {
  const mergeRequest = await parts.mergeRequests.findById(id);
  if (mergeRequest === undefined) return undefined;
  const source = await sourceOf(parts, mergeRequest);
  return {
    object_kind: 'merge_request',
    event_type: 'merge_request',
    ...common,
    object_attributes: {
      ...presentMergeRequest(mergeRequest, parts.urls),
      ...sidesOf(parts, project, source),
      last_commit: await lastCommitOf(parts, { project, source }, mergeRequest, action),
      action,
      ...(before === undefined ? {} : { oldrev: before }),
    },
    labels: mergeRequest.labels.map((title) => ({ title })),
    assignees: presentPeople(mergeRequest.assignees),
    reviewers: presentPeople(mergeRequest.reviewers),
    changes: { ...(await composeChanges(parts, action, changes)), ...draftChange(changes) },
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
  const source = await sourceOf(parts, mergeRequest);
  const page = parts.urls.mergeRequest(project.fullPath, mergeRequest.iid);
  return {
    object_kind: 'note',
    event_type: 'note',
    ...common,
    project_id: project.id,
    object_attributes: presentNote(note, project, { noteable: ['MergeRequest', id], page, lines: parts.lines }),
    merge_request: {
      ...presentMergeRequest(mergeRequest, parts.urls),
      ...sidesOf(parts, project, source),
      last_commit: await lastCommitOf(parts, { project, source }, mergeRequest),
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
  blocking_discussions_resolved: !mergeRequest.unresolvedDiscussions,
  created_at: mergeRequest.createdAt.toISOString(),
  updated_at: mergeRequest.updatedAt.toISOString(),
  url: urls.mergeRequest(mergeRequest.projectPath, mergeRequest.iid),
});
