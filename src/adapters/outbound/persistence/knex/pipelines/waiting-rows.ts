import type { BegunBridge } from '../../../../../application/pipelines/ports/ci-job-ports.js';
import type { PlannedJob } from '../../../../../domain/pipelines/ci-file/plan.js';
import type { WaitingJob } from '../../../../../domain/pipelines/job-processing.js';
import type { SharingJob } from '../../../../../domain/pipelines/resource-group.js';
import type { RowOf } from '../tables.js';

export const toWaitingJob = (
  row: Pick<
    RowOf<'ci_jobs'>,
    'id' | 'stage_index' | 'run_when' | 'needs' | 'resource_group' | 'start_in_seconds' | 'bridge'
  > &
    Pick<RowOf<'commit_statuses'>, 'name' | 'status' | 'allow_failure'>,
): WaitingJob => ({
  id: row.id,
  name: row.name,
  stageIndex: row.stage_index,
  status: row.status,
  allowFailure: Boolean(row.allow_failure),
  when: row.run_when,
  needs: row.needs === null ? null : (JSON.parse(row.needs) as string[]),
  resourceGroup: row.resource_group,
  startInSeconds: row.start_in_seconds,
  bridge: row.bridge !== null,
});

export type SharingRow = Pick<RowOf<'ci_jobs'>, 'id' | 'pipeline_id' | 'resource_group' | 'bridge'> &
  Pick<RowOf<'commit_statuses'>, 'status'>;

export type BegunRow = Pick<RowOf<'ci_jobs'>, 'id' | 'project_id'> & Pick<RowOf<'commit_statuses'>, 'author_id'>;

/** What kind of pipeline a job starts; null for one of a runner. */
export const bridgeOf = ({ trigger }: PlannedJob): RowOf<'ci_jobs'>['bridge'] => {
  if (trigger === undefined) return null;
  return 'include' in trigger ? 'child' : 'project';
};

export const toSharingJob = (row: SharingRow): SharingJob => ({
  id: row.id,
  pipelineId: row.pipeline_id,
  resourceGroup: row.resource_group ?? '',
  bridge: row.bridge !== null,
  status: row.status,
});

export const toBegunBridge = (row: BegunRow): BegunBridge => ({
  id: row.id,
  projectId: row.project_id,
  userId: row.author_id,
});
