import type { ActivityReader } from '../../application/activity/ports/activity-reader.js';
import type { PruneActivity } from '../../application/activity/prune-activity.js';
import type { Cursors } from '../../adapters/inbound/http/pagination/cursor.js';

/** What people did where. */
export interface ActivityUseCases {
  readonly activityReader: ActivityReader;
  readonly pruneActivity: PruneActivity;
  readonly cursors: Cursors;
  readonly retentionDays: number | undefined;
}
