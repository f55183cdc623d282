import type { NewReleaseLink, Release } from '../../../domain/repositories/release.js';
import type { GroupId, ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import type { PageRequest, SortDirection } from '../../../domain/shared/page.js';
import type { PageInBatches } from '../../shared/page-in-batches.js';

export type ReleaseFields = Partial<Pick<Release, 'name' | 'description' | 'releasedAt'>>;

/** Ids of milestones by their titles. */
export type MilestonesByTitle = ReadonlyMap<string, number>;

export interface ReleaseQuery {
  readonly projectId: ProjectId;
  readonly orderBy: 'released_at' | 'created_at';
  readonly sort: SortDirection;
  readonly page: PageRequest;
}

/** Who looks; `userId` null is nobody. `today` is the UTC day, for memberships that end. */
export interface ReleaseViewer {
  readonly userId: UserId | null;
  readonly admin: boolean;
  readonly today: string;
}

export interface GroupReleaseQuery {
  readonly viewer: ReleaseViewer;
  /** Of this group, and of everything below it. */
  readonly within: GroupId;
  readonly sort: SortDirection;
  readonly page: PageRequest;
}

export interface ReleaseReader {
  find(projectId: ProjectId, tag: string): Promise<Release | undefined>;
  list(query: ReleaseQuery): Promise<PageInBatches<Release>>;
  /** By when they are out; of projects whose code the viewer may read. */
  listInGroup(query: GroupReleaseQuery): Promise<PageInBatches<Release>>;
  /** The tag of the newest release that is out. */
  latestTag(projectId: ProjectId, now: Date): Promise<string | undefined>;
  /** The tags of so many releases that are out, the newest first. */
  tagsOut(projectId: ProjectId, now: Date, limit: number): Promise<readonly string[]>;
  /** Those of these titles that the project has. */
  milestones(projectId: ProjectId, titles: readonly string[]): Promise<MilestonesByTitle>;
  /** What the releases of some tags say. */
  ofTags(projectId: ProjectId, tags: readonly string[]): Promise<ReadonlyMap<string, string | null>>;
}

export interface ReleaseRepository {
  /** @throws Conflict "Release already exists". */
  add(release: Omit<Release, 'id' | 'links' | 'milestoneIds'>): Promise<number>;
  update(id: number, changes: ReleaseFields): Promise<void>;
  /** Those of these titles that the project has: nobody removes or renames one until this work is done. */
  takeMilestones(projectId: ProjectId, titles: readonly string[]): Promise<MilestonesByTitle>;
  /** In place of those that it had. */
  setMilestones(id: number, milestoneIds: readonly number[]): Promise<void>;
  /** False when there is none. */
  remove(projectId: ProjectId, tag: string): Promise<boolean>;
  /** @throws NotPossible when the release has one of that name. */
  addLink(releaseId: number, link: NewReleaseLink): Promise<number>;
  /** @throws NotPossible when the release has another of that name. */
  updateLink(id: number, link: NewReleaseLink): Promise<void>;
  removeLink(id: number): Promise<void>;
}
