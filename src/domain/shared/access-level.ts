/** Levels of membership (wire numbers). Owner exists on groups only. */
export const ACCESS_LEVEL = { none: 0, guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 } as const;
export type AccessLevel = (typeof ACCESS_LEVEL)[keyof typeof ACCESS_LEVEL];

export const GROUP_MEMBER_LEVELS: readonly number[] = [10, 20, 30, 40, 50];
export const PROJECT_MEMBER_LEVELS: readonly number[] = [10, 20, 30, 40];

export const ACCESS_LEVEL_NAMES: Readonly<Record<AccessLevel, string>> = {
  0: 'No access',
  10: 'Guest',
  20: 'Reporter',
  30: 'Developer',
  40: 'Maintainer',
  50: 'Owner',
};
