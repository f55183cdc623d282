import type { BadgeQuery, BadgeReader, BadgesOf } from '../../../../../application/badges/ports/badge-ports.js';
import type { Badge } from '../../../../../domain/badges/badge.js';
import type { Page } from '../../../../../domain/shared/page.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import { lineageOf } from '../visibility/lineage.js';
import { toBadge, type BadgeRow } from './badge-row.js';

export class KnexBadgeReader implements BadgeReader {
  constructor(private readonly session: Session) {}

  list({ of, name, page }: BadgeQuery): Promise<Page<Badge>> {
    const list = this.#of(of).orderBy('id');
    if (name !== undefined) void list.where({ name });
    return pageOfRows(this.session, list, page, toBadge);
  }

  async find(of: BadgesOf, id: number): Promise<Badge | undefined> {
    const row = (await this.#of(of).where({ id }).first()) as BadgeRow | undefined;
    return row && toBadge(row);
  }

  #of(of: BadgesOf) {
    const { query } = this.session;
    const badges = query('badges').select('*');
    if ('groupId' in of) return badges.where({ namespace_id: of.groupId });
    return badges.where((each) => {
      const above = lineageOf(query, of.namespaceId).select('id');
      void each.where({ project_id: of.projectId }).orWhereIn('namespace_id', above);
    });
  }
}
