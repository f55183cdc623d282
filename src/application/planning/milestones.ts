import { checkMilestone, type Milestone, type MilestoneFields } from '../../domain/planning/milestone.js';
import { NotFound } from '../../domain/shared/domain-error.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { UserActor } from '../shared/actor.js';
import type { DomainEvents } from '../shared/domain-events.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { MilestoneRepository } from './ports/planning-repositories.js';

export type CreateMilestoneCommand = Partial<MilestoneFields> & Pick<Milestone, 'title'>;
export type EditMilestoneCommand = Partial<MilestoneFields> & { readonly stateEvent?: 'close' | 'activate' };

interface Needs {
  readonly milestones: MilestoneRepository;
  readonly events: DomainEvents;
}

/** What issues of a project are planned for. */
export class Milestones {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly clock: Clock,
  ) {}

  /** @throws Invalid naming every problem. */
  async create(
    author: UserActor,
    { project }: Permitted<'manage_milestones'>,
    command: CreateMilestoneCommand,
  ): Promise<number> {
    const fields = fieldsOf(command);
    const at = this.clock.now();
    return this.unitOfWork.execute(async ({ milestones, events }) => {
      const milestone = await milestones.add({ ...fields, projectId: project.id, createdAt: at });
      await events.publish({ kind: 'milestone_opened', milestone, by: author.id, at });
      return milestone.id;
    });
  }

  /** @throws NotFound "Milestone"; Invalid naming every problem. */
  async edit(
    actor: UserActor,
    { project }: Permitted<'manage_milestones'>,
    id: number,
    { stateEvent, ...changes }: EditMilestoneCommand,
  ): Promise<void> {
    const at = this.clock.now();
    await this.unitOfWork.execute(async ({ milestones, events }) => {
      const before = await milestones.take(project.id, id);
      if (before === undefined) throw new NotFound('Milestone');
      const milestone = { ...before, ...changes };
      check(milestone);
      await milestones.update(before, milestone, at);
      if (stateEvent === undefined) return;
      const state = stateEvent === 'close' ? 'closed' : 'active';
      if (!(await milestones.changeState(id, state, at))) return;
      const kind = state === 'closed' ? 'milestone_closed' : 'milestone_reopened';
      await events.publish({ kind, milestone, by: actor.id, at });
    });
  }

  /** Its issues stay. @throws NotFound "Milestone". */
  async remove(actor: UserActor, { project }: Permitted<'manage_milestones'>, id: number): Promise<void> {
    const at = this.clock.now();
    await this.unitOfWork.execute(async ({ milestones, events }) => {
      await milestones.holdMergeRequests(project.id, id);
      const milestone = await milestones.take(project.id, id);
      if (milestone === undefined) throw new NotFound('Milestone');
      // Told first: whoever keeps something of it still finds it.
      await events.publish({ kind: 'milestone_removed', milestone, by: actor.id, at });
      await milestones.remove(id);
    });
  }
}

/** What a milestone is made with. @throws Invalid naming every problem. */
export const fieldsOf = (command: CreateMilestoneCommand): MilestoneFields => {
  const fields = { description: '', startDate: null, dueDate: null, ...command };
  check(fields);
  return fields;
};

/** @throws Invalid naming every problem. */
export const check = (milestone: MilestoneFields): void => {
  const problems = new ProblemCollector();
  checkMilestone(problems, milestone);
  problems.refuse();
};
