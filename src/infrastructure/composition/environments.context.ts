import { ContainerModule } from 'inversify';
import { DeployedCommits } from '../../application/environments/deployed-commits.js';
import { Deployments } from '../../application/environments/deployments.js';
import { EndEnvironments } from '../../application/environments/end-environments.js';
import { Environments } from '../../application/environments/environments.js';
import { forgetDeployments } from '../../application/environments/forget-environments.js';
import { NoteDeployed } from '../../application/environments/note-deployed.js';
import { listDeploymentMergeRequests } from '../../adapters/inbound/http/api-v4/environments/deployment-merge-request-routes.js';
import { createDeploymentRoutes } from '../../adapters/inbound/http/api-v4/environments/deployment-routes.js';
import { createEnvironmentRoutes } from '../../adapters/inbound/http/api-v4/environments/environment-routes.js';
import { addEnvironmentPages } from '../../adapters/inbound/http/pages/environments/environment-pages.js';
import { KnexEnvironmentReader } from '../../adapters/outbound/persistence/knex/environments/knex-environment-reader.js';
import type { Context } from './context.js';
import { environmentsStorage } from './environments.storage.js';
import { ENVIRONMENT_TOKENS } from './environments.tokens.js';
import { PIPELINE_TOKENS } from './pipelines.tokens.js';
import { REPOSITORY_TOKENS } from './repositories.tokens.js';
import { REVIEW_TOKENS } from './review.tokens.js';
import { EVERY_MINUTE } from './schedules.js';
import { TOKENS } from './tokens.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';

const environmentsModule = new ContainerModule(({ bind }) => {
  bind(ENVIRONMENT_TOKENS.environments).toResolvedValue(
    ({ reader: session }, unitOfWork, { refReader: refs, protections }, { objects, history }, clock) => {
      const environmentReader = new KnexEnvironmentReader(session);
      const deployedCommits = new DeployedCommits({ reader: environmentReader, refs, objects, history });
      return {
        environments: new Environments({ unitOfWork, protections, clock }),
        deployments: new Deployments({ unitOfWork, refs, objects, clock }),
        deployedCommits,
        noteDeployed: new NoteDeployed(environmentReader, deployedCommits),
        endEnvironments: new EndEnvironments({ unitOfWork, reader: environmentReader, refs, clock }),
        environmentReader,
      };
    },
    [TOKENS.database, TOKENS.unitOfWork, REPOSITORY_TOKENS.repositories, REPOSITORY_TOKENS.gitStores, TOKENS.clock],
  );
});

/** Places that code is brought to, and each time that it was. */
export const environmentsContext: Context<typeof environmentsStorage> = {
  storage: environmentsStorage,
  modules: [environmentsModule],
  routes: (get) => {
    const { access, relations } = get(WORKSPACE_TOKENS.workspace);
    const { refReader } = get(REPOSITORY_TOKENS.repositories);
    const { objects } = get(REPOSITORY_TOKENS.gitStores);
    const { ciJobReader } = get(PIPELINE_TOKENS.pipelines);
    const around = { access, relations, refReader, objects, ciJobReader };
    const parts = {
      ...around,
      ...get(ENVIRONMENT_TOKENS.environments),
      urls: get(TOKENS.webUrls),
      clock: get(TOKENS.clock),
    };
    const { mergeRequestReader } = get(REVIEW_TOKENS.review);
    return [
      ...createEnvironmentRoutes(parts),
      ...createDeploymentRoutes(parts),
      listDeploymentMergeRequests({ ...parts, mergeRequestReader }),
    ];
  },
  pages: (get) => (pages) => {
    const { ciJobReader } = get(PIPELINE_TOKENS.pipelines);
    const parts = get(ENVIRONMENT_TOKENS.environments);
    addEnvironmentPages(pages, { ...get(REPOSITORY_TOKENS.codePages), ...parts, ciJobReader });
  },
  forgetProject: [forgetDeployments],
  tasks: (get) => {
    const { endEnvironments } = get(ENVIRONMENT_TOKENS.environments);
    return [
      { name: 'environments whose time is over', pattern: EVERY_MINUTE, run: () => endEnvironments.whoseTimeIsOver() },
    ];
  },
};
