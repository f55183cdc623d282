import type {
  MilestoneRepository,
  NewMilestone,
} from '../../../../../application/planning/ports/planning-repositories.js';
import type { MilestoneFields, MilestoneState, ProjectMilestone } from '../../../../../domain/planning/milestone.js';
import { Invalid } from '../../../../../domain/shared/domain-error.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { onUniqueViolation } from '../dialect/on-unique-violation.js';
import type { Session } from '../session.js';
import { nextNumber } from '../shared/project-counter.js';
import { searchKey } from '../text-search.js';
import { ABOVE_PROJECT } from './hold-labels.js';
import { holdPlanned } from './hold-planned.js';
import { OWN_COLUMNS, toMilestone, type MilestoneRow } from './milestone-row.js';
import { useMilestone } from './use-milestone.js';

type OwnRow = Pick<MilestoneRow, (typeof OWN_COLUMNS)[number]>;

const taken = () => new Invalid({ title: ['has already been taken'] });
const REFUSALS = { milestones_project_id_title_unique: taken };

const IS_ABOVE = `with recursive ${ABOVE_PROJECT} select group_milestones.id from above
  join group_milestones on group_milestones.group_id = above.id where group_milestones.title = ? limit 1`;

export class KnexMilestoneRepository implements MilestoneRepository {
  constructor(private readonly session: Session) {}

  async add({ projectId, title, description, startDate, dueDate, createdAt }: NewMilestone): Promise<ProjectMilestone> {
    await this.#refuseOneAbove(projectId, title);
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
      .returning([...OWN_COLUMNS]);
    const [row] = (await onUniqueViolation(insert, REFUSALS)) as OwnRow[];
    return this.#toOwn(row!);
  }

  async take(projectId: ProjectId, id: number): Promise<ProjectMilestone | undefined> {
    const { query, dialect } = this.session;
    const own = query('milestones').where({ project_id: projectId, id }).whereNull('group_milestone_id');
    const [row] = (await dialect.lockRows(own.select(...OWN_COLUMNS))) as OwnRow[];
    return row && this.#toOwn(row);
  }

  async holdMergeRequests(projectId: ProjectId, id: number): Promise<void> {
    const own = this.session.query('milestones').where({ project_id: projectId, id }).whereNull('group_milestone_id');
    await holdPlanned(this.session, 'merge_requests', own.select('id'));
  }

  use(projectId: ProjectId, id: number): Promise<number | undefined> {
    return useMilestone(this.session, projectId, id);
  }

  async update(
    { id, projectId, title: before }: ProjectMilestone,
    { title, description, startDate, dueDate }: MilestoneFields,
    at: Date,
  ): Promise<void> {
    if (title !== before) await this.#refuseOneAbove(projectId, title);
    const { query, dialect } = this.session;
    const update = query('milestones')
      .where({ id })
      .update({
        title,
        description,
        search_key: searchKey(title, description),
        start_date: startDate,
        due_date: dueDate,
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
    const removed = this.session.query('milestones').where({ id });
    await holdPlanned(this.session, 'issues', removed.clone().select('id'));
    await removed.delete();
  }

  #toOwn(row: OwnRow): ProjectMilestone {
    const milestone = toMilestone({ ...row, group_iid: null, group_id: null, group_path: null }, this.session.dialect);
    return { ...milestone, projectId: row.project_id };
  }

  /** @throws Invalid. */
  async #refuseOneAbove(projectId: ProjectId, title: string): Promise<void> {
    const above = await this.session.run(IS_ABOVE, [projectId, title]);
    if (above.length > 0) throw taken();
  }
}
