import type { ActivityReader } from '../../application/activity/ports/activity-reader.js';
import type { PruneActivity } from '../../application/activity/prune-activity.js';
import type { Cursors } from '../../adapters/inbound/http/pagination/cursor.js';
import type { ScheduledWork } from './context.js';
import { token } from './token.js';

/** Between two batches of the removal: as long as one takes, so that it has half of the time at most. */
export const PAUSE_MS = 10;

/** What people did where. */
export interface ActivityUseCases {
  readonly activityReader: ActivityReader;
  readonly pruneActivity: PruneActivity;
  readonly cursors: Cursors;
  readonly retentionDays: number | undefined;
}

export const ACTIVITY_TOKENS = {
  activity: token<ActivityUseCases>('ActivityUseCases'),
  pruneActivity: token<ScheduledWork>('PruneActivity'),
} as const;
