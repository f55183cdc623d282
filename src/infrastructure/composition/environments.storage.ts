import { environmentsFollowJobs } from '../../application/environments/follow-jobs.js';
import { environmentsFollowPushes } from '../../application/environments/follow-pushes.js';
import { deployedIsNoted } from '../../application/environments/note-deployed.js';
import { KnexDeploymentRepository } from '../../adapters/outbound/persistence/knex/environments/knex-deployment-repository.js';
import { KnexEnvironmentJobRepository } from '../../adapters/outbound/persistence/knex/environments/knex-environment-job-repository.js';
import { KnexEnvironmentRepository } from '../../adapters/outbound/persistence/knex/environments/knex-environment-repository.js';
import { defineStorage } from './storage.js';

export const environmentsStorage = defineStorage({
  name: 'environments',
  stores: {
    environments: ({ session }) => new KnexEnvironmentRepository(session),
    deployments: ({ session }) => new KnexDeploymentRepository(session),
    environmentJobs: ({ session }) => new KnexEnvironmentJobRepository(session),
  },
  subscribers: [environmentsFollowJobs, environmentsFollowPushes, deployedIsNoted],
});
