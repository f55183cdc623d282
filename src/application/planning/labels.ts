import {
  checkLabel,
  colorWrittenAs,
  DEFAULT_LABEL_COLOR,
  type Label,
  type LabelGroup,
  type UsableLabel,
} from '../../domain/planning/label.js';
import { Forbidden, NotFound } from '../../domain/shared/domain-error.js';
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
    const label = checkedLabel({ color: DEFAULT_LABEL_COLOR, description: '', priority: null, ...given });
    return this.unitOfWork.execute(async ({ labels }) => {
      await labels.hold(project.id);
      return labels.add(project.id, label, this.clock.now());
    });
  }

  /** @throws NotFound "Label"; Forbidden for one of a group; Invalid naming every problem; Conflict "Label already exists". */
  async edit(
    { project }: Permitted<'manage_labels'>,
    { id, name, color, description, priority }: Label,
    changes: Partial<Omit<Label, 'id'>>,
  ): Promise<Label> {
    const label = checkedLabel({ name, color, description, priority, ...changes });
    await this.unitOfWork.execute(async ({ labels }) => {
      await labels.hold(project.id);
      await requireOwn(labels, project.id, id);
      await labels.update(project.id, id, label, label.name !== name);
    });
    return { id, ...label };
  }

  /** @throws NotFound "Label"; Forbidden for one of a group. */
  async remove({ project }: Permitted<'manage_labels'>, { id }: Label): Promise<void> {
    await this.unitOfWork.execute(async ({ labels }) => {
      await labels.hold(project.id);
      await requireOwn(labels, project.id, id);
      await labels.remove(id);
    });
  }
}

/** @throws NotFound for one that has just been removed, or that the project can't use. */
export const requireLabel = async (labels: LabelRepository, projectId: ProjectId, id: number): Promise<UsableLabel> => {
  const label = await labels.find(projectId, id);
  if (label === undefined) throw new NotFound('Label');
  return label;
};

/** Why a label is not changed from somewhere else than its group. */
export const belongsTo = ({ fullPath }: LabelGroup): Forbidden =>
  new Forbidden(`The label belongs to the group ${fullPath}, and is changed there.`);

/** @throws NotFound, Forbidden. */
export const requireOwn = async (labels: LabelRepository, projectId: ProjectId, id: number): Promise<Label> => {
  const { group, ...label } = await requireLabel(labels, projectId, id);
  if (group !== null) throw belongsTo(group);
  return label;
};

/** The same with its color as it is stored. @throws Invalid naming every problem. */
export const checkedLabel = <Given extends Pick<Label, 'name' | 'color'>>(given: Given): Given => {
  const label = { ...given, color: colorWrittenAs(given.color) };
  const problems = new ProblemCollector();
  checkLabel(problems, label);
  problems.refuse();
  return label;
};
