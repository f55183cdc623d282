import type { NamespaceId, UserId } from '../../../domain/shared/identifiers.js';

export interface PersonalNamespace {
  readonly ownerId: UserId;
  readonly username: string;
  readonly name: string;
  readonly createdAt: Date;
}

export interface NamespaceRepository {
  /** @throws Conflict "Username has already been taken" when a group has that path. */
  addPersonal(namespace: PersonalNamespace): Promise<NamespaceId>;
  /**
   * The paths of the projects below follow.
   * @throws Conflict "Username has already been taken" when a group has that path.
   */
  renamePersonal(ownerId: UserId, username: string, name: string): Promise<void>;
}
