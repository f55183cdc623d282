import { createAlertIntegrationRoutes } from '../../adapters/inbound/http/api-v4/alerts/alert-integration-routes.js';
import { createAlertRoutes } from '../../adapters/inbound/http/api-v4/alerts/alert-routes.js';
import { createApiChangeRoutes } from '../../adapters/inbound/http/api-v4/api-changes/api-change-routes.js';
import { createApplicationRoutes } from '../../adapters/inbound/http/api-v4/applications/application-routes.js';
import { createEmailRoutes } from '../../adapters/inbound/http/api-v4/emails/email-routes.js';
import { createErrorTrackingRoutes } from '../../adapters/inbound/http/api-v4/error-tracking/error-tracking-routes.js';
import { createEventRoutes } from '../../adapters/inbound/http/api-v4/events/event-routes.js';
import { createGroupRoutes } from '../../adapters/inbound/http/api-v4/groups/group-routes.js';
import { createIssueRoutes } from '../../adapters/inbound/http/api-v4/issues/issue-routes.js';
import { createNoteRoutes } from '../../adapters/inbound/http/api-v4/issues/note-routes.js';
import { createSubscriptionRoutes } from '../../adapters/inbound/http/api-v4/issues/subscription-routes.js';
import { createLabelRoutes } from '../../adapters/inbound/http/api-v4/labels/label-routes.js';
import { createMemberRoutes } from '../../adapters/inbound/http/api-v4/members/member-routes.js';
import { createMilestoneRoutes } from '../../adapters/inbound/http/api-v4/milestones/milestone-routes.js';
import { createNotificationSettingRoutes } from '../../adapters/inbound/http/api-v4/notification-settings/notification-setting-routes.js';
import { createPersonalAccessTokenRoutes } from '../../adapters/inbound/http/api-v4/personal-access-tokens/personal-access-token-routes.js';
import { createProjectRoutes } from '../../adapters/inbound/http/api-v4/projects/project-routes.js';
import { createAdministerUserRoutes } from '../../adapters/inbound/http/api-v4/users/administer-user-routes.js';
import { createUserRoutes } from '../../adapters/inbound/http/api-v4/users/user-routes.js';
import { createVersionRoutes } from '../../adapters/inbound/http/api-v4/version/version-routes.js';
import type { LimitSignIn } from '../../adapters/inbound/http/middleware/sign-in-limit.js';
import type { Route } from '../../adapters/inbound/http/route.js';
import type { WebUrls } from '../../adapters/inbound/http/web-urls.js';
import type { Clock } from '../../application/shared/ports/clock.js';
import type { SecretSource } from '../../application/shared/ports/secrets.js';
import type { IdentityReaders, IdentityUseCases } from './identity.js';
import type { OAuthUseCases } from './oauth.js';
import type { ActivityUseCases } from './activity.js';
import type { AlertUseCases } from './alerts.js';
import type { ErrorTrackingUseCases } from './error-tracking.js';
import type { NotificationUseCases } from './notifications.js';
import type { PlanningUseCases } from './planning.js';
import type { WorkspaceUseCases } from './workspace.js';
import { VERSION } from '../version.js';

/** Every route under `/api/v4`. */
export const createRoutes = (
  { users, personalAccessTokens: reader }: IdentityReaders,
  { createUser, administerUsers, emailAddresses, personalAccessTokens }: IdentityUseCases,
  workspace: WorkspaceUseCases,
  planning: PlanningUseCases,
  alerts: AlertUseCases,
  errorTracking: ErrorTrackingUseCases,
  activity: ActivityUseCases,
  notifications: NotificationUseCases,
  { applications, applicationReader }: OAuthUseCases,
  secrets: SecretSource,
  clock: Clock,
  urls: WebUrls,
  limitSignIn: LimitSignIn,
): readonly Route[] => [
  ...createVersionRoutes({ version: VERSION }),
  ...createApiChangeRoutes(),
  ...createUserRoutes({ users, urls }),
  ...createAdministerUserRoutes({ users, createUser, administerUsers, secrets, limitSignIn, urls }),
  ...createEmailRoutes({ users, emailAddresses }),
  ...createPersonalAccessTokenRoutes({ users, reader, personalAccessTokens, clock }),
  ...createApplicationRoutes({ applications, reader: applicationReader }),
  ...createGroupRoutes({ ...workspace, urls }),
  ...createProjectRoutes({ ...workspace, users, urls }),
  ...createMemberRoutes({ ...workspace, urls }),
  ...createIssueRoutes({ ...workspace, ...planning, ...notifications, urls }),
  ...createSubscriptionRoutes({ ...workspace, ...planning, ...notifications, urls }),
  ...createNoteRoutes({ ...workspace, ...planning, urls }),
  ...createLabelRoutes({ ...workspace, ...planning }),
  ...createMilestoneRoutes({ ...workspace, ...planning, urls }),
  ...createAlertRoutes({ ...workspace, ...alerts, urls }),
  ...createNotificationSettingRoutes({ ...workspace, ...notifications }),
  ...createAlertIntegrationRoutes({ ...workspace, ...alerts, urls }),
  ...createErrorTrackingRoutes({ ...workspace, ...errorTracking }),
  ...createEventRoutes({ ...workspace, ...activity, users, clock, urls }),
];
