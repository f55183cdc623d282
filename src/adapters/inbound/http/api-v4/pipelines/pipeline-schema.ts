import { Type } from '@sinclair/typebox';
import type {
  CommitStatusDetails,
  PipelineDetails,
} from '../../../../../application/pipelines/ports/pipeline-ports.js';
import { hasWarnings, wordsOf, type Pipeline } from '../../../../../domain/pipelines/pipeline.js';
import { component } from '../../openapi/component.js';
import { nullable } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { presentPerson } from '../users/present-user.js';
import { BasicUserSchema } from '../users/user-schema.js';

const instant = Type.String({ format: 'date-time' });

const BASIC = {
  id: Type.Integer(),
  iid: Type.Integer({ description: 'Counted within the project' }),
  project_id: Type.Integer(),
  sha: Type.String(),
  ref: Type.String({ description: 'A branch or tag; of a merge request such as `refs/merge-requests/7/head`' }),
  status: Type.String({
    description:
      '`created`, `waiting_for_resource`, `pending`, `running`, `success`, `failed`, `canceled`, `skipped`, `manual` or `scheduled`',
  }),
  source: Type.String({
    description:
      '`push`, `merge_request_event`, `web`, `api`, `trigger`, `pipeline`, `parent_pipeline` or `schedule`; `external` where programs elsewhere tell what they check',
  }),
  name: nullable(Type.String({ description: 'By the CI file (`workflow: name`), or as it was named' })),
  created_at: instant,
  updated_at: instant,
  web_url: Type.String(),
};

/** A pipeline as lists show it. */
export const BasicPipelineSchema = component('schemas/BasicPipeline', Type.Object(BASIC));

const DetailedStatusSchema = Type.Object({
  icon: Type.String(),
  text: Type.String(),
  label: Type.String(),
  group: Type.String(),
  tooltip: Type.String(),
  has_details: Type.Boolean(),
  details_path: Type.String(),
  illustration: Type.Null(),
  favicon: Type.Null(),
});

/** One pipeline alone. */
export const PipelineSchema = component(
  'schemas/Pipeline',
  Type.Object({
    ...BASIC,
    before_sha: Type.String(),
    tag: Type.Boolean(),
    yaml_errors: nullable(Type.String({ description: 'Why the CI file could not be read' })),
    user: BasicUserSchema,
    started_at: nullable(instant),
    finished_at: nullable(instant),
    committed_at: Type.Null(),
    duration: nullable(Type.Integer({ description: 'Seconds' })),
    queued_duration: nullable(Type.Integer({ description: 'Seconds' })),
    coverage: nullable(Type.String({ description: 'Percent, such as `98.60`' })),
    detailed_status: DetailedStatusSchema,
  }),
);

export const PipelineVariableSchema = component(
  'schemas/PipelineVariable',
  Type.Object({
    variable_type: Type.String({ description: '`env_var` or `file`' }),
    key: Type.String(),
    value: Type.String(),
  }),
);

export const CommitStatusSchema = component(
  'schemas/CommitStatus',
  Type.Object({
    id: Type.Integer(),
    sha: Type.String(),
    ref: Type.String(),
    status: Type.String({
      description:
        '`created`, `manual`, `scheduled`, `waiting_for_resource`, `pending`, `running`, `success`, `failed`, `canceled` or `skipped`',
    }),
    stage: Type.String({ description: '`external` for a program elsewhere' }),
    name: Type.String(),
    target_url: nullable(Type.String()),
    description: nullable(Type.String()),
    created_at: instant,
    started_at: nullable(instant),
    finished_at: nullable(instant),
    allow_failure: Type.Boolean(),
    coverage: nullable(Type.Number({ description: 'Percent' })),
    pipeline_id: Type.Integer(),
    author: BasicUserSchema,
  }),
);

const NOBODY_BEFORE = '0'.repeat(40);

const textOf = (at: Date | null): string | null => at?.toISOString() ?? null;

const secondsBetween = (from: Date | null, to: Date | null): number | null =>
  from === null || to === null ? null : Math.round((to.getTime() - from.getTime()) / 1_000);

export const presentBasicPipeline = (pipeline: Pipeline, projectPath: string, urls: WebUrls) => ({
  id: pipeline.id,
  iid: pipeline.iid,
  project_id: pipeline.projectId,
  sha: pipeline.sha,
  ref: pipeline.ref,
  status: pipeline.status,
  source: pipeline.source,
  name: pipeline.name,
  created_at: pipeline.createdAt.toISOString(),
  updated_at: pipeline.updatedAt.toISOString(),
  web_url: urls.pipeline(projectPath, pipeline.id),
});

const iconOf = (pipeline: PipelineDetails): string => {
  if (hasWarnings(pipeline)) return 'status_warning';
  return pipeline.status === 'waiting_for_resource' ? 'status_pending' : `status_${pipeline.status}`;
};

const detailedStatus = (pipeline: PipelineDetails, projectPath: string) => {
  const { id, status, warned } = pipeline;
  const { text, label } = wordsOf(status, warned);
  return {
    icon: iconOf(pipeline),
    text,
    label,
    group: hasWarnings(pipeline) ? 'success-with-warnings' : status.replaceAll('_', '-'),
    tooltip: text,
    has_details: true,
    details_path: `/${projectPath}/-/pipelines/${id}`,
    illustration: null,
    favicon: null,
  };
};

export const presentPipeline = (pipeline: PipelineDetails, projectPath: string, urls: WebUrls) => {
  const { createdAt, startedAt, finishedAt, coverage } = pipeline;
  return {
    ...presentBasicPipeline(pipeline, projectPath, urls),
    before_sha: pipeline.beforeSha ?? NOBODY_BEFORE,
    tag: pipeline.tag,
    yaml_errors: pipeline.yamlErrors,
    user: presentPerson(pipeline.user, urls),
    started_at: textOf(startedAt),
    finished_at: textOf(finishedAt),
    committed_at: null,
    duration: secondsBetween(startedAt, finishedAt),
    queued_duration: secondsBetween(createdAt, startedAt),
    coverage: coverage === null ? null : (coverage / 100).toFixed(2),
    detailed_status: detailedStatus(pipeline, projectPath),
  };
};

export const presentCommitStatus = (status: CommitStatusDetails, urls: WebUrls) => ({
  id: status.id,
  sha: status.sha,
  ref: status.ref,
  status: status.status,
  stage: status.stage,
  name: status.name,
  target_url: status.targetUrl,
  description: status.description,
  created_at: status.createdAt.toISOString(),
  started_at: textOf(status.startedAt),
  finished_at: textOf(status.finishedAt),
  allow_failure: status.allowFailure,
  coverage: status.coverage === null ? null : status.coverage / 100,
  pipeline_id: status.pipelineId,
  author: presentPerson(status.author, urls),
});
