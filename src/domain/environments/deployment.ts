import type { ProjectId, UserId } from '../shared/identifiers.js';

/** How a deployment may stand; those of jobs stand as their jobs do. */
export const DEPLOYMENT_STATUSES = ['created', 'running', 'success', 'failed', 'canceled', 'skipped'] as const;
export type DeploymentStatus = (typeof DEPLOYMENT_STATUSES)[number];

/** What clients may say of one that they make or change. */
export const DEPLOYMENT_WORDS = ['running', 'success', 'failed', 'canceled'] as const;
export type DeploymentWord = (typeof DEPLOYMENT_WORDS)[number];

/** A commit that was brought to an environment, or was to be. */
export interface Deployment {
  readonly id: number;
  readonly projectId: ProjectId;
  /** Its number within the project. */
  readonly iid: number;
  readonly environmentId: number;
  /** The job that does it; null where a client told of it, or the job is gone. */
  readonly jobId: number | null;
  /** Whether a job did it: it stands as that says, and nobody else changes it. */
  readonly byJob: boolean;
  readonly userId: UserId | null;
  readonly ref: string;
  readonly tag: boolean;
  readonly sha: string;
  readonly status: DeploymentStatus;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly finishedAt: Date | null;
}

/** Of an environment so many are kept, the newest. */
export const KEPT_DEPLOYMENTS = 500;

const ENDED: ReadonlySet<DeploymentStatus> = new Set<DeploymentStatus>(['success', 'failed', 'canceled', 'skipped']);

/** Whether it has come to its end. */
export const hasEnded = (status: DeploymentStatus): boolean => ENDED.has(status);
