import { mergeRequestsFollowPushes } from '../../application/review/follow-pushes.js';
import { KnexMergeRequestRepository } from '../../adapters/outbound/persistence/knex/review/knex-merge-request-repository.js';
import { storedMergeRequests } from '../../adapters/outbound/persistence/knex/review/stored-merge-requests.js';
import { defineStorage } from './storage.js';

export const reviewStorage = defineStorage({
  name: 'review',
  stores: { mergeRequests: ({ session }) => new KnexMergeRequestRepository(session) },
  subjectKinds: [storedMergeRequests],
  subscribers: [mergeRequestsFollowPushes],
});
