import type { Label } from '../../../domain/planning/label.js';
import type { Milestone } from '../../../domain/planning/milestone.js';
import type { NamespaceId, ProjectId } from '../../../domain/shared/identifiers.js';
import type { Viewer } from '../../workspace/ports/workspace-readers.js';

/** How many issues of a milestone are open, and how many are done. */
export interface Progress {
  readonly open: number;
  readonly closed: number;
}

/** How many things have a label, each no further than `COUNT_LIMIT`. */
export interface LabelCounts {
  readonly openIssues: number;
  readonly closedIssues: number;
  readonly openMergeRequests: number;
}

/** How many issues a milestone got, and how many of them were closed for good, by UTC day (`YYYY-MM-DD`). */
export interface DailyProgress {
  readonly joined: ReadonlyMap<string, number>;
  readonly closed: ReadonlyMap<string, number>;
}

/** What pages show beside issues and milestones. */
export interface PlanningOverview {
  /** What these names mean in a project: its own labels, or those of groups above. */
  labelsNamed(projectId: ProjectId, names: readonly string[]): Promise<readonly Label[]>;
  /** What open milestones are called, those that are due first before others; as many as a limit. Their texts may be long. */
  openMilestones(projectId: ProjectId, limit: number): Promise<readonly Pick<Milestone, 'id' | 'title'>[]>;
  /**
   * What labels are called in the projects of a group and of the groups below it that the viewer sees and that aren't archived, and those of
   * the group itself and of the groups above it: each name once.
   */
  labelNamesWithin(viewer: Viewer, group: NamespaceId, limit: number): Promise<readonly string[]>;
  /** The same of open milestones, those that are due first before others. */
  milestoneTitlesWithin(viewer: Viewer, group: NamespaceId, limit: number): Promise<readonly string[]>;
  /** Counts the issues that the viewer may see; a milestone without any is absent. */
  progressOf(viewer: Viewer, milestoneIds: readonly number[]): Promise<ReadonlyMap<number, Progress>>;
  /**
   * How many issues are open in projects, no further than `COUNT_LIMIT`, confidential ones for who sees all of them; a project without any,
   * or that the viewer doesn't see, is absent.
   */
  openIssuesOf(viewer: Viewer, projectIds: readonly ProjectId[]): Promise<ReadonlyMap<ProjectId, number>>;
  /**
   * Counts what the viewer may see; a label that nothing has which they see may be absent.
   *
   * @param projectId where labels of groups are counted, too; everywhere unless told.
   */
  labelCounts(
    viewer: Viewer,
    labelIds: readonly number[],
    projectId?: ProjectId,
  ): Promise<ReadonlyMap<number, LabelCounts>>;
  /** Of the issues that it has now and the viewer may see, as many as a limit. */
  dailyProgressOf(viewer: Viewer, milestoneId: number, limit: number): Promise<DailyProgress>;
}
