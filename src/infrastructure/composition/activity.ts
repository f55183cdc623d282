import type { ActivityReader } from '../../application/activity/ports/activity-reader.js';
import type { PruneActivity } from '../../application/activity/prune-activity.js';
import type { Cursors } from '../../adapters/inbound/http/pagination/cursor.js';

/** Between two batches of the removal: as long as one takes, so that it has half of the time at most. */
export const PAUSE_MS = 10;

/** What people did where. */
export interface ActivityUseCases {
  readonly activityReader: ActivityReader;
  readonly pruneActivity: PruneActivity;
  readonly cursors: Cursors;
  readonly retentionDays: number | undefined;
}
