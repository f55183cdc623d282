import type { Deployment } from '../../domain/environments/deployment.js';
import type { CiEnvironment } from '../../domain/pipelines/ci-file/ci-config.js';
import type { Pipeline, PipelineStatus } from '../../domain/pipelines/pipeline.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';

interface PipelineHappening<Kind extends string> {
  readonly kind: Kind;
  readonly pipeline: Pipeline;
  readonly at: Date;
}

/** What happened to a pipeline. */
export type PipelineEvent =
  /** It stands otherwise than before. */
  | (PipelineHappening<'pipeline_changed'> & { readonly by: UserId; readonly from: PipelineStatus })
  /** It has ended otherwise than people were told last. */
  | (PipelineHappening<'pipeline_ended'> & {
      readonly by: UserId;
      /** It succeeded where it, or the one before it, had failed. */
      readonly fixed: boolean;
      /** Checks that failed, by their names: the first of them. */
      readonly failed: readonly string[];
    })
  /** An older one of its commit may count in its place. */
  | PipelineHappening<'pipeline_removed'>;

export type PipelineEndEvent = Extract<PipelineEvent, { readonly kind: 'pipeline_ended' }>;

/** What happened to jobs of a pipeline. */
export type JobEvent =
  /** Some were made that are for an environment: with their pipeline, or to run once more. */
  | {
      readonly kind: 'jobs_made';
      readonly pipelineId: number;
      readonly jobs: readonly {
        readonly id: number;
        readonly userId: UserId | null;
        readonly environment: CiEnvironment;
        readonly at: Date;
      }[];
    }
  /** The turn of some has come that start pipelines. */
  | {
      readonly kind: 'bridges_begun';
      readonly bridges: readonly {
        readonly id: number;
        readonly projectId: ProjectId;
        readonly userId: UserId;
      }[];
      readonly at: Date;
    }
  /** Some may stand otherwise than before. */
  | {
      readonly kind: 'jobs_changed';
      readonly pipelineId: number;
      readonly projectId: ProjectId;
      /** Null where nobody stands behind it any more. */
      readonly by: UserId | null;
      readonly at: Date;
    };

export type JobsChangedEvent = Extract<JobEvent, { readonly kind: 'jobs_changed' }>;

/** A deployment stands otherwise than before; a new one too. */
export interface DeploymentEvent {
  readonly kind: 'deployment_changed';
  readonly deployment: Pick<Deployment, 'id' | 'projectId' | 'status'>;
  readonly by: UserId;
  readonly at: Date;
}
