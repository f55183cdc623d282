import type { GroupLabelRepository, Moved } from '../../../../../application/planning/ports/group-labels.js';
import type { Label, NamedLabel } from '../../../../../domain/planning/label.js';
import { Conflict } from '../../../../../domain/shared/domain-error.js';
import type { GroupId, NamespaceId, ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { ABOVE_GROUP, holdLabelsOfBoth, holdLabelsOfGroup } from './hold-labels.js';
import { GROUP_LABEL_IDS, groupLabelIn } from './label-ids.js';
import { leaveLabelsBehind } from './leave-labels-behind.js';
import { mergeIntoOthersNamed } from './merge-labels.js';

const IS_TAKEN = `with recursive ${ABOVE_GROUP} select group_labels.id from above
  join group_labels on group_labels.group_id = above.id where group_labels.name = ? and group_labels.id <> ? limit 1`;

/** A group and those below it, without those that have a label of this name themselves: what is in these means that one. */
const INSIDE = `inside (id) as (
  select id from namespaces where id = ? union all
  select namespaces.id from namespaces join inside on namespaces.parent_id = inside.id
  where not exists (select 1 from group_labels where group_labels.group_id = namespaces.id and group_labels.name = ?))`;

const BECOME = `with recursive ${INSIDE}
  update labels set group_label_id = ?, color = ?, description = ? where name = ? and group_label_id is null
  and project_id in (select id from projects where namespace_id in (select id from inside))`;

export class KnexGroupLabelRepository implements GroupLabelRepository {
  constructor(private readonly session: Session) {}

  hold(groupId: GroupId): Promise<boolean> {
    return holdLabelsOfGroup(this.session, groupId);
  }

  async countOf(groupId: GroupId): Promise<number> {
    const [row] = await this.session.query('group_labels').where({ group_id: groupId }).count({ count: '*' });
    return Number(row?.['count'] ?? 0);
  }

  async find(groupId: GroupId, which: { readonly id: number } | { readonly name: string }): Promise<Label | undefined> {
    const row = await this.session
      .query('group_labels')
      .where({ group_id: groupId, ...('id' in which ? { id: groupLabelIn(which.id) ?? 0 } : which) })
      .first();
    return row && { ...namedIn(row), id: GROUP_LABEL_IDS + row.id, priority: null };
  }

  async add(groupId: GroupId, label: NamedLabel, at: Date): Promise<Label> {
    await this.#refuseTaken(groupId, label, 0);
    const { query, dialect } = this.session;
    const [row] = await query('group_labels')
      .insert({ group_id: groupId, ...namedIn(label), created_at: dialect.writeInstant(at) })
      .returning('id');
    return { ...namedIn(label), id: GROUP_LABEL_IDS + row!.id, priority: null };
  }

  async update(groupId: GroupId, { id, ...label }: NamedLabel & Pick<Label, 'id'>): Promise<void> {
    const groupLabelId = groupLabelIn(id) ?? 0;
    await this.#refuseTaken(groupId, label, groupLabelId);
    const { query } = this.session;
    await query('group_labels').where({ id: groupLabelId }).update(namedIn(label));
    await mergeIntoOthersNamed(this.session, groupLabelId, label.name);
    await query('labels').where({ group_label_id: groupLabelId }).update(namedIn(label));
  }

  async remove(id: number): Promise<void> {
    await this.session
      .query('group_labels')
      .where({ id: groupLabelIn(id) ?? 0 })
      .delete();
  }

  async holds(groupId: GroupId, projectId: ProjectId): Promise<boolean> {
    const found: unknown = await this.session
      .query('projects')
      .where({ id: projectId, namespace_id: groupId })
      .first('id');
    return found !== undefined;
  }

  async takeOver(groupId: GroupId, { id, name, color, description }: Label): Promise<void> {
    const groupLabelId = groupLabelIn(id) ?? 0;
    const { session } = this;
    await session.run(BECOME, [groupId, name, groupLabelId, color, description, name]);
    const subscriptions = `from label_subscriptions where label_id in (select id from labels where group_label_id = ?)`;
    await session.run(
      `insert into group_label_subscriptions (group_label_id, user_id, created_at)
       select cast(? as bigint), user_id, min(created_at) ${subscriptions} group by user_id on conflict do nothing`,
      [groupLabelId, groupLabelId],
    );
    await session.run(`delete ${subscriptions}`, [groupLabelId]);
  }

  async leaveBehind(moved: Moved, from: NamespaceId | null): Promise<void> {
    await holdLabelsOfBoth(this.session, moved, from);
    await leaveLabelsBehind(this.session, moved);
  }

  /** @throws Conflict. */
  async #refuseTaken(groupId: GroupId, { name }: Pick<Label, 'name'>, exceptId: number): Promise<void> {
    const taken = await this.session.run(IS_TAKEN, [groupId, name, exceptId]);
    if (taken.length > 0) throw new Conflict('Label already exists');
  }
}

const namedIn = ({ name, color, description }: NamedLabel): NamedLabel => ({ name, color, description });
