const DAY_MS = 86_400_000;
const WEEKS = 53;
const DAYS_IN_WEEK = 7;
/** Shades beyond that of a day without anything. */
const SHADES = 4;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

interface Day {
  readonly day: string;
  readonly count: number;
  /** From 0, for nothing, to 4. */
  readonly shade: number;
}

/** A year by weeks, as a heat map shows it; a place of the last week that is still to come is null. */
export interface ActivityYear {
  readonly total: number;
  readonly days: number;
  readonly busiest: Day | undefined;
  /** What each month that begins within the map spans, in weeks. */
  readonly months: readonly { readonly name: string; readonly weeks: number }[];
  readonly weekdays: readonly { readonly name: string; readonly days: readonly (Day | null)[] }[];
  /** The counts of each shade, as in `3–5`; a shade that no count has is left out. */
  readonly legend: readonly { readonly shade: number; readonly counts: string }[];
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Midnight of the Monday that the map begins with, in UTC. */
export const beginOfYear = (now: Date): Date => {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  const sinceMonday = (now.getUTCDay() + DAYS_IN_WEEK - 1) % DAYS_IN_WEEK;
  return new Date(today - (sinceMonday + (WEEKS - 1) * DAYS_IN_WEEK) * DAY_MS);
};

const monthsFrom = (begin: number): ActivityYear['months'] => {
  const months: { name: string; weeks: number }[] = [];
  for (let week = 0; week < WEEKS; week += 1) {
    const monday = new Date(begin + week * DAYS_IN_WEEK * DAY_MS);
    const name = MONTHS[monday.getUTCMonth()] ?? '';
    const last = months.at(-1);
    if (last?.name === name) last.weeks += 1;
    else months.push({ name, weeks: 1 });
  }
  return months;
};

/**
 * The highest count of each shade, the lightest first: quartiles of the days on which something happened, so that one busy day washes out
 * no other. Of fewer different counts there are fewer shades.
 */
const boundsOf = (counts: readonly number[]): readonly number[] => {
  const sorted = counts.filter((count) => count > 0).sort((a, b) => a - b);
  const quartiles = Array.from({ length: SHADES }, (_, index) => {
    const place = Math.ceil((sorted.length * (index + 1)) / SHADES) - 1;
    return sorted[place] ?? 0;
  });
  return [...new Set(quartiles)].filter((bound) => bound > 0);
};

/** The darkest is that of the busiest days, however few shades there are. */
const shadeOf = (count: number, bounds: readonly number[]): number =>
  count === 0 ? 0 : SHADES - bounds.length + bounds.findIndex((bound) => count <= bound) + 1;

const legendOf = (bounds: readonly number[]): ActivityYear['legend'] =>
  bounds.map((high, index) => {
    const low = (bounds[index - 1] ?? 0) + 1;
    return { shade: shadeOf(high, bounds), counts: low === high ? `${low}` : `${low}–${high}` };
  });

/** @param counts by day, `YYYY-MM-DD` in UTC. */
export const activityYear = (now: Date, counts: ReadonlyMap<string, number>): ActivityYear => {
  const begin = beginOfYear(now).getTime();
  const bounds = boundsOf([...counts.values()]);
  const highest = bounds.at(-1) ?? 0;
  const dayAt = (time: number): Day | null => {
    if (time > now.getTime()) return null;
    const count = counts.get(dayOf(time)) ?? 0;
    return { day: dayOf(time), count, shade: shadeOf(count, bounds) };
  };
  const weekdays = WEEKDAYS.map((name, weekday) => ({
    name,
    days: Array.from({ length: WEEKS }, (_, week) => dayAt(begin + (week * DAYS_IN_WEEK + weekday) * DAY_MS)),
  }));
  const busy = weekdays.flatMap(({ days }) => days).filter((day): day is Day => day !== null && day.count > 0);
  return {
    total: busy.reduce((sum, { count }) => sum + count, 0),
    days: busy.length,
    busiest: busy.find(({ count }) => count === highest),
    months: monthsFrom(begin),
    weekdays,
    legend: legendOf(bounds),
  };
};
