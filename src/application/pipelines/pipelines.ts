import type { Pipeline } from '../../domain/pipelines/pipeline.js';
import { NotFound } from '../../domain/shared/domain-error.js';
import type { Permitted } from '../shared/permitted.js';
import type { DomainEvents } from '../shared/domain-events.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { ForgetProject } from '../workspace/ports/forget-project.js';
import type { CiRepositories } from './ports/ci-job-ports.js';
import type { PipelineRepositories } from './ports/pipeline-ports.js';

/** What removing a pipeline needs. */
export type RemovingPipelines = Pick<PipelineRepositories, 'pipelines'> & { readonly events: DomainEvents };

/** Of a project that is held. Files of its jobs go later: nothing leads to them any longer. */
export const removePipeline = async (
  { pipelines, events }: RemovingPipelines,
  pipeline: Pipeline,
  at: Date,
): Promise<void> => {
  await pipelines.remove(pipeline.id);
  await events.publish({ kind: 'pipeline_removed', pipeline, at });
};

/** What is done to pipelines as a whole. */
export class Pipelines {
  constructor(
    private readonly unitOfWork: UnitOfWork<RemovingPipelines>,
    private readonly clock: Clock,
  ) {}

  /** With all that was said of its commit there. @throws NotFound. */
  async remove({ project }: Permitted<'remove_pipelines'>, id: number): Promise<void> {
    await this.unitOfWork.execute(async (repositories) => {
      await repositories.pipelines.hold(project.id);
      const pipeline = await repositories.pipelines.find(id);
      if (pipeline?.projectId !== project.id) throw new NotFound();
      await removePipeline(repositories, pipeline, this.clock.now());
    });
  }
}

/** Each may have thousands of rows. */
const FORGOTTEN_AT_ONCE = 10;

/** Those of a project that is being removed. */
export const forgetPipelines: ForgetProject<Pick<PipelineRepositories, 'pipelines'>> = async (
  { pipelines },
  projectId,
) => ((await pipelines.removeOfProject(projectId, FORGOTTEN_AT_ONCE)) < FORGOTTEN_AT_ONCE ? 'done' : 'more');

/** Runners that take the jobs of this project alone. */
export const forgetRunners: ForgetProject<Pick<CiRepositories, 'ciRunners'>> = async ({ ciRunners }, projectId) => {
  await ciRunners.removeOfProject(projectId);
  return 'done';
};
