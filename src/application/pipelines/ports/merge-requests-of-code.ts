import type { KnownMergeRequest } from '../../../domain/pipelines/known-merge-request.js';
import type { ProjectId } from '../../../domain/shared/identifiers.js';

export interface MergeRequestsOfCode {
  find(id: number): Promise<KnownMergeRequest | undefined>;
  /** The newest open ones that come from a branch. */
  openFrom(projectId: ProjectId, branch: string, limit: number): Promise<readonly KnownMergeRequest[]>;
}
