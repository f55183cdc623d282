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

export interface WorkspacePagesParts {
  readonly codeOverview: ProjectOverview;
  readonly users: UserReader;
  readonly reader: WorkspaceReader;
  readonly access: WorkspaceAccess;
}
