import { ContainerModule } from 'inversify';
import { EffectiveNotifications } from '../../application/notifications/effective-notification.js';
import { NotificationSettings } from '../../application/notifications/notification-settings.js';
import { TellPeople } from '../../application/notifications/tell-people.js';
import { UnsubscribeLinks } from '../../application/notifications/unsubscribe-links.js';
import { Unsubscribe } from '../../application/notifications/unsubscribe.js';
import { createNotificationSettingRoutes } from '../../adapters/inbound/http/api-v4/notification-settings/notification-setting-routes.js';
import { createMailMarkup } from '../../adapters/inbound/http/pages/mail-markdown.js';
import { addNotificationPages } from '../../adapters/inbound/http/pages/notification-pages.js';
import { KnexNotificationSettingReader } from '../../adapters/outbound/persistence/knex/notifications/knex-notification-setting-reader.js';
import type { Context } from './context.js';
import { IDENTITY_TOKENS } from './identity.tokens.js';
import { deliveryModule, mailModule } from './mail.module.js';
import { markdownBy } from './markdown-by.js';
import { notificationsStorage } from './notifications.storage.js';
import { NOTIFICATION_TOKENS } from './notifications.tokens.js';
import { REPOSITORY_TOKENS } from './repositories.tokens.js';
import { EVERY_TEN_SECONDS } from './schedules.js';
import { TOKENS } from './tokens.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';

const notificationsModule = new ContainerModule(({ bind }) => {
  bind(NOTIFICATION_TOKENS.notifications).toResolvedValue(
    ({ reader }, unitOfWork, workspace, unsubscribeBox, clock, config) => {
      const unsubscribeLinks = new UnsubscribeLinks(unsubscribeBox);
      const projectIsThere = async (id: ProjectId) => (await workspace.reader.findProject(id)) !== undefined;
      const notificationSettingReader = new KnexNotificationSettingReader(reader);
      const topTier = config.tier === 'ultimate';
      return {
        notificationSettingReader,
        notificationSettings: new NotificationSettings(unitOfWork, notificationSettingReader, clock, topTier),
        unsubscribeLinks,
        unsubscribe: new Unsubscribe(unitOfWork, unsubscribeLinks, projectIsThere, clock),
        effectiveNotifications: new EffectiveNotifications(notificationSettingReader),
      };
    },
    [
      TOKENS.database,
      TOKENS.unitOfWork,
      WORKSPACE_TOKENS.workspace,
      TOKENS.unsubscribeBox,
      TOKENS.clock,
      TOKENS.config,
    ],
  );
  bind(NOTIFICATION_TOKENS.mailMarkup).toResolvedValue(
    ({ access }, get, address) => {
      const markdown = markdownBy(get, get(REPOSITORY_TOKENS.apiMarkup));
      return createMailMarkup(access, markdown, () => address.baseUrl);
    },
    [WORKSPACE_TOKENS.workspace, TOKENS.get, TOKENS.publicAddress],
  );
});

/** A storm leaves one for each of its incidents, which have nearly everything in common. */
const CAUSES_AT_ONCE = 32;

/** What people want to be mailed about, and the mails. */
export const notificationsContext: Context<typeof notificationsStorage> = {
  storage: notificationsStorage,
  modules: [notificationsModule, deliveryModule, mailModule],
  routes: (get) =>
    createNotificationSettingRoutes({ ...get(WORKSPACE_TOKENS.workspace), ...get(NOTIFICATION_TOKENS.notifications) }),
  pages: (get) => (pages) =>
    addNotificationPages(pages, {
      ...get(WORKSPACE_TOKENS.workspace),
      ...get(NOTIFICATION_TOKENS.notifications),
      users: get(IDENTITY_TOKENS.identityReaders).users,
    }),
  jobs: (get) => {
    const tellPeople = new TellPeople(get(TOKENS.clock));
    return {
      tell_people: {
        atOnce: CAUSES_AT_ONCE,
        steps: (repositories, causeIds) => tellPeople.steps(repositories, causeIds),
      },
    };
  },
  tasks: (get) => [
    {
      name: 'issues that are due',
      pattern: EVERY_TEN_SECONDS,
      run: () => get(NOTIFICATION_TOKENS.remindOfDueIssues).execute(),
    },
  ],
};
