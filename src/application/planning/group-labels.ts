import {
  DEFAULT_LABEL_COLOR,
  MAX_LABELS_OF_GROUP,
  type Label,
  type NamedLabel,
  type UsableLabel,
} from '../../domain/planning/label.js';
import { NotFound, NotPossible } from '../../domain/shared/domain-error.js';
import type { GroupId } from '../../domain/shared/identifiers.js';
import type { Group } from '../../domain/workspace/namespace.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { belongsTo, checkedLabel, requireOwn } from './labels.js';
import type { GroupLabelRepository } from './ports/group-labels.js';
import type { LabelRepository } from './ports/planning-repositories.js';

interface Needs {
  readonly labels: LabelRepository;
  readonly groupLabels: GroupLabelRepository;
}

type Manager = Permitted<'manage_group_labels'>;

/** The labels of a group, which all projects in it and below it can use. */
export class GroupLabels {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly clock: Clock,
  ) {}

  /** @throws Invalid naming every problem; Conflict "Label already exists"; NotPossible where there are enough; NotFound "Group". */
  async add({ group }: Manager, given: Partial<NamedLabel> & Pick<Label, 'name'>): Promise<Label> {
    const label = checkedLabel({ color: DEFAULT_LABEL_COLOR, description: '', ...given });
    return this.unitOfWork.execute(async ({ groupLabels }) => {
      await hold(groupLabels, group.id);
      return addTo(groupLabels, group.id, label, this.clock.now());
    });
  }

  /** @throws Invalid naming every problem; Conflict "Label already exists"; NotFound; Forbidden for one of a group above. */
  async edit({ group }: Manager, before: UsableLabel, changes: Partial<NamedLabel>): Promise<Label> {
    requireOwnOf(group, before);
    const { id, name, color, description } = before;
    const label = { id, ...checkedLabel({ name, color, description, ...changes }) };
    await this.unitOfWork.execute(async ({ groupLabels }) => {
      await hold(groupLabels, group.id);
      await require(groupLabels, group.id, id);
      await groupLabels.update(group.id, label);
    });
    return { ...label, priority: null };
  }

  /** Whatever has it, in any project, loses it. @throws NotFound; Forbidden for one of a group above. */
  async remove({ group }: Manager, label: UsableLabel): Promise<void> {
    requireOwnOf(group, label);
    const { id } = label;
    await this.unitOfWork.execute(async ({ groupLabels }) => {
      await hold(groupLabels, group.id);
      await require(groupLabels, group.id, id);
      await groupLabels.remove(id);
    });
  }

  /**
   * Makes a label of a project one of the group that the project is in, and with it those of that name of all projects there: what has any of
   * them has this one.
   *
   * @throws NotFound, Forbidden for one that is a group's already, Conflict where a group further up has one of that name, NotPossible.
   */
  async promote(
    { project }: Permitted<'manage_labels'>,
    { group }: Manager,
    { id }: Pick<Label, 'id'>,
  ): Promise<Label> {
    const at = this.clock.now();
    return this.unitOfWork.execute(async ({ labels, groupLabels }) => {
      await hold(groupLabels, group.id);
      const label = await requireOwn(labels, project.id, id);
      // Somebody has moved it since.
      if (!(await groupLabels.holds(group.id, project.id))) throw new NotFound('Label');
      const { name } = label;
      const promoted = (await groupLabels.find(group.id, { name })) ?? (await addTo(groupLabels, group.id, label, at));
      await groupLabels.takeOver(group.id, promoted);
      return promoted;
    });
  }
}

/** @throws Forbidden. */
const requireOwnOf = ({ id }: Pick<Group, 'id'>, { group }: UsableLabel): void => {
  if (group !== null && group.id !== id) throw belongsTo(group);
};

/** @throws NotFound. */
const hold = async (groupLabels: GroupLabelRepository, groupId: GroupId): Promise<void> => {
  if (!(await groupLabels.hold(groupId))) throw new NotFound('Group');
};

/** @throws NotFound for one that has just been removed, or belongs to another group. */
const require = async (groupLabels: GroupLabelRepository, groupId: GroupId, id: number): Promise<void> => {
  if ((await groupLabels.find(groupId, { id })) === undefined) throw new NotFound('Label');
};

/** @throws NotPossible, Conflict. */
const addTo = async (
  groupLabels: GroupLabelRepository,
  groupId: GroupId,
  label: NamedLabel,
  at: Date,
): Promise<Label> => {
  if ((await groupLabels.countOf(groupId)) >= MAX_LABELS_OF_GROUP)
    throw new NotPossible(`A group has no more than ${MAX_LABELS_OF_GROUP} labels.`);
  return groupLabels.add(groupId, label, at);
};
