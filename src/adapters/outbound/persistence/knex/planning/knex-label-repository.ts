import type { LabelRepository } from '../../../../../application/planning/ports/planning-repositories.js';
import type { Label, UsableLabel } from '../../../../../domain/planning/label.js';
import { Conflict } from '../../../../../domain/shared/domain-error.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { onUniqueViolation } from '../dialect/on-unique-violation.js';
import type { Session } from '../session.js';
import { ABOVE_PROJECT, holdLabelsOfProject } from './hold-labels.js';
import { idOfLabel } from './label-ids.js';
import { toUsableLabel, usableLabels, type ListedLabelRow } from './usable-labels.js';

const TAKEN = 'Label already exists';
const REFUSALS = { labels_project_id_name_unique: () => new Conflict(TAKEN) };

/** A label of its row in a project. */
export const toLabel = ({
  name,
  color,
  description,
  priority,
  ...row
}: Label & { readonly group_label_id?: number | null }): Label => ({
  id: idOfLabel(row),
  name,
  color,
  description,
  priority,
});

const IS_ABOVE = `with recursive ${ABOVE_PROJECT} select group_labels.id from above
  join group_labels on group_labels.group_id = above.id where group_labels.name = ? limit 1`;

export class KnexLabelRepository implements LabelRepository {
  constructor(private readonly session: Session) {}

  hold(projectId: ProjectId): Promise<void> {
    return holdLabelsOfProject(this.session, projectId);
  }

  async add(projectId: ProjectId, label: Omit<Label, 'id'>, at: Date): Promise<Label> {
    await this.#refuseOneAbove(projectId, label);
    const { query, dialect } = this.session;
    const insert = query('labels')
      .insert({ project_id: projectId, ...label, created_at: dialect.writeInstant(at) })
      .returning('*');
    const [row] = (await onUniqueViolation(insert, REFUSALS)) as Label[];
    return toLabel(row!);
  }

  async find(projectId: ProjectId, id: number): Promise<UsableLabel | undefined> {
    const row = (await usableLabels(this.session, projectId).where({ id }).first()) as ListedLabelRow | undefined;
    return row && toUsableLabel(row);
  }

  async update(
    projectId: ProjectId,
    id: number,
    { name, color, description, priority }: Omit<Label, 'id'>,
    renamed: boolean,
  ): Promise<void> {
    if (renamed) await this.#refuseOneAbove(projectId, { name });
    const update = this.session.query('labels').where({ id }).update({ name, color, description, priority });
    await onUniqueViolation(update, REFUSALS);
  }

  async remove(id: number): Promise<void> {
    await this.session.query('labels').where({ id }).delete();
  }

  /** @throws Conflict. */
  async #refuseOneAbove(projectId: ProjectId, { name }: Pick<Label, 'name'>): Promise<void> {
    const above = await this.session.run(IS_ABOVE, [projectId, name]);
    if (above.length > 0) throw new Conflict(TAKEN);
  }
}
