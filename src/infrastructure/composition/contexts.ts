import { activityContext } from './activity.context.js';
import { alertsContext } from './alerts.context.js';
import { administrationContext } from './administration.context.js';
import { auditContext } from './audit.context.js';
import { badgesContext } from './badges.context.js';
import { ciVariablesContext } from './ci-variables.context.js';
import { collaborationContext } from './collaboration.context.js';
import type { Context } from './context.js';
import { environmentsContext } from './environments.context.js';
import { errorTrackingContext } from './error-tracking.context.js';
import { identityContext } from './identity.context.js';
import { invitationsContext } from './invitations.context.js';
import { keysContext } from './keys.context.js';
import { mirrorsContext } from './mirrors.context.js';
import { notificationsContext } from './notifications.context.js';
import { oauthContext } from './oauth.context.js';
import { packagesContext } from './packages.context.js';
import { pipelinesContext } from './pipelines.context.js';
import { planningContext } from './planning.context.js';
import { repositoriesContext } from './repositories.context.js';
import { reviewContext } from './review.context.js';
import { searchContext } from './search.context.js';
import { sharedContext } from './shared.context.js';
import { snippetsContext } from './snippets.context.js';
import type { Storage } from './storage.js';
import type { STORAGES } from './storages.js';
import { templatesContext } from './templates.context.js';
import { uploadsContext } from './uploads.context.js';
import { webhooksContext } from './webhooks.context.js';
import { workspaceContext } from './workspace.context.js';

type ContextsOf<Storages> = { readonly [Index in keyof Storages]: Context<Storages[Index] & Storage> };

/** The features of the product. Doesn't compile unless there is one for each of `STORAGES`, in the same order. */
export const CONTEXTS: ContextsOf<typeof STORAGES> = [
  sharedContext,
  auditContext,
  administrationContext,
  invitationsContext,
  identityContext,
  oauthContext,
  workspaceContext,
  collaborationContext,
  planningContext,
  alertsContext,
  errorTrackingContext,
  activityContext,
  notificationsContext,
  webhooksContext,
  mirrorsContext,
  repositoriesContext,
  reviewContext,
  pipelinesContext,
  ciVariablesContext,
  environmentsContext,
  keysContext,
  templatesContext,
  snippetsContext,
  uploadsContext,
  packagesContext,
  badgesContext,
  searchContext,
];
