import type { SettingPlace } from '../../../../../application/notifications/ports/notification-setting-ports.js';
import type { EventChoices } from '../../../../../domain/notifications/notification-event.js';
import type { NotificationSetting } from '../../../../../domain/notifications/notification-setting.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { RowOf } from '../tables.js';

export type SettingRow = Pick<RowOf<'notification_settings'>, 'level' | 'events'>;

export const toSetting = ({ level, events }: SettingRow): NotificationSetting => ({
  level,
  events: JSON.parse(events) as EventChoices,
});

/** The table of a place's settings, and the columns that tell one row from the others. */
export const settingKey = (
  userId: UserId,
  place: SettingPlace,
): { readonly table: string; readonly key: Readonly<Record<string, number>> } => {
  switch (place.kind) {
    case 'global':
      return { table: 'notification_settings', key: { user_id: userId } };
    case 'group':
      return { table: 'group_notification_settings', key: { namespace_id: place.id, user_id: userId } };
    case 'project':
      return { table: 'project_notification_settings', key: { project_id: place.id, user_id: userId } };
  }
};
