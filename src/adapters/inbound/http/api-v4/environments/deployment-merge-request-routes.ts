import type { DeployedCommits } from '../../../../../application/environments/deployed-commits.js';
import type { EnvironmentReader } from '../../../../../application/environments/ports/environment-ports.js';
import type { MergeRequestReader } from '../../../../../application/review/ports/merge-request-ports.js';
import { nothingInBatches } from '../../../../../application/shared/page-in-batches.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { found, inProject, PROJECT_ID } from '../../kit/guards.js';
import { routesOf } from '../../kit/routes-of.js';
import type { Route } from '../../route.js';
import { pathId } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { ListedMergeRequestSchema, presentListedMergeRequest } from '../merge-requests/merge-request-schema.js';

export interface DeploymentMergeRequestParts {
  readonly access: WorkspaceAccess;
  readonly environmentReader: Pick<EnvironmentReader, 'findDeployment'>;
  readonly deployedCommits: DeployedCommits;
  readonly mergeRequestReader: Pick<MergeRequestReader, 'list'>;
  readonly urls: WebUrls;
}

const { list } = routesOf({ tag: 'Deployments' });

export const listDeploymentMergeRequests = (parts: DeploymentMergeRequestParts): Route =>
  list('/projects/:id/deployments/:deployment_id/merge_requests', 'listDeploymentMergeRequests', {
    summary: 'Merge requests that a deployment was the first to bring to its environment',
    description: 'Of one that succeeded, those that were merged by its newest 500 commits which were not there before.',
    access: 'anyone',
    parameters: { id: PROJECT_ID, deployment_id: pathId('Numeric id of the deployment') },
    items: ListedMergeRequestSchema,
    guard: found('Deployment', 'deployment_id', inProject(parts.access, 'read_pipelines'), ({ project }, id) =>
      parts.environmentReader.findDeployment(project.id, id),
    ),
    read: async ({ actor, subject: { project, deployment }, page }) => {
      const commits = await parts.deployedCommits.of(deployment);
      if (commits.length === 0) return nothingInBatches();
      const merged = { projectId: project.id, state: 'merged', commits } as const;
      const viewer = parts.access.viewer(actor);
      return parts.mergeRequestReader.list({ ...merged, viewer, orderBy: 'created_at', sort: 'desc', page });
    },
    present: (mergeRequest, { subject: { project } }) =>
      presentListedMergeRequest(mergeRequest, parts.urls, { project: project.fullPath }),
  });
