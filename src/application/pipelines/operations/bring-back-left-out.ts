import type { CiJob } from '../../../domain/pipelines/ci-job.js';
import type { CiJobRepository } from '../ports/ci-job-ports.js';

/** Of a pipeline that is held, jobs wait anew that were left out because of some that run once more. */
export const bringBackLeftOut = async (
  ciJobs: Pick<CiJobRepository, 'standingsOf' | 'setStatus'>,
  pipelineId: number,
  jobs: readonly Pick<CiJob, 'stageIndex'>[],
): Promise<void> => {
  const earliest = Math.min(...jobs.map(({ stageIndex }) => stageIndex));
  const leftOut = (await ciJobs.standingsOf(pipelineId)).filter(
    ({ status, stageIndex, needs }) => status === 'skipped' && (stageIndex > earliest || needs !== null),
  );
  if (leftOut.length > 0)
    await ciJobs.setStatus(
      leftOut.map(({ id }) => id),
      'created',
    );
};
