import { isCalendarDay } from '../shared/calendar-day.js';

/** Names in one argument at most. */
const MOST_NAMES = 50;

/** The people that an argument names: `@ada, @grace`, or `me`. Undefined where it holds anything else. */
export const peopleIn = (argument: string, me: string): readonly string[] | undefined => {
  const words = argument.split(/[\s,]+/).filter((word) => word !== '' && word !== 'and');
  if (words.length > MOST_NAMES) return undefined;
  const names = words.map((word) =>
    word.toLowerCase() === 'me' ? me : /^@([A-Za-z0-9_][\w.-]{0,254})$/.exec(word)?.[1],
  );
  return names.some((name) => name === undefined) ? undefined : [...new Set(names as string[])];
};

const NAME = /[~%]?(?:"([^"]{1,255})"|([^\s",]{1,255}))[\s,]*/y;

/** The names that an argument holds, with the sign before them or without: `~bug ~"to do"`. Undefined where it holds anything else. */
export const namesIn = (argument: string): readonly string[] | undefined => {
  const names = new Set<string>();
  for (let at = 0; at < argument.length; at = NAME.lastIndex) {
    NAME.lastIndex = at;
    const match = NAME.exec(argument);
    const name = match?.[1] ?? match?.[2]?.replace(/^[~%]/, '');
    if (name === undefined || name === '' || names.size === MOST_NAMES) return undefined;
    names.add(name);
  }
  return [...names];
};

/** The one name that an argument holds, blanks and all: `%1.0`, `%"Next year"`, `Next year`. */
export const nameIn = (argument: string): string | undefined => {
  const name = argument
    .replace(/^[~%]/, '')
    .replace(/^"([^"]*)"$/, '$1')
    .trim();
  return name === '' || name.length > 255 ? undefined : name;
};

const LATER = /^in\s+(\d{1,4}|an?|one)\s+(day|week|month)s?$/;

/** The day that an argument names, seen from a UTC day: `2026-12-24`, `today`, `tomorrow`, `in 2 weeks`. */
export const dayIn = (argument: string, today: string): string | undefined => {
  const words = argument.trim().toLowerCase();
  if (isCalendarDay(words)) return words;
  const day = new Date(`${today}T00:00:00Z`);
  if (words === 'tomorrow') day.setUTCDate(day.getUTCDate() + 1);
  else if (words !== 'today') {
    const [, count = '', unit] = LATER.exec(words) ?? [];
    if (unit === undefined) return undefined;
    const steps = Number(/^\d+$/.test(count) ? count : 1);
    if (unit === 'month') addMonths(day, steps);
    else day.setUTCDate(day.getUTCDate() + steps * (unit === 'week' ? 7 : 1));
  }
  return day.toISOString().slice(0, 10);
};

/** A month after 31 January is the end of February. */
const addMonths = (day: Date, months: number): void => {
  const date = day.getUTCDate();
  day.setUTCDate(1);
  day.setUTCMonth(day.getUTCMonth() + months);
  const last = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate();
  day.setUTCDate(Math.min(date, last));
};

const ISSUE = /^(?:((?:[A-Za-z0-9_.-]+\/){1,20}[A-Za-z0-9_.-]+)?#)?([1-9]\d{0,8})$/;

/** The issue that an argument names: `#3`, `group/project#3`, or its address. */
export const issueIn = (argument: string): { readonly project: string | null; readonly iid: number } | undefined => {
  const [, path, inAddress] = /^https?:\/\/[^/\s]{1,255}\/(.{1,1000})\/-\/issues\/(\d{1,9})$/.exec(argument) ?? [];
  const match = ISSUE.exec(path === undefined ? argument : `${path}#${inAddress}`);
  return match === null ? undefined : { project: match[1] ?? null, iid: Number(match[2]) };
};
