import type { DeploymentStatus } from '../../../../../domain/environments/deployment.js';
import type { EnvironmentState, EnvironmentTier } from '../../../../../domain/environments/environment.js';
import type { CiEnvironment } from '../../../../../domain/pipelines/ci-file/ci-config.js';
import type { CheckStatus } from '../../../../../domain/pipelines/commit-status.js';
import { bigInteger, boolean, code, id, instant, key, link, nullable, reference, table, text } from './table.js';

export const ENVIRONMENT_TABLES = {
  environments: table({
    key: ['id'],
    size: 'many',
    columns: {
      id,
      project_id: reference('projects'),
      name: key,
      slug: key,
      external_url: nullable(text),
      tier: code<EnvironmentTier>(),
      state: code<EnvironmentState>(),
      created_at: instant,
      updated_at: instant,
      auto_stop_at: nullable(instant),
    },
  }),
  deployments: table({
    key: ['id'],
    size: 'many',
    columns: {
      id,
      project_id: reference('projects'),
      iid: bigInteger,
      environment_id: reference('environments'),
      job_id: link('ci_jobs'),
      by_job: boolean,
      user_id: link('users'),
      ref: key,
      tag: boolean,
      sha: text,
      status: code<DeploymentStatus>(),
      created_at: instant,
      updated_at: instant,
      finished_at: nullable(instant),
    },
  }),
  deployed_merge_requests: table({
    key: ['deployment_id', 'merge_request_id'],
    size: 'many',
    columns: { deployment_id: reference('deployments'), merge_request_id: reference('merge_requests') },
  }),
  environment_jobs: table({
    key: ['job_id'],
    size: 'many',
    columns: {
      job_id: reference('ci_jobs'),
      pipeline_id: reference('pipelines'),
      environment_id: reference('environments'),
      action: code<CiEnvironment['action']>(),
      status: code<CheckStatus>(),
    },
  }),
};
