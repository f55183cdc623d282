import type { LabelRepository } from '../../../../../application/planning/ports/planning-repositories.js';
import type { Label } from '../../../../../domain/planning/label.js';
import { Conflict } from '../../../../../domain/shared/domain-error.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { onUniqueViolation } from '../dialect/on-unique-violation.js';
import type { Session } from '../session.js';

const REFUSALS = { labels_project_id_name_unique: () => new Conflict('Label already exists') };

export const toLabel = ({ id, name, color, description, priority }: Label): Label => ({
  id,
  name,
  color,
  description,
  priority,
});

export class KnexLabelRepository implements LabelRepository {
  constructor(private readonly session: Session) {}

  async add(projectId: ProjectId, label: Omit<Label, 'id'>, at: Date): Promise<Label> {
    const { query, dialect } = this.session;
    const insert = query('labels')
      .insert({ project_id: projectId, ...label, created_at: dialect.writeInstant(at) })
      .returning('*');
    const [row] = (await onUniqueViolation(insert, REFUSALS)) as Label[];
    return toLabel(row!);
  }

  async find(projectId: ProjectId, id: number): Promise<Label | undefined> {
    const row = (await this.session.query('labels').where({ project_id: projectId, id }).first()) as Label | undefined;
    return row && toLabel(row);
  }

  async update(id: number, { name, color, description, priority }: Omit<Label, 'id'>): Promise<void> {
    const update = this.session.query('labels').where({ id }).update({ name, color, description, priority });
    await onUniqueViolation(update, REFUSALS);
  }

  async remove(id: number): Promise<void> {
    await this.session.query('labels').where({ id }).delete();
  }
}
