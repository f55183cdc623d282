import { NotFound } from '../../domain/shared/domain-error.js';
import type { Permitted } from '../shared/permitted.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { ForgetProject } from '../workspace/ports/forget-project.js';
import type { PipelineRepositories } from './ports/pipeline-ports.js';

/** What is done to pipelines as a whole. */
export class Pipelines {
  constructor(private readonly unitOfWork: UnitOfWork<PipelineRepositories>) {}

  /** With all that was said of its commit there. @throws NotFound. */
  async remove({ project }: Permitted<'remove_pipelines'>, id: number): Promise<void> {
    await this.unitOfWork.execute(async ({ pipelines }) => {
      await pipelines.hold(project.id);
      if ((await pipelines.find(id))?.projectId !== project.id) throw new NotFound();
      await pipelines.remove(id);
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
