import type { SettingsInReach } from '../../../../../domain/notifications/notification-setting.js';
import type { NamespaceId, ProjectId, UserId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { lineageOf } from '../visibility/lineage.js';
import { toSetting, type SettingRow } from './setting-row.js';

type OwnSettingRow = SettingRow & { readonly user_id: UserId };
type GroupSettingRow = OwnSettingRow & { readonly group_id: number };

/** A project with the namespace that holds it, or a group alone. */
export interface SettingsPlace {
  readonly projectId?: ProjectId;
  readonly namespaceId: NamespaceId;
}

const SETTING = ['user_id', 'level', 'events'] as const;

/** The settings of some people that reach a place. */
export const settingsInReach = async (
  { query }: Pick<Session, 'query'>,
  { projectId, namespaceId }: SettingsPlace,
  ids: readonly UserId[],
): Promise<(id: UserId) => SettingsInReach> => {
  const wanted = [...ids];
  const ofProject =
    projectId === undefined
      ? []
      : await query('project_notification_settings')
          .where({ project_id: projectId })
          .whereIn('user_id', wanted)
          .select(...SETTING);
  const ofGroups = (await lineageOf(query, namespaceId)
    .join('group_notification_settings', 'group_notification_settings.namespace_id', 'lineage.id')
    .whereIn('user_id', wanted)
    .orderBy('lineage.distance')
    .select(...SETTING, { group_id: 'lineage.id' })) as GroupSettingRow[];
  const everywhere = await query('notification_settings')
    .whereIn('user_id', wanted)
    .select(...SETTING);
  return (id) => {
    const [own, global] = [ofProject, everywhere].map((rows) => rows.find((row) => row.user_id === id));
    return {
      ...(own === undefined ? {} : { project: toSetting(own) }),
      groups: ofGroups.filter((row) => row.user_id === id).map((row) => ({ ...toSetting(row), groupId: row.group_id })),
      ...(global === undefined ? {} : { global: toSetting(global) }),
    };
  };
};

/** Where the notifications of some people go: the confirmed address that they chose, else the primary one if it is confirmed. */
export const notificationAddresses = async (
  { query }: Pick<Session, 'query'>,
  ids: readonly UserId[],
): Promise<ReadonlyMap<UserId, string>> => {
  const chosen = await query('notification_settings')
    .whereIn('user_id', [...ids])
    .whereNotNull('email_id')
    .select('email_id');
  const choices = new Set(chosen.map(({ email_id }) => email_id));
  const rows = await query('emails')
    .whereIn('user_id', [...ids])
    .whereNotNull('confirmed_at')
    .select('id', 'user_id', 'address', 'is_primary');
  const addresses = new Map<UserId, string>();
  for (const row of rows) if (Boolean(row.is_primary)) addresses.set(row.user_id, row.address);
  for (const row of rows) if (choices.has(row.id)) addresses.set(row.user_id, row.address);
  return addresses;
};
