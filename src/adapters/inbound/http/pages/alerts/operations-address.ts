import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { IntegrationType } from '../../../../../domain/alerts/integration.js';
import type { ProjectPermission } from '../../../../../domain/workspace/workspace-policy.js';
import type { PageContext } from '../page-context.js';
import { actorOf } from '../page-session.js';
import { projectPath } from '../project-path.js';

/** Where the settings of alerts are; each section has a page of its own below. */
export const OPERATIONS_SETTINGS = '/*path/-/settings/operations';

/** As many integrations as a page shows. */
export const ALL_INTEGRATIONS = { page: 1, perPage: 100 };

export const TYPE_WORDS: Readonly<Record<IntegrationType, string>> = {
  generic: 'Generic',
  http_endpoint: 'HTTP Endpoint',
  prometheus: 'External Prometheus',
  link: 'Link to an incident-management product',
};

export const addressOfOperations = ({ project }: Pick<PermittedProject<ProjectPermission>, 'project'>): string =>
  `/${project.fullPath}/-/settings/operations`;

/** The project of an address, for whoever may do this there. @throws NotFound, Forbidden. */
export const inProjectOfPage =
  <Permission extends ProjectPermission>({ access }: { readonly access: WorkspaceAccess }, permission: Permission) =>
  ({ browser, request }: PageContext): Promise<PermittedProject<Permission>> =>
    access.project(actorOf(browser), projectPath(request), permission);
