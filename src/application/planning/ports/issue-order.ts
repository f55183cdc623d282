import type { ProjectId } from '../../../domain/shared/identifiers.js';

/** An issue and where it stands among those of its project: the least number comes first, and of two with the same the lesser id. */
export interface PlacedIssue {
  readonly id: number;
  readonly place: number;
}

export interface IssueOrderRepository {
  /** Of works that order the issues of a project, each waits for the one before. */
  hold(projectId: ProjectId): Promise<void>;
  /** Of these ids, where those stand that are of the project. */
  placesOf(projectId: ProjectId, ids: readonly number[]): Promise<readonly PlacedIssue[]>;
  /** Those next to a place, the nearest first, as if one issue weren't there. */
  near(
    projectId: ProjectId,
    place: PlacedIssue,
    side: 'before' | 'after',
    asked: { readonly without: number; readonly limit: number },
  ): Promise<readonly PlacedIssue[]>;
  /** Says where they stand. They are not changed otherwise. */
  put(issues: readonly PlacedIssue[]): Promise<void>;
}
