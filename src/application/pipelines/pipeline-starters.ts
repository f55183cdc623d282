import { NotFound, NotPossible } from '../../domain/shared/domain-error.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { StarterRepositories } from './ports/starter-ports.js';

type Manager = Permitted<'manage_triggers'>;

/** More than people look after. */
const MOST_STARTERS = 200;

/** Those who look after a project say whose jobs may start its pipelines; its own always may. */
export class PipelineStarters {
  constructor(
    private readonly unitOfWork: UnitOfWork<StarterRepositories>,
    private readonly clock: Clock,
  ) {}

  /** @throws NotPossible for one that is let in already, or one too many. */
  async letIn({ project }: Manager, { project: starter }: Permitted<'read_project'>): Promise<void> {
    if (starter.id === project.id) throw new NotPossible('Jobs of a project may start its own pipelines as it is.');
    const at = this.clock.now();
    await this.unitOfWork.execute(async ({ pipelineStarters }) => {
      if ((await pipelineStarters.holdAndCount(project.id)) >= MOST_STARTERS)
        throw new NotPossible(`A project lets in the jobs of at most ${MOST_STARTERS} others.`);
      if (!(await pipelineStarters.add(project.id, starter.id, at)))
        throw new NotPossible('Jobs of that project are let in already.');
    });
  }

  /** @throws NotFound where it isn't let in. */
  async shutOut({ project }: Manager, starterId: ProjectId): Promise<void> {
    await this.unitOfWork.execute(async ({ pipelineStarters }) => {
      if (!(await pipelineStarters.remove(project.id, starterId))) throw new NotFound('Project');
    });
  }
}
