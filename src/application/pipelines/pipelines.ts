import type { Pipeline } from '../../domain/pipelines/pipeline.js';
import { NotFound } from '../../domain/shared/domain-error.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { ForgetProject } from '../workspace/ports/forget-project.js';
import { giveResources, sharedBy, type JobNeeds } from './operations/go-on-with-pipeline.js';
import type { CiRepositories } from './ports/ci-job-ports.js';

/** Each has up to ten megabytes, and a pipeline has hundreds: others write in between. */
const LOGS_AT_ONCE = 10;

/**
 * Of a project that is held: some of its logs, or the pipeline, once few are left. Files of its jobs go later: nothing leads to them any
 * longer. @returns whether it is gone.
 */
export const removeSomeOfPipeline = async (repositories: JobNeeds, pipeline: Pipeline, at: Date): Promise<boolean> => {
  const { pipelines, ciJobs, events } = repositories;
  const emptied = await ciJobs.removeLogsOf([pipeline.id], LOGS_AT_ONCE);
  if (emptied.length === LOGS_AT_ONCE) {
    // Said of them, should it stay: whoever removes it may be stopped here.
    for (const id of emptied) await ciJobs.change(id, { logRemovedAt: at });
    return false;
  }
  const jobs = await ciJobs.standingsOf(pipeline.id);
  await pipelines.remove([pipeline.id]);
  await events.publish({ kind: 'pipeline_removed', pipeline, at });
  // What its jobs had is free now.
  await giveResources(repositories, { projectId: pipeline.projectId, shared: sharedBy(jobs), own: pipeline.id }, at);
  return true;
};

/** What is done to pipelines as a whole. */
export class Pipelines {
  constructor(
    private readonly unitOfWork: UnitOfWork<JobNeeds>,
    private readonly clock: Clock,
  ) {}

  /** With all that was said of its commit there. @throws NotFound. */
  async remove({ project }: Permitted<'remove_pipelines'>, id: number): Promise<void> {
    let gone = false;
    while (!gone)
      gone = await this.unitOfWork.execute(async (repositories) => {
        await repositories.pipelines.hold(project.id);
        const pipeline = await repositories.pipelines.find(id);
        if (pipeline?.projectId !== project.id) throw new NotFound();
        return removeSomeOfPipeline(repositories, pipeline, this.clock.now());
      });
  }
}

/** Each may have thousands of rows. */
const FORGOTTEN_AT_ONCE = 10;

/** Those of a project that is being removed. */
export const forgetPipelines: ForgetProject<Pick<JobNeeds, 'pipelines' | 'ciJobs'>> = async (
  { pipelines, ciJobs },
  projectId,
) => {
  const ids = await pipelines.oldestOf(projectId, FORGOTTEN_AT_ONCE);
  if ((await ciJobs.removeLogsOf(ids, LOGS_AT_ONCE)).length === LOGS_AT_ONCE) return 'more';
  await pipelines.remove(ids);
  return ids.length < FORGOTTEN_AT_ONCE ? 'done' : 'more';
};

/** Runners that take the jobs of this project alone. */
export const forgetRunners: ForgetProject<Pick<CiRepositories, 'ciRunners'>> = async ({ ciRunners }, projectId) => {
  await ciRunners.removeOfProject(projectId);
  return 'done';
};
