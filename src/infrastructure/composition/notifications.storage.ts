import { causesFollowEvents } from '../../application/notifications/causes-follow-events.js';
import { mailsFollowAccessRequests } from '../../application/notifications/mails-follow-access-requests.js';
import { KnexAudience } from '../../adapters/outbound/persistence/knex/notifications/knex-audience.js';
import { KnexCauseRepository } from '../../adapters/outbound/persistence/knex/notifications/knex-cause-repository.js';
import { KnexDueIssueRepository } from '../../adapters/outbound/persistence/knex/notifications/knex-due-issue-repository.js';
import { KnexMailOutbox } from '../../adapters/outbound/persistence/knex/notifications/knex-mail-outbox.js';
import { KnexRequestPeople } from '../../adapters/outbound/persistence/knex/notifications/knex-request-people.js';
import { KnexNotificationSettingRepository } from '../../adapters/outbound/persistence/knex/notifications/knex-notification-setting-repository.js';
import { KnexSubjects } from '../../adapters/outbound/persistence/knex/collaboration/knex-subjects.js';
import { defineStorage, job } from './storage.js';

export const notificationsStorage = defineStorage({
  name: 'notifications',
  stores: {
    notificationSettings: ({ session }) => new KnexNotificationSettingRepository(session),
    causes: ({ session }) => new KnexCauseRepository(session),
    dueIssues: ({ session }) => new KnexDueIssueRepository(session),
    audience: ({ session, subjectKinds }) => new KnexAudience(session, new KnexSubjects(session, subjectKinds)),
    requestPeople: ({ session }) => new KnexRequestPeople(session),
    mailOutbox: ({ session, secretBox }) => new KnexMailOutbox(session, secretBox),
  },
  subscribers: [causesFollowEvents, mailsFollowAccessRequests],
  jobs: { tell_people: job<number>() },
});
