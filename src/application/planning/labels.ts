import { checkLabel, DEFAULT_LABEL_COLOR, type Label } from '../../domain/planning/label.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { LabelRepository } from './ports/planning-repositories.js';

/** The labels of a project. */
export class Labels {
  constructor(
    private readonly unitOfWork: UnitOfWork<{ readonly labels: LabelRepository }>,
    private readonly clock: Clock,
  ) {}

  /** @throws Invalid naming every problem; Conflict "Label already exists". */
  async add(projectId: ProjectId, given: Partial<Omit<Label, 'id'>> & Pick<Label, 'name'>): Promise<Label> {
    const label = { color: DEFAULT_LABEL_COLOR, description: '', ...given };
    check(label);
    return this.unitOfWork.execute(({ labels }) => labels.add(projectId, label, this.clock.now()));
  }

  /** @throws Invalid naming every problem; Conflict "Label already exists". */
  async edit({ id, ...before }: Label, changes: Partial<Omit<Label, 'id'>>): Promise<Label> {
    const label = { ...before, ...changes };
    check(label);
    await this.unitOfWork.execute(({ labels }) => labels.update(id, label));
    return { id, ...label };
  }

  async remove({ id }: Label): Promise<void> {
    await this.unitOfWork.execute(({ labels }) => labels.remove(id));
  }
}

const check = (label: Pick<Label, 'name' | 'color'>): void => {
  const problems = new ProblemCollector();
  checkLabel(problems, label);
  problems.refuse();
};
