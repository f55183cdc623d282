import { checkLabel, colorWrittenAs, DEFAULT_LABEL_COLOR, type Label } from '../../domain/planning/label.js';
import { NotFound } from '../../domain/shared/domain-error.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { Permitted } from '../shared/permitted.js';
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
  async add(
    { project }: Permitted<'manage_labels'>,
    given: Partial<Omit<Label, 'id'>> & Pick<Label, 'name'>,
  ): Promise<Label> {
    const label = checked({ color: DEFAULT_LABEL_COLOR, description: '', priority: null, ...given });
    return this.unitOfWork.execute(({ labels }) => labels.add(project.id, label, this.clock.now()));
  }

  /** @throws NotFound "Label"; Invalid naming every problem; Conflict "Label already exists". */
  async edit(
    { project }: Permitted<'manage_labels'>,
    { id, ...before }: Label,
    changes: Partial<Omit<Label, 'id'>>,
  ): Promise<Label> {
    const label = checked({ ...before, ...changes });
    await this.unitOfWork.execute(async ({ labels }) => {
      await requireLabel(labels, project.id, id);
      await labels.update(id, label);
    });
    return { id, ...label };
  }

  /** @throws NotFound "Label". */
  async remove({ project }: Permitted<'manage_labels'>, { id }: Label): Promise<void> {
    await this.unitOfWork.execute(async ({ labels }) => {
      await requireLabel(labels, project.id, id);
      await labels.remove(id);
    });
  }
}

/** @throws NotFound for one that has just been removed, or belongs to another project. */
export const requireLabel = async (labels: LabelRepository, projectId: ProjectId, id: number): Promise<void> => {
  if ((await labels.find(projectId, id)) === undefined) throw new NotFound('Label');
};

/** The same with its color as it is stored. @throws Invalid naming every problem. */
const checked = <Given extends Pick<Label, 'name' | 'color'>>(given: Given): Given => {
  const label = { ...given, color: colorWrittenAs(given.color) };
  const problems = new ProblemCollector();
  checkLabel(problems, label);
  problems.refuse();
  return label;
};
