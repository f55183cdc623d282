import type { Knex } from 'knex';
import type { ListedLabel } from '../../../../../application/planning/ports/planning-readers.js';
import type { LabelGroup, UsableLabel } from '../../../../../domain/planning/label.js';
import type { GroupId, ProjectId, UserId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { asciiPattern } from '../text-search.js';
import { lineageOf } from '../visibility/lineage.js';
import { GROUP_LABEL_IDS } from './label-ids.js';

/** A label with the group that it is of, if any, as lists read it. */
export interface ListedLabelRow {
  readonly id: number;
  readonly name: string;
  readonly color: string;
  readonly description: string;
  readonly priority: number | null;
  readonly group_id: GroupId | null;
  readonly group_name: string | null;
  readonly group_path: string | null;
  readonly subscribed: number | string;
}

const groupOf = ({ group_id: id, group_name: name, group_path: fullPath }: ListedLabelRow): LabelGroup | null =>
  id === null ? null : { id, name: name ?? '', fullPath: fullPath ?? '' };

export const toUsableLabel = (row: ListedLabelRow): UsableLabel => ({
  id: row.id,
  name: row.name,
  color: row.color,
  description: row.description,
  priority: row.priority,
  group: groupOf(row),
});

export const toListedLabel = (row: ListedLabelRow): ListedLabel => ({
  ...toUsableLabel(row),
  subscribed: Number(row.subscribed) > 0,
});

/** The columns of a label of a project itself. */
export const columnsOfOwn = (query: Knex, subscriber: UserId | null) => [
  ...['labels.id', 'labels.name', 'labels.color', 'labels.description', 'labels.priority'],
  {
    group_id: query.raw('cast(null as bigint)'),
    group_name: query.raw('cast(null as text)'),
    group_path: query.raw('cast(null as text)'),
    subscribed: query('label_subscriptions')
      .whereRaw('label_subscriptions.label_id = labels.id and label_subscriptions.user_id = ?', [subscriber ?? 0])
      .count('*'),
  },
];

/** The columns of a label of a group, with its row in `namespaces` joined. @param priority what the project says, where one lists it. */
export const columnsOfGroups = (query: Knex, subscriber: UserId | null, priority: string) => [
  {
    id: query.raw(`group_labels.id + ${GROUP_LABEL_IDS}`),
    name: 'group_labels.name',
    color: 'group_labels.color',
    description: 'group_labels.description',
    priority: query.raw(priority),
    group_id: 'group_labels.group_id',
    group_name: 'namespaces.name',
    group_path: 'namespaces.full_path',
    subscribed: query('group_label_subscriptions')
      .whereRaw(
        'group_label_subscriptions.group_label_id = group_labels.id and group_label_subscriptions.user_id = ?',
        [subscriber ?? 0],
      )
      .count('*'),
  },
];

/** Labels of groups above a project, of each name the nearest, where the project has none of that name itself. */
const ofGroupsAbove = (query: Knex, projectId: ProjectId, subscriber: UserId | null): Knex.QueryBuilder => {
  const namespace = query('projects').where({ id: projectId }).select('namespace_id');
  const ranked = query
    .from(lineageOf(query, namespace).select('id', 'distance').as('above'))
    .join('group_labels', 'group_labels.group_id', 'above.id')
    .join('namespaces', 'namespaces.id', 'above.id')
    .leftJoin({ used: 'labels' }, (join) => {
      join.on('used.name', 'group_labels.name').andOnVal('used.project_id', projectId);
    })
    .whereRaw('(used.id is null or used.group_label_id = group_labels.id)')
    .select(...columnsOfGroups(query, subscriber, 'used.priority'), {
      place: query.raw('row_number() over (partition by group_labels.name order by above.distance)'),
    });
  return query
    .from(ranked.as('ranked'))
    .where('place', 1)
    .select('id', 'name', 'color', 'description', 'priority', 'group_id', 'group_name', 'group_path', 'subscribed');
};

interface Usable {
  /** Whose subscriptions are told. */
  readonly subscriber?: UserId | null;
  /** Without those of groups above, unless these are asked for. */
  readonly withThoseAbove?: boolean;
}

/** `usable`: the labels that issues and merge requests of a project can have, whether any has it yet or not. */
export const usableLabels = (
  { query }: Session,
  projectId: ProjectId,
  { subscriber = null, withThoseAbove = true }: Usable = {},
): Knex.QueryBuilder => {
  const own = query('labels')
    .where({ project_id: projectId })
    .whereNull('group_label_id')
    .select(...columnsOfOwn(query, subscriber));
  const all = withThoseAbove ? own.unionAll([ofGroupsAbove(query, projectId, subscriber)]) : own;
  return query.from(all.as('usable'));
};

/** Narrows a list of labels to those that have a text in their name or description. */
export const narrowLabels = (list: Knex.QueryBuilder, { dialect }: Session, search: string | undefined): void => {
  if (search === undefined) return;
  const pattern = asciiPattern(search);
  void list.where((found) => {
    for (const text of ['name', 'description']) void found.orWhereRaw(dialect.isLikeAscii(text), [pattern]);
  });
};

/** Labels of an id, or of a name: digits alone are an id. */
export const whereNamed = (list: Knex.QueryBuilder, idOrName: string): Knex.QueryBuilder =>
  list.where(/^\d{1,15}$/.test(idOrName) ? { id: Number(idOrName) } : { name: idOrName });
