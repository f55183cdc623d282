import { ContainerModule } from 'inversify';
import { EffectiveNotifications } from '../../application/notifications/effective-notification.js';
import { IssueSubscriptions } from '../../application/notifications/issue-subscriptions.js';
import { Unsubscribe } from '../../application/notifications/unsubscribe.js';
import { UnsubscribeLinks } from '../../application/notifications/unsubscribe-links.js';
import { NotificationSettings } from '../../application/notifications/notification-settings.js';
import { KnexNotificationSettingReader } from '../../adapters/outbound/persistence/knex/notifications/knex-notification-setting-reader.js';
import { KnexSubscriptionReader } from '../../adapters/outbound/persistence/knex/notifications/knex-subscriptions.js';
import { TOKENS } from './tokens.js';

export const notificationsModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.notifications).toResolvedValue(
    ({ reader }, unitOfWork, workspace, unsubscribeBox, clock, config) => {
      const unsubscribeLinks = new UnsubscribeLinks(unsubscribeBox);
      const projectIsThere = async (id: number) => (await workspace.reader.findProject(id)) !== undefined;
      const notificationSettingReader = new KnexNotificationSettingReader(reader);
      const topTier = config.tier === 'ultimate';
      return {
        notificationSettingReader,
        notificationSettings: new NotificationSettings(unitOfWork, notificationSettingReader, clock, topTier),
        issueSubscriptions: new IssueSubscriptions(unitOfWork, new KnexSubscriptionReader(reader), clock),
        unsubscribeLinks,
        unsubscribe: new Unsubscribe(unitOfWork, unsubscribeLinks, projectIsThere, clock),
        effectiveNotifications: new EffectiveNotifications(notificationSettingReader),
      };
    },
    [TOKENS.database, TOKENS.unitOfWork, TOKENS.workspace, TOKENS.unsubscribeBox, TOKENS.clock, TOKENS.config],
  );
});
