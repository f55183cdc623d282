import type { GroupId, NamespaceId, UserId } from '../../../domain/shared/identifiers.js';
import type { VisibilitiesInside } from '../../../domain/workspace/visibility-cap.js';
import type { Visibility } from '../../../domain/shared/visibility.js';

export interface PersonalNamespace {
  readonly ownerId: UserId;
  readonly username: string;
  readonly name: string;
  readonly createdAt: Date;
}

/** A namespace of a tree that is locked. */
export interface HeldNamespace {
  readonly id: NamespaceId;
  /** The narrowest of its own and those of all groups that hold it. */
  readonly visibility: Visibility;
}

/** A *tree* is a top-level group, or a person's own namespace, with everything below it. */
export interface NamespaceRepository {
  /**
   * Locks the trees that these namespaces belong to until the work ends, and reads the namespaces as they are then; one that is gone
   * is left out. Works take trees before they take projects, so that none waits for another that waits for it.
   */
  takeTrees(ids: readonly NamespaceId[]): Promise<readonly HeldNamespace[]>;
  /** Of everything below a group that isn't about to be removed. */
  visibilitiesInside(id: GroupId): Promise<VisibilitiesInside>;
  /** @throws Conflict "Username has already been taken" when a group has that path. */
  addPersonal(namespace: PersonalNamespace): Promise<NamespaceId>;
  /**
   * The paths of the projects below follow.
   * @throws Conflict "Username has already been taken" when a group has that path.
   */
  renamePersonal(ownerId: UserId, username: string, name: string): Promise<void>;
}
