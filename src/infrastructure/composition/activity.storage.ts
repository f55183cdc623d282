import { recordActivity } from '../../application/activity/record-activity.js';
import { KnexActivityRepository } from '../../adapters/outbound/persistence/knex/activity/knex-activity-repository.js';
import { defineStorage } from './storage.js';

export const activityStorage = defineStorage({
  name: 'activity',
  stores: {
    activity: ({ session }) => new KnexActivityRepository(session),
  },
  subscribers: [recordActivity],
});
