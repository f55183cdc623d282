import { codeRefOf } from '../../domain/pipelines/pipeline.js';
import { isFinished } from '../../domain/pipelines/commit-status.js';
import { NO_OBJECT } from '../../domain/repositories/object-id.js';
import type { CiRunner } from '../../domain/pipelines/ci-runner.js';
import type { WebhookFacts } from '../../domain/webhooks/webhook.js';
import { nameWithNamespace, type Project } from '../../domain/workspace/namespace.js';
import type { CiJobDetails, CiJobReader } from '../pipelines/ports/ci-job-ports.js';
import { commitOf } from './compose-pipeline.js';
import type { ComposePushParts } from './compose-push.js';

export interface ComposeJobParts extends Pick<ComposePushParts, 'refs' | 'objects' | 'urls'> {
  readonly ciJobs: Pick<CiJobReader, 'find'>;
}

interface Common {
  readonly user: object;
  readonly project: object;
  readonly repository: object;
}

type Facts = Extract<WebhookFacts, { kind: 'job' }>;

/** What a job tells its receivers that stands otherwise than before; undefined once it is gone. */
export const composeJob = async (
  parts: ComposeJobParts,
  common: Common,
  project: Project,
  { id, status, at }: Facts,
): Promise<object | undefined> => {
  const job = await parts.ciJobs.find(project.id, id);
  if (job === undefined) return undefined;
  const { pipeline, runner } = job;
  const { ref, tag } = codeRefOf(pipeline);
  return {
    object_kind: 'build',
    ref,
    tag,
    before_sha: pipeline.beforeSha ?? NO_OBJECT,
    sha: pipeline.sha,
    build_id: id,
    build_name: job.name,
    build_stage: job.stage,
    build_status: status,
    build_created_at: job.createdAt.toISOString(),
    ...timesOf(job, status, at),
    build_allow_failure: job.allowFailure,
    build_failure_reason: job.status === status ? (job.failureReason ?? 'unknown_failure') : 'unknown_failure',
    pipeline_id: pipeline.id,
    runner: runner && presentRunner(runner),
    project_id: project.id,
    project_name: nameWithNamespace(project),
    ...common,
    commit: await presentCommit(parts, project, job),
  };
};

const instant = (at: Date | null): string | null => at && at.toISOString();
/** In seconds; null before it begins. */
const lasts = (from: Date | null, to: Date | null): number | null =>
  from && to && Math.max(0, (to.getTime() - from.getTime()) / 1_000);

/** As they were then: it may have been sent much later. */
const timesOf = (job: CiJobDetails, status: string, at: string) => {
  const then = new Date(at);
  const { startedAt, queuedAt } = job;
  const finishedAt = isFinished(job.status) && job.status === status ? job.finishedAt : null;
  return {
    build_started_at: instant(startedAt),
    build_finished_at: instant(finishedAt),
    build_duration: lasts(startedAt, finishedAt ?? then),
    build_queued_duration: lasts(queuedAt, startedAt ?? then),
  };
};

const presentRunner = ({ id, description, type, tags, paused }: CiRunner) => ({
  id,
  description,
  runner_type: type,
  active: !paused,
  is_shared: type === 'instance_type',
  tags,
});

/** Receivers call the pipeline of a commit by the name of the commit. */
const presentCommit = async (parts: ComposeJobParts, project: Project, { pipeline }: CiJobDetails) => {
  const commit = await commitOf(parts, project, pipeline.sha);
  const { startedAt, finishedAt } = pipeline;
  return {
    id: pipeline.id,
    sha: pipeline.sha,
    ...presentWords(commit),
    status: pipeline.status,
    duration: lasts(startedAt, finishedAt),
    started_at: instant(startedAt),
    finished_at: instant(finishedAt),
  };
};

const presentWords = (commit: Awaited<ReturnType<typeof commitOf>>) => ({
  message: commit?.message ?? null,
  author_name: commit?.author.name ?? null,
  author_email: commit?.author.email ?? null,
});
