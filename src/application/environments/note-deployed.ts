import type { CodeWorkRepository } from '../repositories/ports/repository-repositories.js';
import type { SetFollower } from '../shared/domain-events.js';
import type { DeployedCommits } from './deployed-commits.js';
import type { EnvironmentReader, EnvironmentRepositories } from './ports/environment-ports.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';

/** Asks for what a deployment brought to be found out once it has succeeded: that takes git. */
export const deployedIsNoted: SetFollower<{ readonly codeWorks: CodeWorkRepository }> = {
  follow: async (events, { codeWorks }) => {
    for (const event of events) {
      if (event.kind !== 'deployment_changed' || event.deployment.status !== 'success') continue;
      const { deployment, by: userId, at } = event;
      const payload = { deploymentId: deployment.id };
      await codeWorks.add({ kind: 'note_deployed', projectId: deployment.projectId, userId, payload }, at);
    }
  },
};

type Needs = Pick<EnvironmentRepositories, 'deployments'>;

/** Notes which merge requests a deployment was the first to bring to its environment: by that lists find them. */
export class NoteDeployed {
  constructor(
    private readonly reader: Pick<EnvironmentReader, 'findDeployment'>,
    private readonly commits: DeployedCommits,
  ) {}

  /** @returns what notes it within a unit of work; undefined where it brought nothing. */
  async find(
    projectId: ProjectId,
    deploymentId: number,
  ): Promise<((repositories: Needs) => Promise<void>) | undefined> {
    const deployment = await this.reader.findDeployment(projectId, deploymentId);
    const commits = deployment === undefined ? [] : await this.commits.of(deployment);
    if (commits.length === 0) return undefined;
    return async ({ deployments }) => {
      // It may have been removed since it was read.
      if ((await deployments.take(deploymentId)) !== undefined) await deployments.noteBrought(deploymentId, commits);
    };
  }
}
