import type { ActivityRepository } from '../../../../application/activity/ports/activity-repository.js';
import type { AlertsRepositories } from '../../../../application/alerts/ports/alert-repositories.js';
import type { ErrorTrackingRepositories } from '../../../../application/error-tracking/ports/error-tracking-repository.js';
import type { OneTimeTokenRepository } from '../../../../application/identity/ports/one-time-token-repository.js';
import type { PersonalAccessTokenRepository } from '../../../../application/identity/ports/personal-access-token-repository.js';
import type { SecurityEventRepository } from '../../../../application/identity/ports/security-event-repository.js';
import type { SessionRepository } from '../../../../application/identity/ports/session-repository.js';
import type { EmailRepository, UserRepository } from '../../../../application/identity/ports/user-repository.js';
import type { ApplicationRepository } from '../../../../application/oauth/ports/application-repository.js';
import type { OAuthRepositories } from '../../../../application/oauth/ports/oauth-repositories.js';
import type { SigningKeyRepository } from '../../../../application/oauth/ports/signing-key-repository.js';
import type { DomainEvent, DomainEvents, Subscriber } from '../../../../application/shared/domain-events.js';
import type { ExpiredRows } from '../../../../application/shared/ports/expired-rows.js';
import type { MailQueue } from '../../../../application/shared/ports/mail-queue.js';
import type { SecretBox } from '../../../../application/shared/ports/secrets.js';
import type { JobQueue } from '../../../../application/shared/jobs/job-queue.js';
import type { Audience } from '../../../../application/notifications/ports/audience-ports.js';
import type { CauseRepository, DueIssueRepository } from '../../../../application/notifications/ports/cause-ports.js';
import type { MailOutbox } from '../../../../application/notifications/ports/mail-outbox.js';
import type { NotificationSettingRepository } from '../../../../application/notifications/ports/notification-setting-ports.js';
import type { SubscriptionRepository } from '../../../../application/notifications/ports/subscription-ports.js';
import type { PlanningRepositories } from '../../../../application/planning/ports/planning-repositories.js';
import type { NamespaceRepository } from '../../../../application/workspace/ports/namespace-repository.js';
import type {
  GroupOwnerRepository,
  GroupRepository,
  MemberRepository,
  ProjectRepository,
} from '../../../../application/workspace/ports/workspace-repositories.js';
import { KnexActivityRepository } from './activity/knex-activity-repository.js';
import { KnexAlertRepository } from './alerts/knex-alert-repository.js';
import { KnexAlertSettingsRepository } from './alerts/knex-alert-settings-repository.js';
import { KnexDeliveryRepository } from './alerts/knex-delivery-repository.js';
import { KnexIntegrationRepository } from './alerts/knex-integration-repository.js';
import { KnexErrorTrackingRepository } from './error-tracking/knex-error-tracking-repository.js';
import { KnexEmailRepository } from './identity/knex-email-repository.js';
import { KnexOneTimeTokenRepository } from './identity/knex-one-time-token-repository.js';
import { KnexPersonalAccessTokenRepository } from './identity/knex-personal-access-token-repository.js';
import { KnexSecurityEventRepository } from './identity/knex-security-event-repository.js';
import { KnexSessionRepository } from './identity/knex-session-repository.js';
import { KnexUserRepository } from './identity/knex-user-repository.js';
import { KnexAudience } from './notifications/knex-audience.js';
import { KnexCauseRepository } from './notifications/knex-cause-repository.js';
import { KnexDueIssueRepository } from './notifications/knex-due-issue-repository.js';
import { KnexMailOutbox } from './notifications/knex-mail-outbox.js';
import { KnexNotificationSettingRepository } from './notifications/knex-notification-setting-repository.js';
import { KnexSubscriptionRepository } from './notifications/knex-subscriptions.js';
import { KnexAccessTokenRepository } from './oauth/knex-access-token-repository.js';
import { KnexApplicationRepository } from './oauth/knex-application-repository.js';
import { KnexAuthorizationCodeRepository } from './oauth/knex-authorization-code-repository.js';
import { KnexGrantRepository } from './oauth/knex-grant-repository.js';
import { KnexRefreshTokenRepository } from './oauth/knex-refresh-token-repository.js';
import { KnexSigningKeyRepository } from './oauth/knex-signing-key-repository.js';
import { KnexIssueRepository } from './planning/knex-issue-repository.js';
import { KnexLabelRepository } from './planning/knex-label-repository.js';
import { KnexMilestoneRepository } from './planning/knex-milestone-repository.js';
import { KnexNoteRepository } from './planning/knex-note-repository.js';
import type { Session } from './session.js';
import { KnexExpiredRows } from './shared/knex-expired-rows.js';
import { KnexJobQueue } from './shared/knex-job-queue.js';
import { KnexMailQueue } from './shared/knex-mail-queue.js';
import { KnexGroupOwnerRepository } from './workspace/knex-group-owner-repository.js';
import { KnexGroupRepository } from './workspace/knex-group-repository.js';
import { GROUP_MEMBERS, KnexMemberRepository, PROJECT_MEMBERS } from './workspace/knex-member-repository.js';
import { KnexNamespaceRepository } from './workspace/knex-namespace-repository.js';
import { KnexProjectRepository } from './workspace/knex-project-repository.js';

/** Everything that a work may change, all of it inside one transaction. Use cases name the few that they need. */
export interface Repositories
  extends OAuthRepositories, PlanningRepositories, AlertsRepositories, ErrorTrackingRepositories {
  readonly users: UserRepository;
  readonly emails: EmailRepository;
  readonly personalAccessTokens: PersonalAccessTokenRepository;
  readonly oneTimeTokens: OneTimeTokenRepository;
  readonly sessions: SessionRepository;
  readonly securityEvents: SecurityEventRepository;
  readonly namespaces: NamespaceRepository;
  readonly groups: GroupRepository;
  readonly projects: ProjectRepository;
  readonly groupMembers: MemberRepository;
  readonly groupOwners: GroupOwnerRepository;
  readonly projectMembers: MemberRepository;
  readonly applications: ApplicationRepository;
  readonly signingKeys: SigningKeyRepository;
  readonly jobs: JobQueue;
  readonly expiredRows: ExpiredRows;
  readonly mailQueue: MailQueue;
  readonly activity: ActivityRepository;
  readonly notificationSettings: NotificationSettingRepository;
  readonly subscriptions: SubscriptionRepository;
  readonly causes: CauseRepository;
  readonly dueIssues: DueIssueRepository;
  readonly audience: Audience;
  readonly mailOutbox: MailOutbox;
  readonly events: DomainEvents;
}

export const createRepositories = (
  session: Session,
  secretBox: SecretBox,
  subscribers: readonly Subscriber<Repositories>[],
  noteJob: () => void,
): Repositories => {
  const publish = async (event: DomainEvent) => {
    for (const subscriber of subscribers) await subscriber(event, repositories);
  };
  const repositories: Repositories = { ...createStores(session, secretBox, noteJob), events: { publish } };
  return repositories;
};

const createStores = (session: Session, secretBox: SecretBox, noteJob: () => void): Omit<Repositories, 'events'> => ({
  users: new KnexUserRepository(session),
  emails: new KnexEmailRepository(session),
  personalAccessTokens: new KnexPersonalAccessTokenRepository(session),
  oneTimeTokens: new KnexOneTimeTokenRepository(session),
  sessions: new KnexSessionRepository(session),
  securityEvents: new KnexSecurityEventRepository(session),
  namespaces: new KnexNamespaceRepository(session),
  groups: new KnexGroupRepository(session),
  projects: new KnexProjectRepository(session),
  groupMembers: new KnexMemberRepository(session, GROUP_MEMBERS),
  groupOwners: new KnexGroupOwnerRepository(session),
  projectMembers: new KnexMemberRepository(session, PROJECT_MEMBERS),
  applications: new KnexApplicationRepository(session),
  authorizationCodes: new KnexAuthorizationCodeRepository(session),
  grants: new KnexGrantRepository(session),
  accessTokens: new KnexAccessTokenRepository(session),
  refreshTokens: new KnexRefreshTokenRepository(session),
  signingKeys: new KnexSigningKeyRepository(session),
  issues: new KnexIssueRepository(session),
  notes: new KnexNoteRepository(session),
  labels: new KnexLabelRepository(session),
  milestones: new KnexMilestoneRepository(session),
  alerts: new KnexAlertRepository(session),
  alertIntegrations: new KnexIntegrationRepository(session),
  alertSettings: new KnexAlertSettingsRepository(session),
  alertDeliveries: new KnexDeliveryRepository(session),
  errorTracking: new KnexErrorTrackingRepository(session),
  jobs: new KnexJobQueue(session, noteJob),
  expiredRows: new KnexExpiredRows(session),
  mailQueue: new KnexMailQueue(session, secretBox),
  activity: new KnexActivityRepository(session),
  subscriptions: new KnexSubscriptionRepository(session),
  causes: new KnexCauseRepository(session),
  dueIssues: new KnexDueIssueRepository(session),
  audience: new KnexAudience(session),
  mailOutbox: new KnexMailOutbox(session, secretBox),
  notificationSettings: new KnexNotificationSettingRepository(session),
});
