import {
  bridgesFollowPipelines,
  pipelinesFollowBridges,
} from '../../application/pipelines/pipelines-follow-bridges.js';
import { pipelinesFollowMergeRequests } from '../../application/pipelines/pipelines-follow-merge-requests.js';
import { pipelinesFollowPushes } from '../../application/pipelines/pipelines-follow-pushes.js';
import { KnexCommitStatusRepository } from '../../adapters/outbound/persistence/knex/pipelines/knex-commit-status-repository.js';
import { KnexPipelineRepository } from '../../adapters/outbound/persistence/knex/pipelines/knex-pipeline-repository.js';
import { KnexCiArtifactRepository } from '../../adapters/outbound/persistence/knex/pipelines/knex-ci-artifact-repository.js';
import { KnexCiJobRepository } from '../../adapters/outbound/persistence/knex/pipelines/knex-ci-job-repository.js';
import { KnexCiRunnerRepository } from '../../adapters/outbound/persistence/knex/pipelines/knex-ci-runner-repository.js';
import { KnexFreezePeriodRepository } from '../../adapters/outbound/persistence/knex/pipelines/knex-freeze-period-repository.js';
import { KnexResourceGroupRepository } from '../../adapters/outbound/persistence/knex/pipelines/knex-resource-group-repository.js';
import { KnexScheduleRepository } from '../../adapters/outbound/persistence/knex/pipelines/knex-schedule-repository.js';
import { KnexStarterRepository } from '../../adapters/outbound/persistence/knex/pipelines/knex-starter-repository.js';
import { KnexTriggerRepository } from '../../adapters/outbound/persistence/knex/pipelines/knex-trigger-repository.js';
import { defineStorage } from './storage.js';

export const pipelinesStorage = defineStorage({
  name: 'pipelines',
  stores: {
    pipelines: ({ session }) => new KnexPipelineRepository(session),
    ciJobs: ({ session }) => new KnexCiJobRepository(session),
    ciRunners: ({ session }) => new KnexCiRunnerRepository(session),
    pipelineTriggers: ({ session }) => new KnexTriggerRepository(session),
    pipelineStarters: ({ session }) => new KnexStarterRepository(session),
    pipelineSchedules: ({ session }) => new KnexScheduleRepository(session),
    freezePeriods: ({ session }) => new KnexFreezePeriodRepository(session),
    resourceGroups: ({ session }) => new KnexResourceGroupRepository(session),
    ciArtifacts: ({ session }) => new KnexCiArtifactRepository(session),
    commitStatuses: ({ session }) => new KnexCommitStatusRepository(session),
  },
  subscribers: [pipelinesFollowPushes, pipelinesFollowMergeRequests, pipelinesFollowBridges, bridgesFollowPipelines],
});
