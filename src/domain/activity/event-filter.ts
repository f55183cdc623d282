import type { Action, TargetType } from './activity-event.js';

/** Which entries of a feed are meant. */
export interface EventFilter {
  readonly action?: Action;
  readonly targetType?: TargetType;
  /** At or after. */
  readonly from: Date;
  /** Before. */
  readonly until?: Date;
}

const YEARS_KEPT = 2;
const DAY_MS = 86_400_000;

/** The earliest instant that is shown: two calendar years ago in UTC, or as many days as the operator says. */
export const keptSince = (now: Date, retentionDays: number | undefined): Date => {
  if (retentionDays !== undefined) return new Date(now.getTime() - retentionDays * DAY_MS);
  const then = new Date(now);
  then.setUTCFullYear(now.getUTCFullYear() - YEARS_KEPT);
  // Of 29 February there is none two years before: the 28th, and not the day after.
  if (then.getUTCMonth() !== now.getUTCMonth()) then.setUTCDate(0);
  return then;
};

/** What every database can hold and compare. */
const [EARLIEST, LATEST] = [Date.UTC(1970, 0, 1), Date.UTC(9999, 11, 31)];

const within = (time: number): Date => new Date(Math.min(Math.max(time, EARLIEST), LATEST));
const startOf = (day: string): number => Date.parse(`${day}T00:00:00.000Z`);

/** @param days both are excluded themselves (`YYYY-MM-DD`, UTC). */
export const between = (
  keptFrom: Date,
  { before, after }: { readonly before?: string | undefined; readonly after?: string | undefined },
): Pick<EventFilter, 'from' | 'until'> => {
  const from = after === undefined ? keptFrom : within(startOf(after) + DAY_MS);
  return {
    from: from > keptFrom ? from : keptFrom,
    ...(before === undefined ? {} : { until: within(startOf(before)) }),
  };
};

/** The entries of one day (`YYYY-MM-DD`, UTC), as far as they are kept. */
export const onDay = (keptFrom: Date, day: string): Pick<EventFilter, 'from' | 'until'> => {
  const from = within(startOf(day));
  return { from: from > keptFrom ? from : keptFrom, until: within(from.getTime() + DAY_MS) };
};
