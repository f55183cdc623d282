import { describe, expect, it } from '@jest/globals';
import { checkSchedule, isCronOfFive, nextRunAfter } from '../../../src/domain/pipelines/pipeline-schedule.js';
import { Invalid } from '../../../src/domain/shared/domain-error.js';

const FIELDS = { description: 'Nightly', cron: '0 4 * * *', cronTimezone: 'UTC' };
const FINE = { zone: true, due: true };
const at = (time: string) => new Date(`2026-03-27T${time}Z`);

const problemsOf = (fields: Partial<typeof FIELDS>, facts = FINE): unknown => {
  try {
    checkSchedule({ ...FIELDS, ...fields }, facts);
    return undefined;
  } catch (error) {
    return error instanceof Invalid ? error.problems : error;
  }
};

describe('a schedule of pipelines', () => {
  it('has a description, a pattern that is due some day, and a time zone that there is', () => {
    expect(problemsOf({})).toBeUndefined();
    expect(problemsOf({ description: ' ' })).toEqual({ description: ["can't be blank"] });
    expect(problemsOf({ description: 'x'.repeat(255) })).toBeUndefined();
    const long = 'x'.repeat(256);
    const tooLong = ['is too long (maximum is 255 characters)'];
    expect(problemsOf({ description: long, cron: long, cronTimezone: long })).toEqual({
      ...{ description: tooLong, cron: tooLong, cron_timezone: tooLong },
    });
    expect(problemsOf({}, { zone: true, due: false })).toEqual({ cron: ['is invalid syntax'] });
    // Without a zone it isn't known when the pattern is due.
    expect(problemsOf({}, { zone: false, due: false })).toEqual({ cron_timezone: ['is invalid syntax'] });
  });

  it('has five fields, neither more nor less', () => {
    expect(['0 4 * * *', '0  4\t* * MON-FRI'].every(isCronOfFive)).toBe(true);
    expect(['', '@daily', '0 4 * *', '0 0 4 * * *', ' 0 4 * * *'].some(isCronOfFive)).toBe(false);
  });

  it('runs ten minutes after it ran at the earliest, but for the minute that a run may be late', () => {
    expect(nextRunAfter(at('04:00:40'))).toEqual(at('04:09:40'));
  });
});
