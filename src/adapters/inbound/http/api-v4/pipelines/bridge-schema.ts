import { Type } from '@sinclair/typebox';
import type { SeenPipeline } from '../../../../../application/pipelines/ports/bridge-ports.js';
import type { CiJobDetails } from '../../../../../application/pipelines/ports/ci-job-ports.js';
import { component } from '../../openapi/component.js';
import { nullable } from '../../validation/parameters.js';
import { JOB_FIELDS, presentJobFields, type JobContext } from './ci-job-schema.js';
import { BasicPipelineSchema, presentBasicPipeline } from './pipeline-schema.js';

/** A job that starts a pipeline. */
export const BridgeSchema = component(
  'schemas/Bridge',
  Type.Object({ ...JOB_FIELDS, downstream_pipeline: nullable(BasicPipelineSchema) }),
);

/** @param downstream what it started, where whoever asks may see it. */
export const presentBridge = (job: CiJobDetails, downstream: SeenPipeline | undefined, context: JobContext) => ({
  ...presentJobFields(job, context),
  downstream_pipeline:
    downstream === undefined ? null : presentBasicPipeline(downstream.pipeline, downstream.projectPath, context.urls),
});
