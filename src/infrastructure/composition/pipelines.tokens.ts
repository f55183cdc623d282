import type { CommitStatuses } from '../../application/pipelines/commit-statuses.js';
import type { Pipelines } from '../../application/pipelines/pipelines.js';
import type { PipelineReader } from '../../application/pipelines/ports/pipeline-ports.js';
import { token } from './token.js';

/** What is checked of commits. */
export interface PipelineUseCases {
  readonly commitStatuses: CommitStatuses;
  readonly pipelines: Pipelines;
  readonly pipelineReader: PipelineReader;
}

export const PIPELINE_TOKENS = {
  pipelines: token<PipelineUseCases>('PipelineUseCases'),
} as const;
