import type { Group, Member, MergeSettings, Project } from '../../../domain/workspace/namespace.js';
import type { LastingOwner } from '../../../domain/workspace/lasting-owner.js';
import type { FeatureLevels } from '../../../domain/workspace/project-features.js';
import type { Visibility } from '../../../domain/shared/visibility.js';
import type { GroupId, NamespaceId, ProjectId, UserId } from '../../../domain/shared/identifiers.js';

export type NewGroup = Pick<Group, 'name' | 'path' | 'description' | 'visibility' | 'parentId' | 'createdAt'> &
  Partial<Pick<Group, 'requestAccessEnabled'>>;
export type GroupChanges = Partial<
  Pick<Group, 'name' | 'path' | 'description' | 'visibility' | 'requestAccessEnabled'>
>;

/** A group whose tree is locked. */
export type HeldGroup = Pick<Group, 'id' | 'parentId' | 'name' | 'path' | 'fullPath' | 'description' | 'visibility'>;

export interface GroupRepository {
  /** Locks the tree that the group is in until the work ends (`NamespaceRepository.takeTrees`), and reads it as it is then. */
  take(id: GroupId): Promise<HeldGroup | undefined>;
  /** How many levels a group is deep together with those below it: 1 where none is. */
  levelsIn(id: GroupId): Promise<number>;
  /**
   * Puts it below another group, or at the top; the paths of everything below follow.
   * @throws NotPossible where something there has its path.
   */
  move(id: GroupId, parentId: GroupId | null, at: Date): Promise<void>;
  /** @throws Invalid "has already been taken" at `path`. */
  add(group: NewGroup): Promise<GroupId>;
  /**
   * The paths of everything below follow.
   * @throws Invalid "has already been taken" at `path`.
   */
  update(id: GroupId, changes: GroupChanges, at: Date): Promise<void>;
  /**
   * Hides the group and everything below, and frees their names, until they are removed; nothing is shared with them any more. False when it
   * is gone already.
   */
  requestRemoval(id: GroupId, at: Date): Promise<boolean>;
  /** At most `limit` of the projects below it: those that `removeSome` takes next. */
  projectsInside(id: GroupId, limit: number): Promise<readonly ProjectId[]>;
  /** Removes at most `limit` of the projects and groups below it, then the group itself. True when all of it is gone. */
  removeSome(id: GroupId, limit: number): Promise<boolean>;
}

interface ProjectSettings {
  /** All that it has from now on, as `topicsIn` tells them apart. */
  readonly topics?: readonly string[];
  readonly merging?: Partial<MergeSettings>;
  readonly features?: Partial<FeatureLevels>;
  readonly ciConfigPath?: string | null;
  readonly requestAccessEnabled?: boolean;
}

export type NewProject = Pick<
  Project,
  | 'name'
  | 'path'
  | 'description'
  | 'visibility'
  | 'defaultBranch'
  | 'mergeWhenPipelineSucceeds'
  | 'creatorId'
  | 'createdAt'
> &
  ProjectSettings & { readonly namespaceId: NamespaceId };
export type ProjectChanges = Partial<
  Pick<
    Project,
    'name' | 'path' | 'description' | 'visibility' | 'defaultBranch' | 'archived' | 'mergeWhenPipelineSucceeds'
  >
> &
  ProjectSettings;

/** What a change of place or visibility depends on. */
export interface HeldProject {
  readonly namespaceId: NamespaceId;
  readonly fullPath: string;
  readonly visibility: Visibility;
  readonly features: FeatureLevels;
}

export interface ProjectRepository {
  /**
   * Locks the project until the work ends, and before it the tree that it is in (`NamespaceRepository.takeTrees`).
   * @param target where it is to be moved: that tree is locked too.
   */
  take(id: ProjectId, target?: NamespaceId): Promise<HeldProject | undefined>;
  /** @throws Invalid "has already been taken" at `name` or `path`. */
  add(project: NewProject): Promise<ProjectId>;
  /** @throws Invalid "has already been taken" at `name` or `path`. */
  update(id: ProjectId, changes: ProjectChanges, at: Date): Promise<void>;
  /**
   * Puts it into another namespace, under the same name. Whoever has it there decides anew which groups it is shared with: none.
   * @throws Invalid "has already been taken" at `name` or `path`; NotFound "Namespace" when that is gone.
   */
  move(id: ProjectId, namespaceId: NamespaceId, at: Date): Promise<void>;
  /** Hides the project and frees its name until it is removed. False when it is gone already. */
  requestRemoval(id: ProjectId, at: Date): Promise<boolean>;
  remove(id: ProjectId): Promise<void>;
}

/** The direct memberships of groups, or of projects: `ownerId` is the id of one. */
export interface MemberRepository<OwnerId extends GroupId | ProjectId = GroupId | ProjectId> {
  find(ownerId: number, userId: UserId): Promise<Member | undefined>;
  /** @throws Conflict "Member already exists". */
  add(ownerId: number, member: Member): Promise<void>;
  update(ownerId: number, userId: UserId, changes: Pick<Member, 'accessLevel' | 'expiresAt'>): Promise<void>;
  /** False when they are none any more. */
  remove(ownerId: number, userId: UserId): Promise<boolean>;
  /** Removes memberships that ended before or on `today`, of all or of one person in one place, at most `limit`, and answers which. */
  removeExpired(
    today: string,
    limit: number,
    of?: { readonly ownerId: number; readonly userId: UserId },
  ): Promise<readonly { readonly ownerId: OwnerId; readonly userId: UserId }[]>;
}

export interface OwnedGroup {
  readonly id: GroupId;
  readonly fullPath: string;
  readonly owners: readonly LastingOwner[];
}

export interface GroupOwnerRepository {
  /**
   * Locks the trees of the groups that a user is a direct member of until the work ends, then reads the top-level groups that they own
   * for good, with all owners of that kind.
   * @param groupId this group alone; one below another never is among them.
   */
  takeOwnedBy(userId: UserId, groupId?: GroupId): Promise<readonly OwnedGroup[]>;
  /** The direct owners of one group, wherever it is, whose membership doesn't end. */
  lastingOwnersOf(groupId: GroupId): Promise<readonly LastingOwner[]>;
}
