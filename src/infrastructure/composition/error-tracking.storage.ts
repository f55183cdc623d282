import { KnexErrorTrackingRepository } from '../../adapters/outbound/persistence/knex/error-tracking/knex-error-tracking-repository.js';
import { defineStorage } from './storage.js';

export const errorTrackingStorage = defineStorage({
  name: 'error-tracking',
  stores: {
    errorTracking: ({ session }) => new KnexErrorTrackingRepository(session),
  },
});
