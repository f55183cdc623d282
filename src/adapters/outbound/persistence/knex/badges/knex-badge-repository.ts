import type { BadgeRepository } from '../../../../../application/badges/ports/badge-ports.js';
import type { Badge, BadgeFields, BadgePlace } from '../../../../../domain/badges/badge.js';
import type { Session } from '../session.js';
import { columnsOf, toBadge, type BadgeRow } from './badge-row.js';

export class KnexBadgeRepository implements BadgeRepository {
  constructor(private readonly session: Session) {}

  async holdCount(place: BadgePlace): Promise<number> {
    await this.session.hold(`badges of ${place.kind} ${place.id}`);
    const [row] = await this.session.query('badges').where(columnsOf(place)).count({ all: '*' });
    return Number(row?.all);
  }

  async add(place: BadgePlace, { name, linkUrl, imageUrl }: BadgeFields, at: Date): Promise<Badge> {
    const { query, dialect } = this.session;
    const fields = { name, link_url: linkUrl, image_url: imageUrl, created_at: dialect.writeInstant(at) };
    const [row] = (await query('badges')
      .insert({ ...columnsOf(place), ...fields })
      .returning('*')) as BadgeRow[];
    return toBadge(row!);
  }

  async update(
    place: BadgePlace,
    id: number,
    { name, linkUrl, imageUrl }: Partial<BadgeFields>,
  ): Promise<Badge | undefined> {
    const [row] = (await this.session
      .query('badges')
      .where({ id, ...columnsOf(place) })
      .update({
        // An update needs a column, even where nothing changes.
        id,
        ...(name === undefined ? {} : { name }),
        ...(linkUrl === undefined ? {} : { link_url: linkUrl }),
        ...(imageUrl === undefined ? {} : { image_url: imageUrl }),
      })
      .returning('*')) as BadgeRow[];
    return row && toBadge(row);
  }

  async remove(place: BadgePlace, id: number): Promise<boolean> {
    const badge = this.session.query('badges').where({ id, ...columnsOf(place) });
    return (await badge.delete()) === 1;
  }
}
