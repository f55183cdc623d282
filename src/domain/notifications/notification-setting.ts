import type { DecidedLevel, NotificationLevel } from './notification-level.js';
import type { EventChoices } from './notification-event.js';

/** What somebody wants of one place: everywhere, a group, or a project. `events` count at the level `custom` alone. */
export interface NotificationSetting {
  readonly level: NotificationLevel;
  readonly events: EventChoices;
}

export const DEFAULT_GLOBAL_SETTING: NotificationSetting = { level: 'participating', events: {} };
export const DEFAULT_PLACE_SETTING: NotificationSetting = { level: 'global', events: {} };

/** The settings that reach a place. What is absent was never set. */
export interface SettingsInReach {
  readonly project?: NotificationSetting;
  /** From the nearest group to the topmost. */
  readonly groups: readonly ({ readonly groupId: number } & NotificationSetting)[];
  readonly global?: NotificationSetting;
}

/** The setting that counts, and where it was made. */
export interface EffectiveSetting {
  readonly level: DecidedLevel;
  readonly events: EventChoices;
  readonly decidedBy:
    { readonly kind: 'project' } | { readonly kind: 'group'; readonly groupId: number } | { readonly kind: 'global' };
}

const decided = (
  setting: NotificationSetting | undefined,
  decidedBy: EffectiveSetting['decidedBy'],
): EffectiveSetting | undefined =>
  setting === undefined || setting.level === 'global'
    ? undefined
    : { level: setting.level, events: setting.events, decidedBy };

/** The project's setting, else that of the nearest group that has one, else the global one; there `global` means `participating`. */
export const effectiveSetting = ({ project, groups, global }: SettingsInReach): EffectiveSetting => {
  const nearest = groups.find(({ level }) => level !== 'global');
  return (
    decided(project, { kind: 'project' }) ??
    decided(nearest, { kind: 'group', groupId: nearest?.groupId ?? 0 }) ??
    decided(global, { kind: 'global' }) ?? {
      level: 'participating',
      events: global?.events ?? {},
      decidedBy: { kind: 'global' },
    }
  );
};
