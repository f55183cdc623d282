import type { Label } from '../../../domain/planning/label.js';
import type { ProjectId } from '../../../domain/shared/identifiers.js';
import type { Viewer } from '../../workspace/ports/workspace-readers.js';

/** How many issues of a milestone are open, and how many are done. */
export interface Progress {
  readonly open: number;
  readonly closed: number;
}

/** What pages show beside issues and milestones. */
export interface PlanningOverview {
  labelsNamed(projectId: ProjectId, names: readonly string[]): Promise<readonly Label[]>;
  /** Counts the issues that the viewer may see; a milestone without any is absent. */
  progressOf(viewer: Viewer, milestoneIds: readonly number[]): Promise<ReadonlyMap<number, Progress>>;
}
