import type {
  MilestoneChanges,
  MilestoneRepository,
  NewMilestone,
} from '../../../../../application/planning/ports/planning-repositories.js';
import type { Milestone, MilestoneState } from '../../../../../domain/planning/milestone.js';
import { Invalid } from '../../../../../domain/shared/domain-error.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { onUniqueViolation } from '../dialect/on-unique-violation.js';
import type { Session } from '../session.js';
import { nextNumber } from '../shared/project-counter.js';
import { searchKey } from '../text-search.js';
import { toMilestone, type MilestoneRow } from './milestone-row.js';

const REFUSALS = {
  milestones_project_id_title_unique: () => new Invalid({ title: ['has already been taken'] }),
};

export class KnexMilestoneRepository implements MilestoneRepository {
  constructor(private readonly session: Session) {}

  async add({ projectId, title, description, startDate, dueDate, createdAt }: NewMilestone): Promise<Milestone> {
    const { query, dialect } = this.session;
    const at = dialect.writeInstant(createdAt);
    const insert = query('milestones')
      .insert({
        project_id: projectId,
        iid: await nextNumber(this.session, projectId, 'milestone'),
        title,
        description,
        search_key: searchKey(title, description),
        state: 'active',
        start_date: startDate,
        due_date: dueDate,
        created_at: at,
        updated_at: at,
      })
      .returning('*');
    const [row] = await onUniqueViolation(insert, REFUSALS);
    return toMilestone(row!, dialect);
  }

  async take(projectId: ProjectId, id: number): Promise<Milestone | undefined> {
    const { query, dialect } = this.session;
    const [row] = await dialect.lockRows(query('milestones').where({ project_id: projectId, id }));
    return row && toMilestone(row, dialect);
  }

  async update(id: number, changes: MilestoneChanges, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    const before = (await query('milestones').where({ id }).first('title', 'description')) as
      Pick<MilestoneRow, 'title' | 'description'> | undefined;
    if (before === undefined) return;
    const { title = before.title, description = before.description, startDate, dueDate } = changes;
    const update = query('milestones')
      .where({ id })
      .update({
        title,
        description,
        search_key: searchKey(title, description),
        ...(startDate === undefined ? {} : { start_date: startDate }),
        ...(dueDate === undefined ? {} : { due_date: dueDate }),
        updated_at: dialect.writeInstant(at),
      });
    await onUniqueViolation(update, REFUSALS);
  }

  async changeState(id: number, state: MilestoneState, at: Date): Promise<boolean> {
    const { query, dialect } = this.session;
    const changed = await query('milestones')
      .where({ id })
      .whereNot({ state })
      .update({ state, updated_at: dialect.writeInstant(at) });
    return changed > 0;
  }

  async remove(id: number): Promise<void> {
    await this.session.query('milestones').where({ id }).delete();
  }
}
