import { describe, expect, it } from '@jest/globals';
import { MOST_PULL_FAILURES, pauseAfterPull } from '../../../src/domain/mirrors/pull-mirror.js';

const MINUTE = 60_000;
const DAY = 86_400_000;

describe('how long a project waits that follows a repository elsewhere', () => {
  it('is as long as ever after an update that went well', () => {
    expect(pauseAfterPull(0, 30 * MINUTE)).toBe(30 * MINUTE);
  });

  it('is twice as long after each failure in a row, a day at most, and without end after the last', () => {
    const pauses = Array.from({ length: MOST_PULL_FAILURES }, (_, index) => pauseAfterPull(index + 1, 30 * MINUTE));
    expect(pauses.slice(0, 6)).toEqual([30, 60, 120, 240, 480, 960].map((minutes) => minutes * MINUTE));
    expect(new Set(pauses.slice(6, -1))).toEqual(new Set([DAY]));
    expect(pauses.at(-1)).toBeUndefined();
  });

  it('is never shorter than after an update that went well', () => {
    expect(pauseAfterPull(3, 2 * DAY)).toBe(2 * DAY);
  });
});
