import type { ActivityQuery, Position } from '../../../../../application/activity/ports/activity-reader.js';
import type { Sight } from './sight.js';

/** A page that is looked for: at most `count` entries of a list, as far as the viewer sees them. */
export interface Search {
  readonly query: ActivityQuery;
  readonly sight: Sight;
  /** The entry before the page; absent at the beginning. */
  readonly after: Position | undefined;
  readonly count: number;
}
