import { KnexCommitStatusRepository } from '../../adapters/outbound/persistence/knex/pipelines/knex-commit-status-repository.js';
import { KnexPipelineRepository } from '../../adapters/outbound/persistence/knex/pipelines/knex-pipeline-repository.js';
import { defineStorage } from './storage.js';

export const pipelinesStorage = defineStorage({
  name: 'pipelines',
  stores: {
    pipelines: ({ session }) => new KnexPipelineRepository(session),
    commitStatuses: ({ session }) => new KnexCommitStatusRepository(session),
  },
});
