import { describe, expect, it } from '@jest/globals';
import { cronTimes } from '../../../src/adapters/outbound/system/cron-times.js';
import { ZONES_BY_RAILS_NAME } from '../../../src/adapters/outbound/system/rails-time-zones.js';

const NOW = new Date('2026-03-27T12:00:00Z');

const next = (cron: string, timezone = 'UTC', after = NOW) => cronTimes.next(cron, timezone, after)?.toISOString();

describe('times of cron', () => {
  it('are those of five fields, with names, ranges, lists and steps', () => {
    expect(next('0 4 * * *')).toBe('2026-03-28T04:00:00.000Z');
    expect(next('*/20 12 * * fri')).toBe('2026-03-27T12:20:00.000Z');
    expect(next('30 4 1,15 JAN-MAR mon')).toBe('2026-03-30T04:30:00.000Z');
    expect(next('0 0 29 2 *')).toBe('2028-02-29T00:00:00.000Z');
  });

  it('come after the instant that is told, never at it', () => {
    expect(next('0 12 * * *', 'UTC', NOW)).toBe('2026-03-28T12:00:00.000Z');
    expect(next('0 12 * * *', 'UTC', new Date(NOW.getTime() - 1_000))).toBe('2026-03-27T12:00:00.000Z');
  });

  it('are those of the clocks of a time zone, also where these are changed', () => {
    expect(next('0 4 * * *', 'Europe/Berlin')).toBe('2026-03-28T03:00:00.000Z');
    expect(next('0 4 * * *', 'Europe/Berlin', new Date('2026-03-28T12:00:00Z'))).toBe('2026-03-29T02:00:00.000Z');
    expect(next('0 4 * * *', 'Berlin')).toBe(next('0 4 * * *', 'Europe/Berlin'));
    // There is no such time on that day.
    expect(next('30 2 29 3 *', 'Europe/Berlin', new Date('2026-03-28T12:00:00Z'))).toBe('2026-03-29T01:00:00.000Z');
  });

  it('are none of what is no pattern, is never due, or is in no time zone', () => {
    for (const cron of ['', 'often', '0 4 * *', '0 0 4 * * *', '60 4 * * *', '0 0 31 2 *', '*/0 * * * *'])
      expect([cron, next(cron)]).toEqual([cron, undefined]);
    expect(next('0 4 * * *', 'Nowhere')).toBeUndefined();
  });

  it('know zones by their names in the data base of time zones, and by those of Rails', () => {
    for (const name of [
      'UTC',
      'Europe/Berlin',
      'America/Argentina/Buenos_Aires',
      'Etc/GMT+5',
      'Pacific Time (US & Canada)',
    ])
      expect([name, cronTimes.isZone(name)]).toEqual([name, true]);
    for (const name of ['', ' ', '+02:00', 'Berlin/Europe', '__proto__', 'Europe/', 'a'.repeat(1_000)])
      expect([name, cronTimes.isZone(name)]).toEqual([name, false]);
    expect([...ZONES_BY_RAILS_NAME.keys()].filter((name) => !cronTimes.isZone(name))).toEqual([]);
  });
});
