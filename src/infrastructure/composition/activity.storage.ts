import { entriesFollowVisibility } from '../../application/activity/file-entries-of-code.js';
import { recordActivity } from '../../application/activity/record-activity.js';
import { KnexActivityRepository } from '../../adapters/outbound/persistence/knex/activity/knex-activity-repository.js';
import { defineStorage, job } from './storage.js';

export const activityStorage = defineStorage({
  name: 'activity',
  stores: {
    activity: ({ session }) => new KnexActivityRepository(session),
  },
  subscribers: [recordActivity, entriesFollowVisibility],
  jobs: { file_entries_of_code: job<string>() },
});
