import type { ProjectId, UserId } from '../shared/identifiers.js';
import type { CommitStatusWord } from './commit-status.js';

/** How a pipeline stands. */
export type PipelineStatus = 'created' | CommitStatusWord;
export const PIPELINE_STATUSES: readonly PipelineStatus[] = [
  'created',
  'pending',
  'running',
  'success',
  'failed',
  'canceled',
  'skipped',
];

/** What made a pipeline: `external` where programs elsewhere tell what they check. */
export type PipelineSource = 'external';

/** All that is checked of a commit for one branch or tag. */
export interface Pipeline {
  readonly id: number;
  readonly projectId: ProjectId;
  /** Its number within the project. */
  readonly iid: number;
  /** The commit. */
  readonly sha: string;
  /** The short name of a branch or tag. */
  readonly ref: string;
  readonly tag: boolean;
  readonly source: PipelineSource;
  readonly status: PipelineStatus;
  /** Who made it; null once they are gone. */
  readonly userId: UserId | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** How it had ended when people were last told; null before its first end. */
  readonly told: PipelineStatus | null;
}

const ENDED: ReadonlySet<PipelineStatus> = new Set<PipelineStatus>(['success', 'failed', 'canceled', 'skipped']);

export const hasEnded = (status: PipelineStatus): boolean => ENDED.has(status);

/** In this order: the first that all of them are among is what they come to. */
const COMING_TO: readonly (readonly [PipelineStatus, ReadonlySet<CommitStatusWord>])[] = [
  ['skipped', new Set<CommitStatusWord>(['skipped'])],
  ['success', new Set<CommitStatusWord>(['success', 'skipped'])],
  ['canceled', new Set<CommitStatusWord>(['canceled', 'success', 'skipped'])],
  ['pending', new Set<CommitStatusWord>(['pending', 'skipped'])],
];

/** What checks come to together, each by what it said last. */
export const statusOfAll = (statuses: readonly CommitStatusWord[]): PipelineStatus => {
  if (statuses.length === 0) return 'created';
  const found = COMING_TO.find(([, among]) => statuses.every((status) => among.has(status)));
  if (found !== undefined) return found[0];
  return statuses.some((status) => status === 'pending' || status === 'running') ? 'running' : 'failed';
};
