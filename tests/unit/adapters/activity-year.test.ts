import { describe, expect, it } from '@jest/globals';
import { activityYear } from '../../../src/adapters/inbound/http/pages/activity-year.js';

const NOW = new Date('2026-03-31T12:00:00.000Z');
const dayBefore = (days: number): string => new Date(NOW.getTime() - days * 86_400_000).toISOString().slice(0, 10);

const shadesOf = (counts: readonly number[]) => {
  const year = activityYear(NOW, new Map(counts.map((count, index) => [dayBefore(index), count])));
  const days = year.weekdays.flatMap((weekday) => weekday.days);
  return { year, shades: counts.map((_, index) => days.find((day) => day?.day === dayBefore(index))?.shade) };
};

describe('the heat map of a year', () => {
  it('shades days by quartiles, so that one busy day washes out no other', () => {
    const { shades, year } = shadesOf([1, 2, 3, 4, 5, 6, 7, 10_000]);
    expect(shades).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
    expect(year.busiest?.count).toBe(10_000);
    expect(year.legend.map(({ counts }) => counts)).toEqual(['1–2', '3–4', '5–6', '7–10000']);
  });

  it.each([
    [[1], [4]],
    [
      [1, 1, 1],
      [4, 4, 4],
    ],
    [
      [0, 1, 5],
      [0, 3, 4],
    ],
    [[], []],
  ])('of counts %j has shades %j: the busiest is the darkest', (counts, expected) => {
    expect(shadesOf(counts).shades).toEqual(expected);
  });

  it('has a legend that says which counts each shade has, without gaps', () => {
    const { year } = shadesOf([1, 1, 2, 9, 9, 30]);
    const bounds = year.legend.map(({ counts }) => counts.split('–').map(Number));
    bounds.forEach(([low], index) => expect(low).toBe((bounds[index - 1]?.at(-1) ?? 0) + 1));
  });
});
