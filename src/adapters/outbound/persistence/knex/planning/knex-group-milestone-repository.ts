import type {
  GroupMilestone,
  GroupMilestoneRepository,
  NewGroupMilestone,
} from '../../../../../application/planning/ports/group-milestones.js';
import type { Moved } from '../../../../../application/planning/ports/group-labels.js';
import type { MilestoneFields, MilestoneState } from '../../../../../domain/planning/milestone.js';
import { Invalid } from '../../../../../domain/shared/domain-error.js';
import type { GroupId, ProjectId } from '../../../../../domain/shared/identifiers.js';
import { onUniqueViolation } from '../dialect/on-unique-violation.js';
import type { Session } from '../session.js';
import { searchKey } from '../text-search.js';
import { ABOVE_GROUP } from './hold-labels.js';
import { holdPlanned } from './hold-planned.js';
import { leaveMilestonesBehind } from './leave-milestones-behind.js';
import { GROUP_MILESTONE_IDS, groupMilestoneIn } from './milestone-ids.js';

const taken = () => new Invalid({ title: ['has already been taken'] });
const takenBelow = () => new Invalid({ title: ['has already been taken in a project that uses the milestone'] });
const REFUSALS = {
  group_milestones_group_id_title_unique: taken,
  milestones_project_id_title_unique: takenBelow,
  milestones_group_milestone_id_project_id_unique: takenBelow,
};

const NEXT_NUMBER = `update namespaces set last_milestone_iid = coalesce(last_milestone_iid, 0) + 1 where id = ?
  returning last_milestone_iid as iid`;

const IS_TAKEN = `with recursive ${ABOVE_GROUP} select group_milestones.id from above
  join group_milestones on group_milestones.group_id = above.id
  where group_milestones.title = ? and group_milestones.id <> ? limit 1`;

/** Projects in a group and in those below it, without groups that have a milestone of this title themselves: there it means that one. */
const INSIDE = `inside (id) as (
  select id from namespaces where id = ? union all
  select namespaces.id from namespaces join inside on namespaces.parent_id = inside.id
  where not exists (
    select 1 from group_milestones where group_milestones.group_id = namespaces.id and group_milestones.title = ?))`;

const BECOME = `with recursive ${INSIDE}
  update milestones set group_milestone_id = ? where title = ? and group_milestone_id is null
  and project_id in (select id from projects where namespace_id in (select id from inside))`;

const columnsOf = ({ title, description, startDate, dueDate }: MilestoneFields) => ({
  title,
  description,
  search_key: searchKey(title, description),
  start_date: startDate,
  due_date: dueDate,
});

export class KnexGroupMilestoneRepository implements GroupMilestoneRepository {
  constructor(private readonly session: Session) {}

  async hold(groupId: GroupId): Promise<boolean> {
    const { query, dialect } = this.session;
    const [group] = await dialect.lockRows(query('namespaces').where({ id: groupId, kind: 'group' }).select('id'));
    return group !== undefined;
  }

  async countOf(groupId: GroupId): Promise<number> {
    const [row] = await this.session.query('group_milestones').where({ group_id: groupId }).count({ count: '*' });
    return Number(row?.['count'] ?? 0);
  }

  async findTitled(groupId: GroupId, title: string): Promise<number | undefined> {
    const row = await this.session.query('group_milestones').where({ group_id: groupId, title }).first('id');
    return row && GROUP_MILESTONE_IDS + row.id;
  }

  async add(groupId: GroupId, { createdAt, state = 'active', ...fields }: NewGroupMilestone): Promise<number> {
    await this.#refuseTaken(groupId, fields, 0);
    const { query, dialect } = this.session;
    const [number] = await this.session.run<{ readonly iid: number }>(NEXT_NUMBER, [groupId]);
    const at = dialect.writeInstant(createdAt);
    const insert = query('group_milestones')
      .insert({
        group_id: groupId,
        iid: Number(number!.iid),
        ...columnsOf(fields),
        state,
        created_at: at,
        updated_at: at,
      })
      .returning('id');
    const [row] = await onUniqueViolation(insert, REFUSALS);
    return GROUP_MILESTONE_IDS + row!.id;
  }

  async take(groupId: GroupId, id: number): Promise<GroupMilestone | undefined> {
    const { query, dialect } = this.session;
    const [row] = await dialect.lockRows(
      query('group_milestones')
        .where({ group_id: groupId, id: groupMilestoneIn(id) ?? 0 })
        .select('title', 'description', 'state', 'start_date', 'due_date'),
    );
    if (row === undefined) return undefined;
    const { title, description, state, start_date: startDate, due_date: dueDate } = row;
    return { id, title, description, state, startDate, dueDate };
  }

  async holdMergeRequests(groupId: GroupId, id: number): Promise<void> {
    const used = this.session
      .query('milestones')
      .join('group_milestones', 'group_milestones.id', 'milestones.group_milestone_id')
      .where({ group_id: groupId, group_milestone_id: groupMilestoneIn(id) ?? 0 });
    await holdPlanned(this.session, 'merge_requests', used.select('milestones.id'));
  }

  async update(groupId: GroupId, { id, ...fields }: GroupMilestone, at: Date): Promise<void> {
    const groupMilestoneId = groupMilestoneIn(id) ?? 0;
    await this.#refuseTaken(groupId, fields, groupMilestoneId);
    await this.#write(groupMilestoneId, fields, at);
  }

  async remove(id: number): Promise<void> {
    const { query, dialect } = this.session;
    const groupMilestoneId = groupMilestoneIn(id) ?? 0;
    const used = query('milestones').where({ group_milestone_id: groupMilestoneId });
    // The rows of projects before what is planned for them, as those do who plan.
    await dialect.lockRows(used.clone().orderBy('id').select('id'));
    await holdPlanned(this.session, 'issues', used.select('id'));
    await query('group_milestones').where({ id: groupMilestoneId }).delete();
  }

  async holds(groupId: GroupId, projectId: ProjectId): Promise<boolean> {
    const found: unknown = await this.session
      .query('projects')
      .where({ id: projectId, namespace_id: groupId })
      .first('id');
    return found !== undefined;
  }

  async takeOver(groupId: GroupId, { id, ...fields }: GroupMilestone, at: Date): Promise<void> {
    const groupMilestoneId = groupMilestoneIn(id) ?? 0;
    const { title } = fields;
    await onUniqueViolation(this.session.run(BECOME, [groupId, title, groupMilestoneId, title]), REFUSALS);
    await this.#write(groupMilestoneId, fields, at);
  }

  leaveBehind(moved: Moved): Promise<void> {
    return leaveMilestonesBehind(this.session, moved);
  }

  /** To its row, and to those of all projects that use it, but for the description, which these have not. */
  async #write(
    groupMilestoneId: number,
    { state, ...fields }: MilestoneFields & { readonly state: MilestoneState },
    at: Date,
  ): Promise<void> {
    const { query, dialect } = this.session;
    const columns = { ...columnsOf(fields), state, updated_at: dialect.writeInstant(at) };
    await onUniqueViolation(query('group_milestones').where({ id: groupMilestoneId }).update(columns), REFUSALS);
    await onUniqueViolation(
      query('milestones')
        .where({ group_milestone_id: groupMilestoneId })
        .update({ ...columns, description: '', search_key: '' }),
      REFUSALS,
    );
  }

  /** @throws Invalid. */
  async #refuseTaken(groupId: GroupId, { title }: Pick<MilestoneFields, 'title'>, exceptId: number): Promise<void> {
    const found = await this.session.run(IS_TAKEN, [groupId, title, exceptId]);
    if (found.length > 0) throw taken();
  }
}
