import type { DeployedCommits } from '../../application/environments/deployed-commits.js';
import type { Deployments } from '../../application/environments/deployments.js';
import type { EndEnvironments } from '../../application/environments/end-environments.js';
import type { Environments } from '../../application/environments/environments.js';
import type { NoteDeployed } from '../../application/environments/note-deployed.js';
import type { EnvironmentReader } from '../../application/environments/ports/environment-ports.js';
import { token } from './token.js';

/** Places that code is brought to. */
export interface EnvironmentUseCases {
  readonly environments: Environments;
  readonly deployments: Deployments;
  readonly deployedCommits: DeployedCommits;
  readonly noteDeployed: NoteDeployed;
  readonly endEnvironments: EndEnvironments;
  readonly environmentReader: EnvironmentReader;
}

export const ENVIRONMENT_TOKENS = {
  environments: token<EnvironmentUseCases>('EnvironmentUseCases'),
} as const;
