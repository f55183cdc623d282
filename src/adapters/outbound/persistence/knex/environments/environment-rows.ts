import type { Deployment } from '../../../../../domain/environments/deployment.js';
import type { Environment } from '../../../../../domain/environments/environment.js';
import type { Dialect } from '../dialect/dialect.js';
import { readInstantOrNull } from '../dialect/nullable-instants.js';
import type { RowOf } from '../tables.js';

export type EnvironmentRow = RowOf<'environments'>;
export type DeploymentRow = RowOf<'deployments'>;

export const toEnvironment = (row: EnvironmentRow, dialect: Dialect): Environment => ({
  id: row.id,
  projectId: row.project_id,
  name: row.name,
  slug: row.slug,
  externalUrl: row.external_url,
  tier: row.tier,
  state: row.state,
  createdAt: dialect.readInstant(row.created_at),
  updatedAt: dialect.readInstant(row.updated_at),
  autoStopAt: readInstantOrNull(dialect, row.auto_stop_at),
});

export const toDeployment = (row: DeploymentRow, dialect: Dialect): Deployment => ({
  id: row.id,
  projectId: row.project_id,
  iid: row.iid,
  environmentId: row.environment_id,
  jobId: row.job_id,
  byJob: Boolean(row.by_job),
  userId: row.user_id,
  ref: row.ref,
  tag: Boolean(row.tag),
  sha: row.sha,
  status: row.status,
  createdAt: dialect.readInstant(row.created_at),
  updatedAt: dialect.readInstant(row.updated_at),
  finishedAt: readInstantOrNull(dialect, row.finished_at),
});
