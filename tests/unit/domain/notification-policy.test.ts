import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NOTIFICATION_EVENTS, type NotificationEvent } from '../../../src/domain/notifications/notification-event.js';
import { NOTIFICATION_LEVELS, type DecidedLevel } from '../../../src/domain/notifications/notification-level.js';
import {
  decideLabelNotification,
  decideMentionNotification,
  decideNotification,
  type Involvement,
} from '../../../src/domain/notifications/notification-policy.js';
import { effectiveSetting, type NotificationSetting } from '../../../src/domain/notifications/notification-setting.js';

const LEVELS = NOTIFICATION_LEVELS.filter((level): level is DecidedLevel => level !== 'global');
const INVOLVEMENTS: readonly Involvement[] = [
  'actor',
  'mentioned',
  'newly_assigned',
  'assignee',
  'author',
  'former_assignee',
  'commenter',
  'mentioned_before',
  'subscriber',
  'label_subscriber',
  'unsubscribed',
];
const NOT_WATCHED: readonly NotificationEvent[] = ['push_to_merge_request', 'issue_due', 'success_pipeline'];
const FOR_MEMBERS: readonly NotificationEvent[] = ['failed_pipeline', 'fixed_pipeline', 'moved_project'];
/** At `custom` with nothing chosen. */
const ON = FOR_MEMBERS;

const decide = (level: DecidedLevel, event: NotificationEvent, involvement: readonly Involvement[], on = {}) => {
  const { outcome, reason } = decideNotification({
    event,
    involvement: new Set(involvement),
    setting: { level, events: on },
  });
  return `${outcome}: ${reason}`;
};

/** The reasons that are called otherwise than the involvement. */
const NAMED: Readonly<Record<string, string | undefined>> = {
  assignee: 'assigned',
  former_assignee: 'unassigned',
  commenter: 'commented',
  label_subscriber: 'subscribed_to_label',
};

/** What the table says for the events that no level treats in a way of its own. */
const TABLE: readonly (readonly [Involvement | 'nobody', Readonly<Record<DecidedLevel, string>>])[] = [
  ['actor', all('not_mailed: own_activity')],
  ['mentioned', { ...all('mailed: mentioned'), disabled: 'not_mailed: disabled' }],
  ['newly_assigned', { ...all('mailed: assigned'), disabled: 'not_mailed: disabled' }],
  ['assignee', participant('assigned')],
  ['author', participant('author')],
  ['former_assignee', participant('unassigned')],
  ['commenter', participant('commented')],
  ['mentioned_before', participant('mentioned_before')],
  ['subscriber', all('mailed: subscribed')],
  ['label_subscriber', all('mailed: subscribed_to_label')],
  ['unsubscribed', { ...all('not_mailed: unsubscribed'), disabled: 'not_mailed: disabled' }],
  [
    'nobody',
    {
      disabled: 'not_mailed: disabled',
      mention: 'not_mailed: mentions_only',
      participating: 'not_mailed: not_participating',
      watch: 'mailed: watching',
      custom: 'not_mailed: event_switched_off',
    },
  ],
];

function all(decision: string): Record<DecidedLevel, string> {
  return Object.fromEntries(LEVELS.map((level) => [level, decision])) as Record<DecidedLevel, string>;
}

function participant(reason: string): Record<DecidedLevel, string> {
  return {
    disabled: 'not_mailed: disabled',
    mention: 'not_mailed: mentions_only',
    participating: `mailed: ${reason}`,
    watch: `mailed: ${reason}`,
    custom: 'not_mailed: event_switched_off',
  };
}

/** The rows of the table that an event changes. */
const expected = (level: DecidedLevel, event: NotificationEvent, decision: string): string => {
  const byLevelAlone = /watching|assigned|author|commented|mentioned_before|not_participating|switched_off/.test(
    decision,
  );
  if (!byLevelAlone) return decision;
  if (level === 'watch' && NOT_WATCHED.includes(event)) return 'not_mailed: event_not_watched';
  if (level === 'participating' && FOR_MEMBERS.includes(event) && decision.startsWith('not')) return 'mailed: member';
  return decision;
};

describe('whether somebody is mailed', () => {
  for (const [involvement, decisions] of TABLE) {
    for (const level of LEVELS) {
      it(`as ${involvement} at ${level}: ${decisions[level]}`, () => {
        const involved = involvement === 'nobody' ? [] : [involvement];
        for (const event of NOTIFICATION_EVENTS) {
          // To be given something is being addressed, whatever the event.
          const row = involvement === 'newly_assigned' ? decisions[level] : expected(level, event, decisions[level]);
          const switchedOn = level === 'custom' && ON.includes(event) && row.includes('switched_off');
          const named = NAMED[involvement] ?? involvement;
          const wanted = switchedOn ? `mailed: ${involvement === 'nobody' ? 'custom' : named}` : row;
          expect([event, decide(level, event, involved)]).toEqual([event, wanted]);
        }
      });
    }
  }

  it('at custom follows the switches, and success_pipeline brings fixed_pipeline with it', () => {
    for (const event of NOTIFICATION_EVENTS) {
      expect(decide('custom', event, [], { [event]: true })).toBe('mailed: custom');
      expect(decide('custom', event, ['commenter'], { [event]: true })).toBe('mailed: commented');
      expect(decide('custom', event, ['commenter'], { [event]: false })).toBe('not_mailed: event_switched_off');
      expect(decide('custom', event, ['mentioned'], { [event]: false })).toBe('mailed: mentioned');
    }
    expect(decide('custom', 'fixed_pipeline', [], { fixed_pipeline: false, success_pipeline: true })).toBe(
      'mailed: custom',
    );
  });

  it('names the strongest reason', () => {
    expect(decide('watch', 'new_note', ['commenter', 'author', 'assignee'])).toBe('mailed: assigned');
    expect(decide('watch', 'new_note', ['commenter', 'author', 'subscriber'])).toBe('mailed: author');
    expect(decide('watch', 'new_note', ['commenter', 'subscriber'])).toBe('mailed: subscribed');
    expect(decide('participating', 'new_note', ['assignee', 'mentioned'])).toBe('mailed: mentioned');
  });

  const anyCase = fc.record({
    level: fc.constantFrom(...LEVELS),
    event: fc.constantFrom(...NOTIFICATION_EVENTS),
    involvement: fc.subarray([...INVOLVEMENTS]),
    on: fc.dictionary(fc.constantFrom(...NOTIFICATION_EVENTS), fc.boolean()),
  });
  type AnyCase = typeof anyCase extends fc.Arbitrary<infer Value> ? Value : never;
  const decideCase = ({ level, event, involvement, on }: AnyCase) => decide(level, event, involvement, on);
  const holds = (rule: (given: AnyCase, decision: string) => boolean): void =>
    fc.assert(
      fc.property(anyCase, (given) => rule(given, decideCase(given))),
      { numRuns: 2_000 },
    );

  it('is never so for what he did himself', () => {
    holds(({ involvement }, decision) => !involvement.includes('actor') || decision === 'not_mailed: own_activity');
  });

  it('is never so at disabled, unless he subscribed', () => {
    holds(
      ({ level, involvement }, decision) =>
        level !== 'disabled' ||
        involvement.includes('subscriber') ||
        (involvement.includes('label_subscriber') && !involvement.includes('unsubscribed')) ||
        decision.startsWith('not_mailed'),
    );
  });

  it('is never so once he unsubscribed, unless he is spoken to', () => {
    holds(
      ({ involvement, level }, decision) =>
        !involvement.includes('unsubscribed') ||
        involvement.includes('mentioned') ||
        involvement.includes('newly_assigned') ||
        (level === 'disabled' && involvement.includes('subscriber')) ||
        decision.startsWith('not_mailed'),
    );
  });

  it('does not depend on the order in which his involvements are found', () => {
    holds((given, decision) => decideCase({ ...given, involvement: [...given.involvement].reverse() }) === decision);
  });

  it('is never undone by being mentioned as well', () => {
    holds(
      ({ involvement, ...given }, decision) =>
        decision.startsWith('not_mailed') ||
        decideCase({ ...given, involvement: [...involvement, 'mentioned'] }).startsWith('mailed'),
    );
  });
});

describe('whether somebody is mailed about labels that something got', () => {
  const decideLabel = (...involvement: readonly Involvement[]) => decideLabelNotification(new Set(involvement));

  it('is decided by their subscription to one of them alone', () => {
    expect(decideLabel('label_subscriber', 'author')).toEqual({ outcome: 'mailed', reason: 'subscribed_to_label' });
    expect(decideLabel('subscriber', 'assignee', 'author')).toMatchObject({ outcome: 'not_mailed' });
  });

  it('is never so for what they did themselves, nor once they unsubscribed from it', () => {
    expect(decideLabel('label_subscriber', 'actor')).toMatchObject({ reason: 'own_activity' });
    expect(decideLabel('label_subscriber', 'unsubscribed')).toMatchObject({ reason: 'unsubscribed' });
  });
});

describe('whether somebody is mailed about a mention that an edit added', () => {
  it.each(LEVELS)('is decided at %s as of a new comment, for whom it names alone', (level) => {
    const setting = { level, events: {} };
    for (const involvement of INVOLVEMENTS) {
      const named = new Set<Involvement>(['mentioned', involvement]);
      expect(decideMentionNotification(named, setting)).toEqual(
        decideNotification({ event: 'new_note', involvement: named, setting }),
      );
      if (involvement === 'mentioned') continue;
      expect(decideMentionNotification(new Set([involvement]), setting)).toMatchObject({ outcome: 'not_mailed' });
    }
  });
});

describe('the setting that counts', () => {
  const at = (level: NotificationSetting['level']): NotificationSetting => ({ level, events: {} });
  const group = (groupId: number, level: NotificationSetting['level']) => ({ groupId, ...at(level) });

  it('is the project’s, else that of the nearest group, else the global one', () => {
    const groups = [group(3, 'global'), group(2, 'mention'), group(1, 'disabled')];
    expect(effectiveSetting({ project: at('watch'), groups, global: at('custom') })).toMatchObject({
      level: 'watch',
      decidedBy: { kind: 'project' },
    });
    expect(effectiveSetting({ project: at('global'), groups, global: at('custom') })).toMatchObject({
      level: 'mention',
      decidedBy: { kind: 'group', groupId: 2 },
    });
    expect(effectiveSetting({ project: at('global'), groups: [group(3, 'global')], global: at('custom') })).toEqual({
      level: 'custom',
      events: {},
      decidedBy: { kind: 'global' },
    });
  });

  it('is participating where nothing was ever set, and where the global one is global', () => {
    for (const given of [{ groups: [] }, { groups: [], global: at('global') }]) {
      expect(effectiveSetting(given)).toEqual({ level: 'participating', events: {}, decidedBy: { kind: 'global' } });
    }
  });
});
