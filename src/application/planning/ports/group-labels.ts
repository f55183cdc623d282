import type { Label, NamedLabel, UsableLabel } from '../../../domain/planning/label.js';
import type { GroupId, NamespaceId, ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../domain/shared/page.js';
import type { Viewer } from '../../workspace/ports/workspace-readers.js';
import type { ListedLabel } from './planning-readers.js';

/** What was taken out of a group, or out of somebody's own namespace. */
export type Moved = { readonly projectId: ProjectId } | { readonly groupId: GroupId };

export interface GroupLabelRepository {
  /**
   * Holds the labels of the tree of a group until the work ends: of many who change labels there, add some to projects, or move projects or
   * groups, each waits for the one before. Asked before anything else here. False where the group is gone.
   */
  hold(groupId: GroupId): Promise<boolean>;
  /** How many labels a group has itself. */
  countOf(groupId: GroupId): Promise<number>;
  /** One of the group itself. */
  find(groupId: GroupId, which: { readonly id: number } | { readonly name: string }): Promise<Label | undefined>;
  /** @throws Conflict "Label already exists" where the group, or one above it, has one of that name. */
  add(groupId: GroupId, label: NamedLabel, at: Date): Promise<Label>;
  /**
   * In projects that have another label of its new name, what has it gets that one.
   *
   * @throws Conflict as `add` does.
   */
  update(groupId: GroupId, label: NamedLabel & Pick<Label, 'id'>): Promise<void>;
  /** Whatever has it loses it. */
  remove(id: number): Promise<void>;
  /** Whether a project is in this group itself. */
  holds(groupId: GroupId, projectId: ProjectId): Promise<boolean>;
  /**
   * Makes the labels of that name of all projects in the group, and in those below it that have none of that name themselves, this one; with
   * whoever follows them.
   */
  takeOver(groupId: GroupId, label: Label): Promise<void>;
  /**
   * Labels of groups that are not above a project any more become its own.
   *
   * @param from what held it before; null for a group that was at the top.
   */
  leaveBehind(moved: Moved, from: NamespaceId | null): Promise<void>;
}

export interface GroupLabelQuery {
  /** Part of the name or description; case does not count for letters from A to Z. */
  readonly search?: string;
  /** Whose subscriptions are told. */
  readonly subscriber: UserId | null;
  /** Those of the groups above as well. */
  readonly above: boolean;
  /** Those of groups below as well, as far as the viewer sees these. */
  readonly below: boolean;
  /** Those of projects as well, as far as the viewer sees these. */
  readonly ofProjects: boolean;
}

export interface GroupLabelReader {
  list(viewer: Viewer, groupId: GroupId, page: PageRequest, query: GroupLabelQuery): Promise<Page<ListedLabel>>;
  /** The group's own, or the nearest above it. @param idOrName digits alone are an id. */
  find(groupId: GroupId, idOrName: string): Promise<UsableLabel | undefined>;
}
