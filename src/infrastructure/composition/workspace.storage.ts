import { importsFollowCopies } from '../../application/workspace/imports-follow-copies.js';
import { keepOwnersOfGroups } from '../../application/workspace/keep-an-owner.js';
import { membershipsFollowBots } from '../../application/workspace/memberships-follow-bots.js';
import { namespacesFollowAccounts } from '../../application/workspace/namespaces-follow-accounts.js';
import { requestsFollowAccounts } from '../../application/workspace/requests-follow-accounts.js';
import { WorkspaceAccess } from '../../application/workspace/workspace-access.js';
import { KnexAccessRequestRepository } from '../../adapters/outbound/persistence/knex/workspace/knex-access-request-repository.js';
import { KnexForkRepository } from '../../adapters/outbound/persistence/knex/workspace/knex-fork-repository.js';
import { KnexGroupLinkRepository } from '../../adapters/outbound/persistence/knex/workspace/knex-group-link-repository.js';
import { KnexGroupOwnerRepository } from '../../adapters/outbound/persistence/knex/workspace/knex-group-owner-repository.js';
import { KnexGroupRepository } from '../../adapters/outbound/persistence/knex/workspace/knex-group-repository.js';
import {
  GROUP_MEMBERS,
  KnexMemberRepository,
  PROJECT_MEMBERS,
} from '../../adapters/outbound/persistence/knex/workspace/knex-member-repository.js';
import { KnexNamespaceRepository } from '../../adapters/outbound/persistence/knex/workspace/knex-namespace-repository.js';
import { KnexProjectRepository } from '../../adapters/outbound/persistence/knex/workspace/knex-project-repository.js';
import { KnexStarRepository } from '../../adapters/outbound/persistence/knex/workspace/knex-star-repository.js';
import { KnexWorkspaceReader } from '../../adapters/outbound/persistence/knex/workspace/knex-workspace-reader.js';
import type { GroupId, ProjectId } from '../../domain/shared/identifiers.js';
import { defineStorage, job } from './storage.js';

export const workspaceStorage = defineStorage({
  name: 'workspace',
  stores: {
    namespaces: ({ session }) => new KnexNamespaceRepository(session),
    groups: ({ session }) => new KnexGroupRepository(session),
    projects: ({ session }) => new KnexProjectRepository(session),
    forks: ({ session }) => new KnexForkRepository(session),
    stars: ({ session }) => new KnexStarRepository(session),
    groupMembers: ({ session }) => new KnexMemberRepository<GroupId>(session, GROUP_MEMBERS),
    groupLinks: ({ session }) => new KnexGroupLinkRepository(session),
    groupOwners: ({ session }) => new KnexGroupOwnerRepository(session),
    projectMembers: ({ session }) => new KnexMemberRepository<ProjectId>(session, PROJECT_MEMBERS),
    accessRequests: ({ session }) => new KnexAccessRequestRepository(session),
    accessNow: ({ session, clock }) => new WorkspaceAccess(new KnexWorkspaceReader(session), clock),
  },
  subscribers: [
    namespacesFollowAccounts,
    membershipsFollowBots,
    requestsFollowAccounts,
    keepOwnersOfGroups,
    importsFollowCopies,
  ],
  jobs: { remove_project: job<ProjectId>(), remove_group: job<GroupId>() },
});
