import type { UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { WorkspaceReader } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';

/** What another part of the product shows on the page of a project. */
export interface ProjectOverview {
  /** What its template needs; undefined where it is not for them to see. */
  show(actor: Actor, project: PermittedProject<'read_project'>): Promise<Readonly<Record<string, unknown>> | undefined>;
}

/** What of a project stands below its title, made by another part of the product. */
export interface BelowTitle {
  show(actor: Actor, project: PermittedProject<'read_project'>): Promise<readonly unknown[]>;
}

export interface WorkspacePagesParts {
  readonly badgesOfProject: BelowTitle;
  readonly codeOverview: ProjectOverview;
  readonly users: UserReader;
  readonly reader: WorkspaceReader;
  readonly access: WorkspaceAccess;
}
