import { activityStorage } from './activity.storage.js';
import { alertsStorage } from './alerts.storage.js';
import { administrationStorage } from './administration.storage.js';
import { auditStorage } from './audit.storage.js';
import { badgesStorage } from './badges.storage.js';
import { ciVariablesStorage } from './ci-variables.storage.js';
import { collaborationStorage } from './collaboration.storage.js';
import { environmentsStorage } from './environments.storage.js';
import { errorTrackingStorage } from './error-tracking.storage.js';
import { identityStorage } from './identity.storage.js';
import { invitationsStorage } from './invitations.storage.js';
import { keysStorage } from './keys.storage.js';
import { mirrorsStorage } from './mirrors.storage.js';
import { notificationsStorage } from './notifications.storage.js';
import { oauthStorage } from './oauth.storage.js';
import { packagesStorage } from './packages.storage.js';
import { pipelinesStorage } from './pipelines.storage.js';
import { planningStorage } from './planning.storage.js';
import { repositoriesStorage } from './repositories.storage.js';
import { reviewStorage } from './review.storage.js';
import { searchStorage } from './search.storage.js';
import { sharedStorage } from './shared.storage.js';
import { snippetsStorage } from './snippets.storage.js';
import { storagesOf, type CountersOf, type RepositoriesOf } from './storage.js';
import { templatesStorage } from './templates.storage.js';
import { uploadsStorage } from './uploads.storage.js';
import { webhooksStorage } from './webhooks.storage.js';
import { workspaceStorage } from './workspace.storage.js';

/** Every context by its storage. The order is that in which they act on events; those that act on sets stand side by side. */
export const STORAGES = storagesOf([
  sharedStorage,
  auditStorage,
  administrationStorage,
  invitationsStorage,
  identityStorage,
  oauthStorage,
  workspaceStorage,
  collaborationStorage,
  planningStorage,
  alertsStorage,
  errorTrackingStorage,
  activityStorage,
  notificationsStorage,
  webhooksStorage,
  mirrorsStorage,
  repositoriesStorage,
  reviewStorage,
  pipelinesStorage,
  ciVariablesStorage,
  environmentsStorage,
  keysStorage,
  templatesStorage,
  snippetsStorage,
  uploadsStorage,
  packagesStorage,
  badgesStorage,
  searchStorage,
]);

export type Repositories = RepositoriesOf<(typeof STORAGES)[number]>;

/** Every counter of what the service does. */
export const COUNTERS = Object.assign(
  {},
  ...STORAGES.map((storage) => ('counters' in storage ? storage.counters : {})),
) as CountersOf<(typeof STORAGES)[number]>;
