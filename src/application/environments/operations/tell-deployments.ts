import type { Deployment } from '../../../domain/environments/deployment.js';
import type { DeploymentEvent } from '../../shared/ci-events.js';
import type { DomainEvents } from '../../shared/domain-events.js';

type Told = Pick<Deployment, 'id' | 'projectId' | 'status' | 'userId'>;

/** Tells that deployments stand otherwise than before. Nobody is told of those behind which nobody stands any more. */
export const tellDeployments = async (
  events: DomainEvents,
  at: Date,
  ...deployments: readonly Told[]
): Promise<void> => {
  const happened = deployments.flatMap(({ id, projectId, status, userId: by }): readonly DeploymentEvent[] =>
    by === null ? [] : [{ kind: 'deployment_changed', deployment: { id, projectId, status }, by, at }],
  );
  if (happened.length > 0) await events.publish(...happened);
};
