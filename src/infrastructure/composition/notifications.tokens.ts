import type { DeliverMail } from '../../application/notifications/deliver-mail.js';
import type { EffectiveNotifications } from '../../application/notifications/effective-notification.js';
import type { Unsubscribe } from '../../application/notifications/unsubscribe.js';
import type { UnsubscribeLinks } from '../../application/notifications/unsubscribe-links.js';
import type { NotificationSettings } from '../../application/notifications/notification-settings.js';
import type { MailMarkup } from '../../application/notifications/ports/mail-markup.js';
import type { NotificationSettingReader } from '../../application/notifications/ports/notification-setting-ports.js';
import type { RemindOfDueIssues } from '../../application/notifications/remind-of-due-issues.js';
import type { LazyMailer } from '../../adapters/outbound/mail/lazy-mailer.js';
import type { MailLoop } from '../mail-loop.js';
import { token } from './token.js';

/** What people want to be mailed about. */
export interface NotificationUseCases {
  readonly notificationSettings: NotificationSettings;
  readonly notificationSettingReader: NotificationSettingReader;
  readonly effectiveNotifications: EffectiveNotifications;
  readonly unsubscribeLinks: UnsubscribeLinks;
  readonly unsubscribe: Unsubscribe;
}

export const NOTIFICATION_TOKENS = {
  notifications: token<NotificationUseCases>('NotificationUseCases'),
  deliverMail: token<DeliverMail>('DeliverMail'),
  mailer: token<LazyMailer>('Mailer'),
  mailMarkup: token<MailMarkup>('MailMarkup'),
  mailLoop: token<MailLoop>('MailLoop'),
  remindOfDueIssues: token<RemindOfDueIssues>('RemindOfDueIssues'),
} as const;
