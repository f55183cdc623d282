import type { Group, Namespace, Project } from '../../domain/workspace/namespace.js';
import type { Visibility } from '../../domain/shared/visibility.js';
import type { GroupPermission, ProjectPermission } from '../../domain/workspace/workspace-policy.js';

/** Nothing has a value here: it keeps one permission from being taken for another, and any object from being taken for a permission. */
declare const GRANTED: unique symbol;

interface Granted<Permission> {
  readonly [GRANTED]: Permission;
}

/** Proof that the caller may do this to a project. `WorkspaceAccess` alone hands it out. */
export interface PermittedProject<P extends ProjectPermission> extends Granted<P> {
  readonly project: Project;
  /** The effective level; an administrator's is that of an owner. */
  readonly level: number;
  readonly directLevel: number;
  /** Through the groups that hold it, or that it is shared with. */
  readonly groupLevel: number;
}

/** Proof that the caller may do this to a group. `WorkspaceAccess` alone hands it out. */
export interface PermittedGroup<P extends GroupPermission> extends Granted<P> {
  readonly group: Group;
  readonly level: number;
}

/** Proof that the caller may create projects in a namespace: a group, or a person's own. `WorkspaceAccess` alone hands it out. */
export type PermittedNamespace = Namespace & { readonly visibility: Visibility } & Granted<'create_projects'>;

/** What a use case asks for that needs a permission: `Permitted<'manage_labels'>`. */
export type Permitted<P extends ProjectPermission | GroupPermission> = [P] extends [ProjectPermission]
  ? PermittedProject<P>
  : [P] extends [GroupPermission]
    ? PermittedGroup<P>
    : never;
