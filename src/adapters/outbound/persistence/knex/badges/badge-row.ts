import type { Badge, BadgePlace } from '../../../../../domain/badges/badge.js';
import type { RowOf } from '../tables.js';

export type BadgeRow = RowOf<'badges'>;

const placeOf = ({ id, project_id, namespace_id }: BadgeRow): BadgePlace => {
  if (project_id !== null) return { kind: 'project', id: project_id };
  if (namespace_id !== null) return { kind: 'group', id: namespace_id };
  throw new Error(`Badge ${id} belongs nowhere.`);
};

export const toBadge = (row: BadgeRow): Badge => ({
  id: row.id,
  place: placeOf(row),
  name: row.name,
  linkUrl: row.link_url,
  imageUrl: row.image_url,
});

/** The columns that say where a badge belongs. */
export const columnsOf = (place: BadgePlace): Pick<BadgeRow, 'project_id' | 'namespace_id'> =>
  place.kind === 'project'
    ? { project_id: place.id, namespace_id: null }
    : { project_id: null, namespace_id: place.id };
