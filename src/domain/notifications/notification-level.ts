/** The levels of a notification setting, in the order of their numbers. */
export const NOTIFICATION_LEVELS = ['disabled', 'participating', 'watch', 'global', 'mention', 'custom'] as const;
export type NotificationLevel = (typeof NOTIFICATION_LEVELS)[number];

/** What remains once `global` has been followed to where it leads. */
export type DecidedLevel = Exclude<NotificationLevel, 'global'>;

export const isNotificationLevel = (text: string): text is NotificationLevel =>
  (NOTIFICATION_LEVELS as readonly string[]).includes(text);
