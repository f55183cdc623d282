import type { Knex } from 'knex';
import type {
  NotificationSettingReader,
  PlaceWithSetting,
  SettingPlace,
} from '../../../../../application/notifications/ports/notification-setting-ports.js';
import type { NotificationSetting } from '../../../../../domain/notifications/notification-setting.js';
import type { GroupId, NamespaceId, UserId } from '../../../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../../../domain/shared/page.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import { lineageOf } from '../visibility/lineage.js';
import { settingKey, toSetting, type SettingRow } from './setting-row.js';

type PlaceRow = SettingRow & { readonly kind: 'group' | 'project'; readonly id: number; readonly full_path: string };
type GroupSettingRow = SettingRow & { readonly group_id: GroupId; readonly full_path: string };

export class KnexNotificationSettingReader implements NotificationSettingReader {
  constructor(private readonly session: Session) {}

  async find(userId: UserId, place: SettingPlace): Promise<NotificationSetting | undefined> {
    const { table, key } = settingKey(userId, place);
    const row = (await this.session.query(table).where(key).first('level', 'events')) as SettingRow | undefined;
    return row && toSetting(row);
  }

  async notificationEmail(userId: UserId): Promise<string | null> {
    const { query } = this.session;
    const chosen = query('notification_settings').where({ user_id: userId }).select('email_id');
    const rows = await query('emails')
      .where({ user_id: userId })
      .where((either) => {
        void either.where('is_primary', true).orWhere((one) => {
          void one.whereIn('id', chosen).whereNotNull('confirmed_at');
        });
      })
      .orderBy('is_primary')
      .select('address');
    return rows[0]?.address ?? null;
  }

  listPlaces(userId: UserId, page: PageRequest): Promise<Page<PlaceWithSetting>> {
    const { query } = this.session;
    const own = (kind: string, table: string, owner: string, owners: string): Knex.QueryBuilder =>
      query(table)
        .join(owners, `${owners}.id`, `${table}.${owner}`)
        .where(`${table}.user_id`, userId)
        .whereNot(`${table}.level`, 'global')
        .whereNull(`${owners}.removal_requested_at`)
        .select(query.raw('? as kind', [kind]), {
          id: `${owners}.id`,
          full_path: `${owners}.full_path`,
          full_path_key: `${owners}.full_path_key`,
          level: `${table}.level`,
          events: `${table}.events`,
        });
    const both = own('group', 'group_notification_settings', 'namespace_id', 'namespaces').unionAll(
      own('project', 'project_notification_settings', 'project_id', 'projects'),
    );
    const list = query.from(both.as('places')).select('*').orderBy('full_path_key').orderBy('kind');
    return pageOfRows(this.session, list, page, (row: PlaceRow) => ({
      ...toSetting(row),
      kind: row.kind,
      id: row.id,
      fullPath: row.full_path,
    }));
  }

  async groupSettings(userId: UserId, groupId: NamespaceId) {
    const rows = (await lineageOf(this.session.query, groupId)
      .join('group_notification_settings', 'group_notification_settings.namespace_id', 'lineage.id')
      .where('group_notification_settings.user_id', userId)
      .orderBy('lineage.distance')
      .select('level', 'events', { group_id: 'lineage.id', full_path: 'lineage.full_path' })) as GroupSettingRow[];
    return rows.map((row) => ({ ...toSetting(row), groupId: row.group_id, fullPath: row.full_path }));
  }
}
