/** How lists call the days on which issues are due: never, on any day, or on days seen from today. */
export const DUE_NAMES = [
  ...(['0', 'any', 'today', 'tomorrow', 'overdue', 'week', 'month'] as const),
  'next_month_and_previous_two_weeks',
] as const;
export type DueName = (typeof DUE_NAMES)[number];

/** `due` is whether on any day at all; the others are the first and the last day, as in 2026-12-24. */
export interface DueDays {
  readonly due?: boolean;
  readonly dueFrom?: string;
  readonly dueTo?: string;
}

/** The days that a name stands for, seen from a UTC day. Weeks begin on Monday. */
export const daysOf = (name: DueName, today: string): DueDays => {
  const [year = 0, month = 0, date = 0] = today.split('-').map(Number);
  const day = (inMonth: number, months = 0): string =>
    new Date(Date.UTC(year, month - 1 + months, inMonth)).toISOString().slice(0, 10);
  const monday = date - ((new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7);
  const days: Readonly<Record<DueName, DueDays>> = {
    0: { due: false },
    any: { due: true },
    today: { dueFrom: today, dueTo: today },
    tomorrow: { dueFrom: day(date + 1), dueTo: day(date + 1) },
    overdue: { dueTo: day(date - 1) },
    week: { dueFrom: day(monday), dueTo: day(monday + 6) },
    month: { dueFrom: day(1), dueTo: day(0, 1) },
    next_month_and_previous_two_weeks: { dueFrom: day(date - 14), dueTo: day(0, 2) },
  };
  return days[name];
};
