import type { Knex } from 'knex';
import type { GroupLabelQuery, GroupLabelReader } from '../../../../../application/planning/ports/group-labels.js';
import type { ListedLabel } from '../../../../../application/planning/ports/planning-readers.js';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { UsableLabel } from '../../../../../domain/planning/label.js';
import type { GroupId, UserId } from '../../../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../../../domain/shared/page.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import { idsInside, lineageOf } from '../visibility/lineage.js';
import { visibleGroups, visibleProjects, wherePermitted } from '../visibility/visible.js';
import {
  columnsOfGroups,
  columnsOfOwn,
  narrowLabels,
  toListedLabel,
  toUsableLabel,
  whereNamed,
  type ListedLabelRow,
} from './usable-labels.js';

/** Below all that are above. */
const BELOW = 1_000;

export class KnexGroupLabelReader implements GroupLabelReader {
  constructor(private readonly session: Session) {}

  list(
    viewer: Viewer,
    groupId: GroupId,
    page: PageRequest,
    { search, subscriber, above, below, ofProjects }: GroupLabelQuery,
  ): Promise<Page<ListedLabel>> {
    const { query } = this.session;
    const seenBelow = below
      ? visibleGroups(query, viewer).whereIn('namespaces.id', idsInside(query, groupId))
      : undefined;
    const labels = this.#ofGroups(groupId, subscriber, (scope) => {
      void scope.where('near.distance', above ? '>=' : '=', 0);
      if (seenBelow !== undefined)
        void scope.orWhereIn('group_labels.group_id', seenBelow.clone().select('namespaces.id'));
    });
    if (ofProjects) {
      const seen = wherePermitted(visibleProjects(query, viewer), viewer, 'read_labels')
        .whereIn('projects.namespace_id', below ? idsInside(query, groupId) : [groupId])
        .select('projects.id');
      const own = query('labels').whereNull('group_label_id').whereIn('project_id', seen);
      void labels.unionAll([own.select(...columnsOfOwn(query, subscriber), { distance: query.raw(`${BELOW}`) })]);
    }
    const list = query.from(labels.as('labels_there')).select('*').orderBy('name').orderBy('distance').orderBy('id');
    narrowLabels(list, this.session, search);
    return pageOfRows(this.session, list, page, toListedLabel);
  }

  async find(groupId: GroupId, idOrName: string): Promise<UsableLabel | undefined> {
    const labels = this.#ofGroups(groupId, null, (scope) => void scope.whereNotNull('near.id'));
    const list = this.session.query.from(labels.as('labels_there')).select('*').orderBy('distance');
    const row = (await whereNamed(list, idOrName).first()) as ListedLabelRow | undefined;
    return row && toUsableLabel(row);
  }

  #ofGroups(groupId: GroupId, subscriber: UserId | null, scope: (scope: Knex.QueryBuilder) => void): Knex.QueryBuilder {
    const { query } = this.session;
    return query('group_labels')
      .join('namespaces', 'namespaces.id', 'group_labels.group_id')
      .leftJoin(lineageOf(query, groupId).select('id', 'distance').as('near'), 'near.id', 'group_labels.group_id')
      .where(scope)
      .select(...columnsOfGroups(query, subscriber, 'cast(null as integer)'), {
        distance: query.raw(`coalesce(near.distance, ${BELOW})`),
      });
  }
}
