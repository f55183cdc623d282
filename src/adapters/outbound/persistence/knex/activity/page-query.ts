import type { ActivityQuery, Position } from '../../../../../application/activity/ports/activity-reader.js';
import type { VisibleFeeds } from './visible-feeds.js';

/** A page that is looked for: at most `count` entries of a list, as far as the viewer sees them. */
export interface PageQuery {
  readonly query: ActivityQuery;
  readonly visibleFeeds: VisibleFeeds;
  /** The entry before the page; absent at the beginning. */
  readonly after: Position | undefined;
  readonly count: number;
}
