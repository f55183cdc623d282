import type { GroupId, NamespaceId, ProjectId, UserId } from '../../domain/shared/identifiers.js';

/** What happened to a project as a whole. */
export type ProjectEvent =
  | { readonly kind: 'project_created'; readonly projectId: ProjectId; readonly by: UserId; readonly at: Date }
  | {
      readonly kind: 'project_moved';
      readonly projectId: ProjectId;
      /** What held it before. */
      readonly fromId: NamespaceId;
      readonly by: UserId;
      readonly at: Date;
    };

/** A group was taken elsewhere, with everything in it. */
export interface GroupMovedEvent {
  readonly kind: 'group_moved';
  readonly groupId: GroupId;
  /** What held it before; null where it was at the top. */
  readonly fromId: GroupId | null;
}
