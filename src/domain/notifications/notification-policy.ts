import { isSwitchedOn, type EventChoices, type NotificationEvent } from './notification-event.js';
import type { EffectiveSetting } from './notification-setting.js';

/**
 * How somebody is involved in what happened.
 * `actor`: they did it. `mentioned`: they are named in what was just written. `newly_assigned`: it was just given to them.
 * `assignee`, `author`, `former_assignee`, `commenter`, `mentioned_before`: they take part.
 * `subscriber`, `unsubscribed`: they said so themselves. `label_subscriber`: they asked to hear of what gets a label that it just got.
 */
export type Involvement =
  | 'actor'
  | 'mentioned'
  | 'newly_assigned'
  | 'assignee'
  | 'author'
  | 'former_assignee'
  | 'commenter'
  | 'mentioned_before'
  | 'subscriber'
  | 'label_subscriber'
  | 'unsubscribed';

export type MailReason =
  | 'mentioned'
  | 'assigned'
  | 'author'
  | 'subscribed'
  | 'subscribed_to_label'
  | 'unassigned'
  | 'commented'
  | 'mentioned_before'
  | 'watching'
  | 'custom'
  | 'member'
  | 'maintainer';

export type NoMailReason =
  | 'own_activity'
  | 'disabled'
  | 'unsubscribed'
  | 'mentions_only'
  | 'event_not_watched'
  | 'not_participating'
  | 'event_switched_off';

export type NotificationDecision =
  | { readonly outcome: 'mailed'; readonly reason: MailReason }
  | { readonly outcome: 'not_mailed'; readonly reason: NoMailReason };

/** What happened, how somebody is involved in it, and what they want. */
export interface NotificationCase {
  readonly event: NotificationEvent;
  readonly involvement: ReadonlySet<Involvement>;
  readonly setting: Pick<EffectiveSetting, 'level' | 'events'>;
}

type Check = (given: NotificationCase) => NotificationDecision | undefined;

const mailed = (reason: MailReason): NotificationDecision => ({ outcome: 'mailed', reason });
const notMailed = (reason: NoMailReason): NotificationDecision => ({ outcome: 'not_mailed', reason });

/** From the strongest to the weakest. */
const PARTICIPATION: readonly (readonly [Involvement, MailReason])[] = [
  ['assignee', 'assigned'],
  ['author', 'author'],
  ['former_assignee', 'unassigned'],
  ['commenter', 'commented'],
  ['mentioned_before', 'mentioned_before'],
];

const NOT_WATCHED: ReadonlySet<NotificationEvent> = new Set(['push_to_merge_request', 'issue_due', 'success_pipeline']);
/** Whoever belongs to the project hears of them at `participating`. */
const OF_ALL_MEMBERS: ReadonlySet<NotificationEvent> = new Set(['failed_pipeline', 'fixed_pipeline', 'moved_project']);

const participation = ({ involvement }: NotificationCase): MailReason | undefined =>
  PARTICIPATION.find(([kind]) => involvement.has(kind))?.[1];

const isWanted = (choices: EventChoices, event: NotificationEvent): boolean =>
  isSwitchedOn(choices, event) || (event === 'fixed_pipeline' && isSwitchedOn(choices, 'success_pipeline'));

const ownActivity: Check = ({ involvement }) => (involvement.has('actor') ? notMailed('own_activity') : undefined);

const disabled: Check = ({ setting, involvement }) => {
  if (setting.level !== 'disabled') return undefined;
  if (involvement.has('subscriber')) return mailed('subscribed');
  const asked = involvement.has('label_subscriber') && !involvement.has('unsubscribed');
  return asked ? mailed('subscribed_to_label') : notMailed('disabled');
};

/** Being given an issue is being spoken to. */
const addressed: Check = ({ involvement }) => {
  if (involvement.has('mentioned')) return mailed('mentioned');
  return involvement.has('newly_assigned') ? mailed('assigned') : undefined;
};

const unsubscribed: Check = ({ involvement }) =>
  involvement.has('unsubscribed') ? notMailed('unsubscribed') : undefined;

/** Whoever asked to be told is, at every level. */
const subscribed: Check = (given) => {
  const { involvement } = given;
  const reason = involvement.has('subscriber') ? 'subscribed' : 'subscribed_to_label';
  if (reason === 'subscribed_to_label' && !involvement.has('label_subscriber')) return undefined;
  const stronger = participation(given);
  return mailed(stronger === 'assigned' || stronger === 'author' ? stronger : reason);
};

const byLevel = (given: NotificationCase): NotificationDecision => {
  const { event, setting } = given;
  switch (setting.level) {
    case 'disabled':
      return notMailed('disabled');
    case 'mention':
      return notMailed('mentions_only');
    case 'watch':
      return NOT_WATCHED.has(event) ? notMailed('event_not_watched') : mailed(participation(given) ?? 'watching');
    case 'custom':
      return isWanted(setting.events, event)
        ? mailed(participation(given) ?? 'custom')
        : notMailed('event_switched_off');
    case 'participating': {
      const reason = participation(given) ?? (OF_ALL_MEMBERS.has(event) ? 'member' : undefined);
      return reason === undefined ? notMailed('not_participating') : mailed(reason);
    }
  }
};

// In this order: a subscription stands above `disabled`, a mention above having unsubscribed, and nothing above having done it oneself.
const CHECKS: readonly Check[] = [ownActivity, disabled, addressed, unsubscribed, subscribed];

/** Of an alert the maintainers and owners of its project are mailed, whatever else they chose, but for nothing at all. */
export const decideAlertNotification = (level: EffectiveSetting['level'], isActor: boolean): NotificationDecision => {
  if (isActor) return notMailed('own_activity');
  return level === 'disabled' ? notMailed('disabled') : mailed('maintainer');
};

/** Of labels that something got those alone are mailed who asked for that, whatever else they chose. */
export const decideLabelNotification = (involvement: ReadonlySet<Involvement>): NotificationDecision => {
  if (involvement.has('actor')) return notMailed('own_activity');
  if (involvement.has('unsubscribed')) return notMailed('unsubscribed');
  return involvement.has('label_subscriber') ? mailed('subscribed_to_label') : notMailed('not_participating');
};

/** Whether somebody is mailed, and why, or why not ("Notification setting"; the levels are those of `NOTIFICATION_LEVELS`). */
export const decideNotification = (given: NotificationCase): NotificationDecision => {
  for (const check of CHECKS) {
    const decision = check(given);
    if (decision !== undefined) return decision;
  }
  return byLevel(given);
};

/** Of a text that was changed those alone are mailed whom it names since then, as they would be of a new comment that names them. */
export const decideMentionNotification = (
  involvement: ReadonlySet<Involvement>,
  setting: NotificationCase['setting'],
): NotificationDecision =>
  involvement.has('mentioned')
    ? decideNotification({ event: 'new_note', involvement, setting })
    : notMailed('not_participating');
