import type { DiffPosition, DiscussionPlace, ExcerptLine } from '../../../../../domain/shared/diff-position.js';
import type { RowOf } from '../tables.js';

type PlaceRow = RowOf<'discussion_positions'>;

/** Their fields in one order: a position is compared with one that was read before as text. */
const inOrder = ({ baseSha, startSha, headSha, oldPath, newPath, oldLine, newLine, first }: DiffPosition) => ({
  ...{ baseSha, startSha, headSha, oldPath, newPath, oldLine, newLine },
  first: first && { oldLine: first.oldLine, newLine: first.newLine },
});

export const positionText = (position: DiffPosition): string => JSON.stringify(inOrder(position));

export const toPlaceRow = (discussionId: number, place: DiscussionPlace): PlaceRow => ({
  discussion_id: discussionId,
  position: positionText(place.position),
  original: positionText(place.original),
  excerpt: JSON.stringify(place.excerpt),
  outdated: place.outdated,
});

export const toPlace = (row: PlaceRow): DiscussionPlace => ({
  position: JSON.parse(row.position) as DiffPosition,
  original: JSON.parse(row.original) as DiffPosition,
  excerpt: JSON.parse(row.excerpt) as readonly ExcerptLine[],
  outdated: Boolean(row.outdated),
});
