import type {
  NotificationSettingRepository,
  SettingPlace,
} from '../../../../../application/notifications/ports/notification-setting-ports.js';
import type { NotificationSetting } from '../../../../../domain/notifications/notification-setting.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { settingKey, toSetting, type SettingRow } from './setting-row.js';

export class KnexNotificationSettingRepository implements NotificationSettingRepository {
  constructor(private readonly session: Session) {}

  async take(
    userId: UserId,
    place: SettingPlace,
    initial: NotificationSetting,
    at: Date,
  ): Promise<NotificationSetting> {
    const { query, dialect } = this.session;
    const { table, key } = settingKey(userId, place);
    const events = JSON.stringify(initial.events);
    await query(table)
      .insert({ ...key, level: initial.level, events, updated_at: dialect.writeInstant(at) })
      .onConflict(Object.keys(key))
      .ignore();
    const [row] = (await dialect.lockRows(query(table).where(key).select('level', 'events'))) as SettingRow[];
    return toSetting(row!);
  }

  async save(userId: UserId, place: SettingPlace, { level, events }: NotificationSetting, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    const { table, key } = settingKey(userId, place);
    await query(table)
      .where(key)
      .update({ level, events: JSON.stringify(events), updated_at: dialect.writeInstant(at) });
  }

  async chooseEmail(userId: UserId, emailId: number | null): Promise<void> {
    await this.session.query('notification_settings').where({ user_id: userId }).update({ email_id: emailId });
  }
}
