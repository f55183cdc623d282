import { describe, expect, it } from '@jest/globals';
import { cronTimes } from '../../../src/adapters/outbound/system/cron-times.js';
import { checkFreezePeriod, isWithin } from '../../../src/domain/pipelines/freeze-period.js';
import { Invalid } from '../../../src/domain/shared/domain-error.js';

const WEEKEND = ['0 23 * * 5', '0 7 * * 1'] as const;

const within = (at: string, zone = 'UTC', [start, end]: readonly [string, string] = WEEKEND) => {
  const next = (cron: string) => cronTimes.next(cron, zone, new Date(at));
  return isWithin(next(start), next(end));
};

describe('a freeze period', () => {
  it.each([
    ['2026-11-27T22:59:59Z', false],
    ['2026-11-27T23:00:00Z', true],
    ['2026-11-29T12:00:00Z', true],
    ['2026-11-30T06:59:59Z', true],
    ['2026-11-30T07:00:00Z', false],
    ['2026-12-02T12:00:00Z', false],
  ])('goes on from each time that it begins until it ends: %s %s', (at, frozen) => {
    expect(within(at)).toBe(frozen);
  });

  it('is told by the clocks of its time zone', () => {
    expect(within('2026-11-27T22:30:00Z', 'Europe/Berlin')).toBe(true);
    expect(within('2026-11-30T06:30:00Z', 'Europe/Berlin')).toBe(false);
  });

  it('may be of a year', () => {
    const winter = ['0 0 20 12 *', '0 0 2 1 *'] as const;
    expect(within('2026-12-31T12:00:00Z', 'UTC', winter)).toBe(true);
    expect(within('2027-01-02T00:00:00Z', 'UTC', winter)).toBe(false);
  });

  it('that never ends, or begins and ends at once, is none', () => {
    expect(isWithin(undefined, undefined)).toBe(false);
    expect(isWithin(new Date(1), undefined)).toBe(false);
    expect(isWithin(new Date(1), new Date(1))).toBe(false);
    expect(isWithin(undefined, new Date(1))).toBe(true);
  });

  it('is refused with all that is wrong', () => {
    const problemsOf = (...[fields, facts]: Parameters<typeof checkFreezePeriod>) => {
      try {
        checkFreezePeriod(fields, facts);
      } catch (error) {
        return error instanceof Invalid ? error.problems : error;
      }
      return undefined;
    };
    const fields = { freezeStart: ' ', freezeEnd: 'x'.repeat(256), cronTimezone: 'UTC' };
    expect(problemsOf(fields, { zone: true, startDue: false, endDue: false })).toEqual({
      freeze_start: ["can't be blank", 'is invalid syntax'],
      freeze_end: ['is too long (maximum is 255 characters)', 'is invalid syntax'],
    });
    expect(problemsOf({ ...fields, cronTimezone: '' }, { zone: false, startDue: false, endDue: false })).toMatchObject({
      cron_timezone: ["can't be blank", 'is invalid syntax'],
    });
  });
});
