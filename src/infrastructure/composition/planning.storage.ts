import { KnexIssueRepository } from '../../adapters/outbound/persistence/knex/planning/knex-issue-repository.js';
import { KnexLabelRepository } from '../../adapters/outbound/persistence/knex/planning/knex-label-repository.js';
import { KnexMilestoneRepository } from '../../adapters/outbound/persistence/knex/planning/knex-milestone-repository.js';
import { storedIssues } from '../../adapters/outbound/persistence/knex/planning/stored-issues.js';
import { defineStorage } from './storage.js';

export const planningStorage = defineStorage({
  name: 'planning',
  stores: {
    issues: ({ session }) => new KnexIssueRepository(session),
    labels: ({ session }) => new KnexLabelRepository(session),
    milestones: ({ session }) => new KnexMilestoneRepository(session),
  },
  subjectKinds: [storedIssues],
});
