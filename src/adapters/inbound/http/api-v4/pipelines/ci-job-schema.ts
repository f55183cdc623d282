import { Type } from '@sinclair/typebox';
import type { CiJobDetails } from '../../../../../application/pipelines/ports/ci-job-ports.js';
import type { Commit } from '../../../../../application/repositories/ports/object-stores.js';
import { archiveIn, type CiArtifact } from '../../../../../domain/pipelines/artifact.js';
import { runnerStanding, type CiRunner } from '../../../../../domain/pipelines/ci-runner.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { component } from '../../openapi/component.js';
import { nullable } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { CommitSchema, presentCommit } from '../repository/present-commit.js';
import { presentPerson } from '../users/present-user.js';
import { BasicUserSchema } from '../users/user-schema.js';
import { BasicPipelineSchema, presentBasicPipeline } from './pipeline-schema.js';

const instant = Type.String({ format: 'date-time' });

export const RunnerSchema = component(
  'schemas/Runner',
  Type.Object({
    id: Type.Integer(),
    description: nullable(Type.String()),
    ip_address: nullable(Type.String()),
    active: Type.Boolean({ description: 'The opposite of `paused`' }),
    paused: Type.Boolean(),
    is_shared: Type.Boolean({ description: 'Whether it takes the jobs of every project' }),
    runner_type: Type.String({ description: '`instance_type`, `group_type` or `project_type`' }),
    name: nullable(Type.String()),
    online: nullable(Type.Boolean()),
    status: Type.String({ description: '`online`, `offline`, `stale` or `never_contacted`' }),
  }),
);

export const presentRunner = (runner: CiRunner, now: Date) => {
  const standing = runnerStanding(runner, now);
  return {
    id: runner.id,
    description: runner.description,
    ip_address: runner.address,
    active: !runner.paused,
    paused: runner.paused,
    is_shared: runner.type === 'instance_type',
    runner_type: runner.type,
    name: runner.about.name,
    online: standing === 'never_contacted' ? null : standing === 'online',
    status: standing,
  };
};

const ArtifactSchema = Type.Object({
  file_type: Type.String({ description: '`archive`, or the kind of a report' }),
  size: Type.Integer({ description: 'In bytes' }),
  filename: Type.String(),
  file_format: Type.String({ description: '`zip`, `gzip` or `raw`' }),
});

const presentArtifact = ({ type, size, fileName, format }: CiArtifact) => ({
  file_type: type,
  size,
  filename: fileName,
  file_format: format,
});

/** The first instant at which something of it may go. */
const expiryOfAll = (artifacts: readonly CiArtifact[]): Date | null => {
  const instants = artifacts.flatMap(({ expiresAt }) => expiresAt?.getTime() ?? []);
  return instants.length === 0 ? null : new Date(Math.min(...instants));
};

const presentArchive = (artifacts: readonly CiArtifact[]) => {
  const archive = archiveIn(artifacts);
  return archive === undefined ? {} : { artifacts_file: { filename: archive.fileName, size: archive.size } };
};

/** What is told of each job, whether or not a runner does it. */
export const JOB_FIELDS = {
  id: Type.Integer(),
  status: Type.String({
    description:
      '`created`, `manual`, `scheduled`, `waiting_for_resource`, `pending`, `running`, `success`, `failed`, `canceled` or `skipped`',
  }),
  stage: Type.String(),
  name: Type.String(),
  ref: Type.String(),
  tag: Type.Boolean(),
  coverage: nullable(Type.Number({ description: 'Percent' })),
  allow_failure: Type.Boolean(),
  created_at: instant,
  started_at: nullable(instant),
  finished_at: nullable(instant),
  erased_at: nullable(instant),
  duration: nullable(Type.Number({ description: 'Seconds' })),
  queued_duration: nullable(Type.Number({ description: 'Seconds' })),
  user: BasicUserSchema,
  commit: nullable(CommitSchema),
  pipeline: BasicPipelineSchema,
  failure_reason: Type.Optional(Type.String({ description: 'Of those that failed' })),
  web_url: Type.String(),
};

export const CiJobSchema = component(
  'schemas/Job',
  Type.Object({
    ...JOB_FIELDS,
    log_removed_at: nullable(instant),
    artifacts_file: Type.Optional(
      Type.Object(
        { filename: Type.String(), size: Type.Integer({ description: 'In bytes' }) },
        { description: 'Its archive, where it left one' },
      ),
    ),
    artifacts: Type.Array(ArtifactSchema),
    runner: nullable(RunnerSchema),
    artifacts_expire_at: nullable(instant),
    tag_list: Type.Array(Type.String()),
  }),
);

const textOf = (at: Date | null): string | null => at?.toISOString() ?? null;

const secondsBetween = (from: Date | null, to: Date | null): number | null =>
  from === null || to === null ? null : (to.getTime() - from.getTime()) / 1_000;

export interface JobContext {
  readonly project: Project;
  readonly commit: Commit | undefined;
  readonly urls: WebUrls;
  readonly now: Date;
}

export const presentJobFields = (job: CiJobDetails, { project, commit, urls, now }: JobContext) => ({
  id: job.id,
  status: job.status,
  stage: job.stage,
  name: job.name,
  ref: job.pipeline.ref,
  tag: job.pipeline.tag,
  coverage: job.coverage === null ? null : job.coverage / 100,
  allow_failure: job.allowFailure,
  created_at: job.createdAt.toISOString(),
  started_at: textOf(job.startedAt),
  finished_at: textOf(job.finishedAt),
  erased_at: textOf(job.erasedAt),
  duration: secondsBetween(job.startedAt, job.finishedAt ?? now),
  queued_duration: secondsBetween(job.queuedAt, job.startedAt ?? job.finishedAt ?? now),
  user: presentPerson(job.user, urls),
  commit: commit === undefined ? null : presentCommit(commit, project, urls),
  pipeline: presentBasicPipeline(job.pipeline, project.fullPath, urls),
  ...(job.failureReason === null ? {} : { failure_reason: job.failureReason }),
  web_url: urls.job(project.fullPath, job.id),
});

export const presentCiJob = (job: CiJobDetails, context: JobContext) => ({
  ...presentJobFields(job, context),
  log_removed_at: textOf(job.logRemovedAt),
  ...presentArchive(job.artifacts),
  artifacts: job.artifacts.map(presentArtifact),
  runner: job.runner && presentRunner(job.runner, context.now),
  artifacts_expire_at: textOf(expiryOfAll(job.artifacts)),
  tag_list: job.definition.tags,
});
