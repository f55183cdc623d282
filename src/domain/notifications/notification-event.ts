/** What people are mailed about, in the order in which settings list it ("Notification setting"). */
export const NOTIFICATION_EVENTS = [
  'new_note',
  'new_issue',
  'reopen_issue',
  'close_issue',
  'reassign_issue',
  'issue_due',
  'new_merge_request',
  'push_to_merge_request',
  'reopen_merge_request',
  'close_merge_request',
  'reassign_merge_request',
  'merge_merge_request',
  'failed_pipeline',
  'fixed_pipeline',
  'success_pipeline',
  'moved_project',
  'new_epic',
] as const;
export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number];

/** What somebody switched on or off; the rest is as by default. */
export type EventChoices = Readonly<Partial<Record<NotificationEvent, boolean>>>;

const ON_BY_DEFAULT: ReadonlySet<NotificationEvent> = new Set(['failed_pipeline', 'fixed_pipeline', 'moved_project']);

/** `new_epic` is there in the top tier alone. */
export const eventsOfTier = (topTier: boolean): readonly NotificationEvent[] =>
  topTier ? NOTIFICATION_EVENTS : NOTIFICATION_EVENTS.filter((event) => event !== 'new_epic');

export const isSwitchedOn = (choices: EventChoices, event: NotificationEvent): boolean =>
  choices[event] ?? ON_BY_DEFAULT.has(event);
