import { codeRefOf, hasEnded, wordsOf, type Pipeline } from '../../domain/pipelines/pipeline.js';
import { NO_OBJECT } from '../../domain/repositories/object-id.js';
import type { WebhookFacts } from '../../domain/webhooks/webhook.js';
import type { Project } from '../../domain/workspace/namespace.js';
import type { PipelineReader } from '../pipelines/ports/pipeline-ports.js';
import type { MergeRequestReader } from '../review/ports/merge-request-ports.js';
import type { ComposePushParts } from './compose-push.js';
import { presentCommit } from './webhook-words.js';

export interface ComposePipelineParts extends CommitParts {
  readonly pipelines: Pick<PipelineReader, 'find' | 'checksOf'>;
  readonly mergeRequests: Pick<MergeRequestReader, 'findById'>;
}

type CommitParts = Pick<ComposePushParts, 'refs' | 'objects' | 'urls'>;
type Facts = Extract<WebhookFacts, { kind: 'pipeline' }>;

/** What a pipeline tells its receivers that stands otherwise than before; undefined once it is gone. */
export const composePipeline = async (
  parts: ComposePipelineParts,
  common: object,
  project: Project,
  { id, status, at }: Facts,
): Promise<object | undefined> => {
  const pipeline = await parts.pipelines.find(project.id, id);
  if (pipeline === undefined) return undefined;
  const checks = await parts.pipelines.checksOf(id);
  const { startedAt, createdAt } = pipeline;
  const since = (from: Date): number => Math.max(0, Math.round((Date.parse(at) - from.getTime()) / 1_000));
  const ended = hasEnded(pipeline.status) && pipeline.status === status;
  return {
    object_kind: 'pipeline',
    ...common,
    object_attributes: {
      id,
      iid: pipeline.iid,
      name: pipeline.name,
      ref: codeRefOf(pipeline).ref,
      tag: pipeline.tag,
      sha: pipeline.sha,
      before_sha: pipeline.beforeSha ?? NO_OBJECT,
      source: pipeline.source,
      status,
      detailed_status: wordsOf(status, pipeline.warned).label,
      stages: [...new Set(checks.map(({ stage }) => stage))],
      created_at: createdAt.toISOString(),
      finished_at: ended ? at : null,
      duration: ended && startedAt !== null ? since(startedAt) : null,
      queued_duration: startedAt === null ? null : Math.round((startedAt.getTime() - createdAt.getTime()) / 1_000),
      variables: [],
      url: parts.urls.pipeline(project.fullPath, id),
    },
    merge_request: await mergeRequestOf(parts, project, pipeline),
    commit: await commitOf(parts, project, pipeline.sha),
    builds: checks.map((check) => ({
      id: check.id,
      stage: check.stage,
      name: check.name,
      status: check.status,
      created_at: check.createdAt.toISOString(),
      started_at: check.startedAt?.toISOString() ?? null,
      finished_at: check.finishedAt?.toISOString() ?? null,
      manual: check.status === 'manual',
      allow_failure: check.allowFailure,
      runner: null,
      environment: null,
    })),
  };
};

/** The one of this project that it is for. */
const mergeRequestOf = async (
  { mergeRequests, urls }: ComposePipelineParts,
  project: Project,
  { mergeRequestId }: Pipeline,
) => {
  const found = mergeRequestId === null ? undefined : await mergeRequests.findById(mergeRequestId);
  if (found?.projectId !== project.id) return null;
  return {
    id: found.id,
    iid: found.iid,
    title: found.title,
    source_branch: found.sourceBranch,
    source_project_id: found.sourceProjectId,
    target_branch: found.targetBranch,
    target_project_id: found.projectId,
    state: found.state,
    merge_status: found.status,
    url: urls.mergeRequest(found.projectPath, found.iid),
  };
};

/** Null where it is there no more. */
export const commitOf = async ({ refs, objects, urls }: CommitParts, project: Project, sha: string) => {
  const store = (await refs.findRepository(project.id))?.store;
  const commit = store === undefined ? undefined : await objects.commit(store, sha);
  return commit === undefined ? null : presentCommit(commit, project, urls);
};
