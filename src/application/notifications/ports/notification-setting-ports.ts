import type { NotificationSetting } from '../../../domain/notifications/notification-setting.js';
import type { GroupId, NamespaceId, ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../domain/shared/page.js';

/** Where a setting counts: everywhere, below a group, or in a project. */
export type SettingPlace =
  | { readonly kind: 'global' }
  | { readonly kind: 'group'; readonly id: GroupId }
  | { readonly kind: 'project'; readonly id: ProjectId };

export interface NotificationSettingRepository {
  /** As it was saved, or `initial`; of works that ask for one setting, each waits for the one before. */
  take(userId: UserId, place: SettingPlace, initial: NotificationSetting, at: Date): Promise<NotificationSetting>;
  save(userId: UserId, place: SettingPlace, setting: NotificationSetting, at: Date): Promise<void>;
  /** Where their notifications go; null is their primary address. To be saved after the global setting. */
  chooseEmail(userId: UserId, emailId: number | null): Promise<void>;
}

/** A group or project for which somebody has a setting of their own. */
export interface PlaceWithSetting extends NotificationSetting {
  readonly kind: 'group' | 'project';
  readonly id: number;
  readonly fullPath: string;
}

export interface NotificationSettingReader {
  find(userId: UserId, place: SettingPlace): Promise<NotificationSetting | undefined>;
  /** The confirmed address that was chosen, else the primary one, else null. */
  notificationEmail(userId: UserId): Promise<string | null>;
  /** Those that are not `global`, by path; what is being removed is left out. */
  listPlaces(userId: UserId, page: PageRequest): Promise<Page<PlaceWithSetting>>;
  /** The settings of one person that reach a group, or a project: those of the group and its ancestors, nearest first. */
  groupSettings(
    userId: UserId,
    groupId: NamespaceId,
  ): Promise<readonly (NotificationSetting & { readonly groupId: GroupId; readonly fullPath: string })[]>;
}
