import { automaticMergesFollowPipelines } from '../../application/review/follow-pipelines.js';
import { mergeRequestsFollowPushes } from '../../application/review/follow-pushes.js';
import { notesFollowApprovals } from '../../application/review/notes-follow-approvals.js';
import { KnexAutomaticMergeRepository } from '../../adapters/outbound/persistence/knex/review/knex-automatic-merge-repository.js';
import { KnexDiscussedCommits } from '../../adapters/outbound/persistence/knex/review/knex-discussed-commits.js';
import { KnexMergeRequestRepository } from '../../adapters/outbound/persistence/knex/review/knex-merge-request-repository.js';
import { storedCommits } from '../../adapters/outbound/persistence/knex/review/stored-commits.js';
import { storedMergeRequests } from '../../adapters/outbound/persistence/knex/review/stored-merge-requests.js';
import { defineStorage } from './storage.js';

export const reviewStorage = defineStorage({
  name: 'review',
  stores: {
    mergeRequests: ({ session }) => new KnexMergeRequestRepository(session),
    automaticMerges: ({ session }) => new KnexAutomaticMergeRepository(session),
    discussedCommits: ({ session }) => new KnexDiscussedCommits(session),
  },
  subjectKinds: [storedMergeRequests, storedCommits],
  subscribers: [mergeRequestsFollowPushes, automaticMergesFollowPipelines, notesFollowApprovals],
});
