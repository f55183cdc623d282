import { describe, expect, it } from '@jest/globals';
import { ACTIONS, phraseOf, type TargetType } from '../../../src/domain/activity/activity-event.js';
import { between, keptSince } from '../../../src/domain/activity/event-filter.js';

const at = (text: string): Date => new Date(text);

describe('how long entries are kept', () => {
  it.each([
    ['2026-11-21T08:57:36.123Z', '2024-11-21T08:57:36.123Z'],
    ['2026-03-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
    ['2028-02-29T12:00:00.000Z', '2026-02-28T12:00:00.000Z'],
    ['2026-02-28T23:59:59.999Z', '2024-02-28T23:59:59.999Z'],
  ])('at %s is since %s: two calendar years', (now, since) => {
    expect(keptSince(at(now), undefined)).toEqual(at(since));
  });

  it('is so many times 24 hours where the operator says so', () => {
    expect(keptSince(at('2026-03-01T12:00:00.000Z'), 1)).toEqual(at('2026-02-28T12:00:00.000Z'));
  });
});

describe('the days of a filter', () => {
  const kept = at('2024-03-01T12:00:00.000Z');

  it('are left out themselves', () => {
    expect(between(kept, { after: '2026-02-28', before: '2026-03-02' })).toEqual({
      from: at('2026-03-01T00:00:00.000Z'),
      until: at('2026-03-02T00:00:00.000Z'),
    });
  });

  it('show nothing that is kept no longer', () => {
    expect(between(kept, { after: '2020-01-01' })).toEqual({ from: kept });
    expect(between(kept, { after: '2024-02-29' })).toEqual({ from: kept });
    expect(between(kept, {})).toEqual({ from: kept });
  });
});

describe('the phrase of an entry', () => {
  const about = (type: TargetType) => ({ type, id: 1, iid: 1, title: null });

  it('is one for every action and type, as tables of clients have them', () => {
    const phrases = Object.fromEntries(
      ACTIONS.map((action) => [action, phraseOf({ action, target: about('issue'), push: null })]),
    );
    expect(phrases).toEqual({
      approved: 'approved',
      created: 'opened',
      updated: 'updated',
      closed: 'closed',
      reopened: 'opened',
      pushed: 'pushed',
      commented: 'commented on',
      merged: 'accepted',
      joined: 'joined',
      left: 'left',
      destroyed: 'destroyed',
      expired: 'removed due to membership expiration from',
    });
    expect(phraseOf({ action: 'created', target: about('project'), push: null })).toBe('created');
  });
});
