import type { AlertIntegrations } from '../../../../../application/alerts/alert-integrations.js';
import type { IntegrationReader } from '../../../../../application/alerts/ports/alert-readers.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { ProjectPermission } from '../../../../../domain/workspace/workspace-policy.js';
import type { TakeByHand } from '../../alert-intake/take-by-hand.js';
import { found, inProject, PROJECT_ID } from '../../kit/guards.js';
import { pathId } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';

export interface AlertIntegrationRoutesParts {
  readonly access: WorkspaceAccess;
  readonly alertIntegrations: AlertIntegrations;
  readonly integrationReader: IntegrationReader;
  readonly takeByHand: TakeByHand;
  readonly urls: WebUrls;
}

export const ALL_INTEGRATIONS = '/projects/:id/alert_integrations';
export const ONE_INTEGRATION = `${ALL_INTEGRATIONS}/:integration_id`;
export const IN_INTEGRATION = { id: PROJECT_ID, integration_id: pathId('Numeric id of the integration') };

/** The integration that a path names, for callers who may do this in its project. */
export const inIntegration = <P extends ProjectPermission>(
  { access, integrationReader }: AlertIntegrationRoutesParts,
  permission: P,
) =>
  found('Integration', 'integration_id', inProject(access, permission), ({ project }, id) =>
    integrationReader.find(project.id, id),
  );
