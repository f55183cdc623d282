import type { LinkTerms } from '../../../domain/workspace/group-link.js';
import type { GroupId, ProjectId } from '../../../domain/shared/identifiers.js';
import type { Viewer } from './workspace-readers.js';

/** A project that is shared with a group. */
export interface GroupLink extends LinkTerms {
  readonly id: number;
  readonly projectId: ProjectId;
  readonly groupId: GroupId;
}

export interface GroupLinkRepository {
  /** Of works that share one project each sees what those before it did. For before anything is locked. */
  hold(projectId: ProjectId): Promise<void>;
  count(projectId: ProjectId): Promise<number>;
  /** @throws Conflict where it is shared with the group already. */
  add(link: Omit<GroupLink, 'id'> & { readonly createdAt: Date }): Promise<number>;
  /** False where it isn't shared with the group. */
  remove(projectId: ProjectId, groupId: GroupId): Promise<boolean>;
  /** Removes at most `limit` that ended before or on `today`, of one project where it is given, and answers which. */
  removeExpired(
    today: string,
    limit: number,
    of?: ProjectId,
  ): Promise<readonly Pick<GroupLink, 'projectId' | 'groupId'>[]>;
}

/** A group that a project is shared with; without a name where the viewer may not see it. */
export interface SharedGroup extends LinkTerms {
  readonly groupId: GroupId;
  readonly group: { readonly name: string; readonly fullPath: string } | undefined;
}

export interface GroupLinkReader {
  /** Those that have not ended, in the order in which they were made. */
  linksOf(viewer: Viewer, projectId: ProjectId): Promise<readonly SharedGroup[]>;
}
