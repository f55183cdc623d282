import { SHARED_COUNTERS } from '../../application/shared/ports/shared-counters.js';
import { KnexExpiredRows } from '../../adapters/outbound/persistence/knex/shared/knex-expired-rows.js';
import { KnexJobQueue } from '../../adapters/outbound/persistence/knex/shared/knex-job-queue.js';
import { KnexMailQueue } from '../../adapters/outbound/persistence/knex/shared/knex-mail-queue.js';
import { defineStorage } from './storage.js';

/** What every context stands on: jobs, mails to send, and the removal of rows that expired. */
export const sharedStorage = defineStorage({
  name: 'shared',
  stores: {
    jobs: ({ session, noteJob }) => new KnexJobQueue(session, noteJob),
    expiredRows: ({ session }) => new KnexExpiredRows(session),
    mailQueue: ({ session, secretBox }) => new KnexMailQueue(session, secretBox),
  },
  counters: SHARED_COUNTERS,
});
