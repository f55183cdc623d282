import { REPOSITORY_COUNTERS } from '../../application/repositories/ports/repository-counters.js';
import { copiesFollowForks } from '../../application/repositories/copies-follow-forks.js';
import { keepDefaultBranch } from '../../application/repositories/keep-default-branch.js';
import { KnexCodeCopyRepository } from '../../adapters/outbound/persistence/knex/repositories/knex-code-copy-repository.js';
import { KnexFetchDayRepository } from '../../adapters/outbound/persistence/knex/repositories/knex-fetch-day-repository.js';
import { KnexHousekeepingRepository } from '../../adapters/outbound/persistence/knex/repositories/knex-housekeeping-repository.js';
import { KnexRepositoryCheckRepository } from '../../adapters/outbound/persistence/knex/repositories/knex-repository-check-repository.js';
import { readPushedCommits } from '../../application/repositories/read-pushed-commits.js';
import { releasesFollowTags } from '../../application/repositories/releases.js';
import { KnexReleaseRepository } from '../../adapters/outbound/persistence/knex/repositories/knex-release-repository.js';
import { KnexCodeImportRepository } from '../../adapters/outbound/persistence/knex/repositories/knex-code-import-repository.js';
import { KnexCodeWorkRepository } from '../../adapters/outbound/persistence/knex/repositories/knex-code-work-repository.js';
import { KnexProtectedRefRepository } from '../../adapters/outbound/persistence/knex/repositories/knex-protected-ref-repository.js';
import { KnexRefChangers } from '../../adapters/outbound/persistence/knex/repositories/knex-ref-changers.js';
import { KnexRefRepository } from '../../adapters/outbound/persistence/knex/repositories/knex-ref-repository.js';
import { KnexRepositoryRepository } from '../../adapters/outbound/persistence/knex/repositories/knex-repository-repository.js';
import { KnexStaleRefRepository } from '../../adapters/outbound/persistence/knex/repositories/knex-stale-ref-repository.js';
import { defineStorage } from './storage.js';

export const repositoriesStorage = defineStorage({
  name: 'repositories',
  stores: {
    repositories: ({ session }) => new KnexRepositoryRepository(session),
    refs: ({ session }) => new KnexRefRepository(session),
    refChangers: ({ session }) => new KnexRefChangers(session),
    protectedRefs: ({ session }) => new KnexProtectedRefRepository(session),
    codeCopies: ({ session, leave }) => new KnexCodeCopyRepository(session, () => leave('copies of code')),
    codeImports: ({ session, leave }) => new KnexCodeImportRepository(session, () => leave('imports of code')),
    releases: ({ session }) => new KnexReleaseRepository(session),
    codeWorks: ({ session, leave }) => new KnexCodeWorkRepository(session, () => leave('works on code')),
    fetchDays: ({ session }) => new KnexFetchDayRepository(session),
    housekeeping: ({ session }) => new KnexHousekeepingRepository(session),
    repositoryChecks: ({ session }) => new KnexRepositoryCheckRepository(session),
    staleRefs: ({ session }) => new KnexStaleRefRepository(session),
  },
  subscribers: [releasesFollowTags, readPushedCommits, keepDefaultBranch, copiesFollowForks],
  counters: REPOSITORY_COUNTERS,
});
