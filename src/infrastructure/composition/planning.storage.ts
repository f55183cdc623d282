import { labelsFollowMoves } from '../../application/planning/labels-follow-moves.js';
import { milestonesFollowMoves } from '../../application/planning/milestones-follow-moves.js';
import { resourceEventsFollowStates } from '../../application/planning/resource-events-follow-states.js';
import { KnexBoards } from '../../adapters/outbound/persistence/knex/planning/knex-boards.js';
import { KnexGroupLabelRepository } from '../../adapters/outbound/persistence/knex/planning/knex-group-label-repository.js';
import { KnexGroupMilestoneRepository } from '../../adapters/outbound/persistence/knex/planning/knex-group-milestone-repository.js';
import { KnexIssueLinkRepository } from '../../adapters/outbound/persistence/knex/planning/knex-issue-link-repository.js';
import { KnexIssueOrder } from '../../adapters/outbound/persistence/knex/planning/knex-issue-order.js';
import { KnexIssueRepository } from '../../adapters/outbound/persistence/knex/planning/knex-issue-repository.js';
import { KnexLabelRepository } from '../../adapters/outbound/persistence/knex/planning/knex-label-repository.js';
import { KnexLabelSubscriptionRepository } from '../../adapters/outbound/persistence/knex/planning/knex-label-subscriptions.js';
import { KnexMilestoneRepository } from '../../adapters/outbound/persistence/knex/planning/knex-milestone-repository.js';
import { KnexResourceEventRepository } from '../../adapters/outbound/persistence/knex/planning/knex-resource-events.js';
import { storedIssues } from '../../adapters/outbound/persistence/knex/planning/stored-issues.js';
import { defineStorage } from './storage.js';

export const planningStorage = defineStorage({
  name: 'planning',
  stores: {
    issues: ({ session }) => new KnexIssueRepository(session),
    resourceEvents: ({ session }) => new KnexResourceEventRepository(session),
    issueLinks: ({ session }) => new KnexIssueLinkRepository(session),
    issueOrder: ({ session }) => new KnexIssueOrder(session),
    boards: ({ session }) => new KnexBoards(session),
    labels: ({ session }) => new KnexLabelRepository(session),
    groupLabels: ({ session }) => new KnexGroupLabelRepository(session),
    labelSubscriptions: ({ session }) => new KnexLabelSubscriptionRepository(session),
    milestones: ({ session }) => new KnexMilestoneRepository(session),
    groupMilestones: ({ session }) => new KnexGroupMilestoneRepository(session),
  },
  subjectKinds: [storedIssues],
  subscribers: [resourceEventsFollowStates, labelsFollowMoves, milestonesFollowMoves],
});
