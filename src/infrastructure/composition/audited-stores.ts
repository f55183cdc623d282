import type { Act, ActsOf } from '../../application/audit/acts.js';
import {
  actsOnApplications,
  actsOnDeployTokens,
  actsOnGrants,
  actsOnKeys,
} from '../../application/audit/acts-on-access.js';
import {
  actsOnBots,
  actsOnOneTimeTokens,
  actsOnPersonalAccessTokens,
  actsOnSecurityEvents,
  actsOnSessions,
  actsOnUsers,
} from '../../application/audit/acts-on-accounts.js';
import {
  actsOnAlertIntegrations,
  actsOnErrorTracking,
  actsOnPullMirrors,
  actsOnRemoteMirrors,
  actsOnWebhooks,
} from '../../application/audit/acts-on-integrations.js';
import { actsOnAccessRequests } from '../../application/audit/acts-on-access-requests.js';
import { actsOnCiRunners } from '../../application/audit/acts-on-ci-runners.js';
import { actsOnCiVariables } from '../../application/audit/acts-on-ci-variables.js';
import { actsOnInvitations } from '../../application/audit/acts-on-invitations.js';
import { actsOnPipelineSchedules } from '../../application/audit/acts-on-pipeline-schedules.js';
import { actsOnPipelineStarters } from '../../application/audit/acts-on-pipeline-starters.js';
import { actsOnPipelineTriggers } from '../../application/audit/acts-on-pipeline-triggers.js';
import { actsOnMails } from '../../application/audit/acts-on-mails.js';
import {
  actsOnGroupLinks,
  actsOnGroupMembers,
  actsOnGroups,
  actsOnProjectMembers,
  actsOnProjects,
} from '../../application/audit/acts-on-places.js';
import type { AuditLog } from '../../application/audit/audit-log.js';
import type { Repositories } from './storages.js';

/** Why nothing that is done with a store belongs into the audit log. */
const CONTENT = 'what people write and read: the feed tells of it';
const MACHINERY = 'what the service does by itself';
const SECRETS_OF_FLOWS = 'steps of a flow whose end is told';
const PREFERENCES = 'what a person likes to be told';

/** Every store of the product: what is done with it is told in the audit log, or a reason why not. */
type AuditedStores = {
  readonly [Name in keyof Repositories]: ActsOf<Repositories[Name]> | { readonly ordinary: string };
};

const STORES = {
  users: actsOnUsers,
  securityEvents: actsOnSecurityEvents,
  personalAccessTokens: actsOnPersonalAccessTokens,
  credentials: { ordinary: 'read only' },
  bots: actsOnBots,
  emails: { ordinary: 'the owner is told of each change (securityEvents)' },
  oneTimeTokens: actsOnOneTimeTokens,
  sessions: actsOnSessions,
  applications: actsOnApplications,
  grants: actsOnGrants,
  authorizationCodes: { ordinary: SECRETS_OF_FLOWS },
  refreshTokens: { ordinary: SECRETS_OF_FLOWS },
  signingKeys: { ordinary: MACHINERY },
  keys: actsOnKeys,
  hostKeys: { ordinary: MACHINERY },
  deployTokens: actsOnDeployTokens,
  namespaces: { ordinary: 'follow groups and accounts' },
  groups: actsOnGroups,
  projects: actsOnProjects,
  groupMembers: actsOnGroupMembers,
  projectMembers: actsOnProjectMembers,
  accessRequests: actsOnAccessRequests,
  accessNow: { ordinary: 'read only' },
  groupLinks: actsOnGroupLinks,
  groupOwners: { ordinary: 'read only' },
  forks: { ordinary: CONTENT },
  stars: { ordinary: CONTENT },
  invitations: actsOnInvitations,
  inviterRights: { ordinary: 'read only' },
  webhooks: actsOnWebhooks,
  webhookDeliveries: { ordinary: MACHINERY },
  remoteMirrors: actsOnRemoteMirrors,
  pullMirrors: actsOnPullMirrors,
  alertIntegrations: actsOnAlertIntegrations,
  errorTracking: actsOnErrorTracking,
  alerts: { ordinary: CONTENT },
  alertSettings: { ordinary: CONTENT },
  alertDeliveries: { ordinary: MACHINERY },
  subjects: { ordinary: CONTENT },
  subjectLabels: { ordinary: CONTENT },
  subjectCopies: { ordinary: CONTENT },
  resourceEvents: { ordinary: CONTENT },
  issues: { ordinary: CONTENT },
  issueLinks: { ordinary: CONTENT },
  issueOrder: { ordinary: CONTENT },
  boards: { ordinary: CONTENT },
  mergeRequests: { ordinary: CONTENT },
  notes: { ordinary: CONTENT },
  draftNotes: { ordinary: 'what a person writes for themselves, until it is a note' },
  discussions: { ordinary: CONTENT },
  suggestions: { ordinary: CONTENT },
  awards: { ordinary: CONTENT },
  times: { ordinary: CONTENT },
  todos: { ordinary: PREFERENCES },
  labels: { ordinary: CONTENT },
  groupLabels: { ordinary: CONTENT },
  labelSubscriptions: { ordinary: PREFERENCES },
  milestones: { ordinary: CONTENT },
  groupMilestones: { ordinary: CONTENT },
  activity: { ordinary: CONTENT },
  notificationSettings: { ordinary: PREFERENCES },
  subscriptions: { ordinary: PREFERENCES },
  causes: { ordinary: MACHINERY },
  dueIssues: { ordinary: MACHINERY },
  audience: { ordinary: 'read only' },
  requestPeople: { ordinary: 'read only' },
  mailOutbox: actsOnMails,
  mailQueue: { ordinary: MACHINERY },
  jobs: { ordinary: MACHINERY },
  expiredRows: { ordinary: MACHINERY },
  events: { ordinary: 'tells what stores do' },
  repositories: { ordinary: CONTENT },
  refs: { ordinary: CONTENT },
  refChangers: { ordinary: 'read only' },
  protectedRefs: { ordinary: CONTENT },
  codeCopies: { ordinary: MACHINERY },
  codeImports: { ordinary: MACHINERY },
  discussedCommits: { ordinary: CONTENT },
  releases: { ordinary: CONTENT },
  snippets: { ordinary: CONTENT },
  uploads: { ordinary: CONTENT },
  packages: { ordinary: CONTENT },
  badges: { ordinary: CONTENT },
  pipelines: { ordinary: CONTENT },
  ciJobs: { ordinary: CONTENT },
  ciRunners: actsOnCiRunners,
  ciArtifacts: { ordinary: CONTENT },
  resourceGroups: { ordinary: CONTENT },
  freezePeriods: { ordinary: CONTENT },
  commitStatuses: { ordinary: CONTENT },
  ciVariables: actsOnCiVariables,
  pipelineTriggers: actsOnPipelineTriggers,
  pipelineStarters: actsOnPipelineStarters,
  pipelineSchedules: actsOnPipelineSchedules,
  environments: { ordinary: CONTENT },
  deployments: { ordinary: CONTENT },
  environmentJobs: { ordinary: MACHINERY },
  automaticMerges: { ordinary: CONTENT },
  codeWorks: { ordinary: MACHINERY },
  fetchDays: { ordinary: MACHINERY },
  housekeeping: { ordinary: MACHINERY },
  repositoryChecks: { ordinary: MACHINERY },
  staleRefs: { ordinary: MACHINERY },
  auditLog: { ordinary: 'the log itself' },
} satisfies AuditedStores;

const ACTS: ReadonlyMap<string, Readonly<Record<string, Act<never, never>>>> = new Map(
  Object.entries(STORES).filter(([, acts]) => !('ordinary' in acts)) as unknown as [
    string,
    Readonly<Record<string, Act<never, never>>>,
  ][],
);

/** Puts the audit log between works and the stores whose acts are told. */
export const watchStore = (name: string, store: object, repositories: { readonly auditLog?: AuditLog }): object => {
  const acts = ACTS.get(name);
  return acts === undefined ? store : (repositories.auditLog?.watch(store, acts) ?? store);
};
