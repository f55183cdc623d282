import type { Group, Member, Namespace, Project } from '../../../domain/workspace/namespace.js';
import type { Visibility } from '../../../domain/shared/visibility.js';
import type { UserState } from '../../../domain/identity/user.js';
import type { GroupId, NamespaceId, ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest, SortDirection } from '../../../domain/shared/page.js';

/** Who looks, as far as lists care. `userId` null is nobody. `today` is the UTC day, for memberships that end. */
export interface Viewer {
  readonly userId: UserId | null;
  readonly admin: boolean;
  readonly today: string;
}

/** Somebody who isn't signed in, and a member of nothing. */
export const STRANGER: Viewer = { userId: null, admin: false, today: '' };

export type ProjectOrder = 'id' | 'name' | 'path' | 'created_at' | 'updated_at' | 'last_activity_at';

export interface ProjectQuery {
  readonly viewer: Viewer;
  readonly search?: string;
  /** Whether the search looks at the path of the namespace, too. */
  readonly searchNamespaces?: boolean;
  readonly visibility?: Visibility;
  readonly archived?: boolean;
  /** Only those whose issues, or merge requests, the viewer may read. */
  readonly withIssues?: boolean;
  readonly withMergeRequests?: boolean;
  /** Only those whose last activity was after, or before, this time; the time itself is left out. */
  readonly activeAfter?: Date;
  readonly activeBefore?: Date;
  /** At least this effective level; `owned` is 50, `membership` is 10. */
  readonly minAccessLevel?: number;
  /** Only those of one namespace and, where asked, of everything below it. */
  readonly within?: { readonly namespaceId: NamespaceId; readonly includeSubgroups: boolean };
  /** Only those that this person starred. */
  readonly starredBy?: UserId;
  /** Only forks of this project. */
  readonly forksOf?: ProjectId;
  /** Only those that have all of these. */
  readonly topics?: readonly string[];
  readonly idAfter?: number;
  readonly idBefore?: number;
  readonly orderBy: ProjectOrder;
  readonly sort: SortDirection;
  readonly page: PageRequest;
}

/** The groups that hold a project, and where `shared` is given those that it is shared with. */
export interface GroupsOfProject {
  readonly id: ProjectId;
  readonly namespaceId: NamespaceId;
  /** Those that get at least this level by it. */
  readonly shared?: { readonly minAccessLevel: number };
}

export interface GroupQuery {
  readonly viewer: Viewer;
  readonly search?: string;
  readonly minAccessLevel?: number;
  readonly topLevelOnly?: boolean;
  readonly parentId?: GroupId;
  /** Only those below it, however deep. */
  readonly below?: GroupId;
  readonly ofProject?: GroupsOfProject;
  readonly skip?: readonly GroupId[];
  /** Only those of these full paths; case does not count. */
  readonly paths?: readonly string[];
  readonly orderBy: 'id' | 'name' | 'path';
  readonly sort: SortDirection;
  readonly page: PageRequest;
}

export interface NamespaceQuery {
  readonly viewer: Viewer;
  readonly search?: string;
  readonly ownedOnly: boolean;
  readonly page: PageRequest;
}

/** A membership beside the person. */
export interface MemberProfile extends Member {
  readonly username: string;
  readonly name: string;
  readonly state: UserState;
  /** Whether it is behind an access token, which its membership follows. */
  readonly isBot: boolean;
  /** The group that the project is shared with, where they are a member of the project through it. */
  readonly sharedGroupId: GroupId | null;
}

export interface MemberQuery {
  /** Shown no members of groups that they may not see. */
  readonly viewer: Viewer;
  /**
   * Ancestors' members too, those of groups that the project is shared with, and whose own namespace it is in; of several memberships of a person that the viewer may see, the highest is shown.
   */
  readonly inherited: boolean;
  readonly search?: string;
  readonly userId?: UserId;
  readonly userIds?: readonly UserId[];
  readonly skip?: readonly UserId[];
  readonly page: PageRequest;
}

/** The unexpired levels that somebody has in a project; 0 without one. */
export interface ProjectLevels {
  /** By a membership of the project itself. */
  readonly directLevel: number;
  /** By one of a namespace that holds it, or of a group that it is shared with; a person owns their own namespace. */
  readonly groupLevel: number;
}

/** A project as it stands in a list, beside the levels that the viewer has there by themselves. */
export type ListedProject = Project & ProjectLevels;

/** Everything here leaves out what is about to be removed. */
export interface WorkspaceReader {
  findProject(id: ProjectId): Promise<Project | undefined>;
  findProjects(ids: readonly ProjectId[]): Promise<readonly Project[]>;
  /** Case does not count. */
  findProjectByPath(fullPath: string): Promise<Project | undefined>;
  findGroup(id: GroupId): Promise<Group | undefined>;
  /** Case does not count. */
  findGroupByPath(fullPath: string): Promise<Group | undefined>;
  findNamespace(
    id: NamespaceId,
  ): Promise<(Namespace & { readonly ownerId: UserId | null; readonly visibility: Visibility }) | undefined>;
  /** Of a group or a person; case does not count. */
  findNamespaceByPath(fullPath: string): Promise<Namespace | undefined>;
  findPersonalNamespace(userId: UserId): Promise<Namespace | undefined>;
  /** The highest unexpired level in the namespace and its ancestors; a person owns their own. 0 for a stranger. */
  namespaceLevel(viewer: Viewer, namespaceId: NamespaceId): Promise<number>;
  levelsInProject(viewer: Viewer, projectId: ProjectId): Promise<ProjectLevels>;
  levelsInProjectByPath(viewer: Viewer, fullPath: string): Promise<ProjectLevels>;
  listProjects(query: ProjectQuery): Promise<Page<ListedProject>>;
  listGroups(query: GroupQuery): Promise<Page<Group>>;
  /** The viewer's own namespace and the groups they are a member of, by id; all there are for administrators. */
  listNamespaces(query: NamespaceQuery): Promise<Page<Namespace>>;
  /** The names of those of some groups that the viewer sees, by their full paths. */
  groupNames(viewer: Viewer, fullPaths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  projectMembers(projectId: ProjectId, query: MemberQuery): Promise<Page<MemberProfile>>;
  groupMembers(groupId: GroupId, query: MemberQuery): Promise<Page<MemberProfile>>;
}
