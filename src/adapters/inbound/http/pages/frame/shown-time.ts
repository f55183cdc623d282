import { LRUCache } from 'lru-cache';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTH = 30 * DAY;

export const UTC = 'UTC';

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;

const span = (milliseconds: number): string => {
  if (milliseconds < HOUR) return counted(Math.floor(milliseconds / MINUTE), 'minute');
  if (milliseconds < DAY) return counted(Math.floor(milliseconds / HOUR), 'hour');
  return counted(Math.floor(milliseconds / DAY), 'day');
};

/** How long something took, to the second at first and in its two largest units after that: `45 s`, `3 min 5 s`, `2 h 4 min`. */
export const lengthInWords = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.floor(milliseconds / SECOND));
  const [minutes, hours, days] = [MINUTE, HOUR, DAY].map((unit) => Math.floor(milliseconds / unit)) as [
    number,
    number,
    number,
  ];
  if (minutes < 1) return `${seconds} s`;
  if (hours < 1) return `${minutes} min ${seconds % 60} s`;
  if (days < 1) return `${hours} h ${minutes % 60} min`;
  return `${days} d ${hours % 24} h`;
};

/** As many zones as people of one installation are likely to live in; to make one takes longer than to use it. */
const FORMATS = new LRUCache<string, Intl.DateTimeFormat>({ max: 100 });

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = FORMATS.get(timeZone);
  if (known !== undefined) return known;
  const two = '2-digit';
  const clock = { hour: two, minute: two, second: two, hourCycle: 'h23', timeZoneName: 'longOffset' } as const;
  const made = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: two, day: two, ...clock });
  FORMATS.set(timeZone, made);
  return made;
};

/** The clocks of a zone at an instant: `2026-11-22`, `18:03:12`, `UTC+01:00`. */
const clocksOf = (at: Date, timeZone: string) => {
  const parts = formatOf(timeZone).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((each) => each.type === type)?.value ?? '';
  return {
    day: `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}:${part('second')}`,
    offset: part('timeZoneName').replace('GMT', UTC),
  };
};

const exactTime = (at: Date, timeZone: string): { readonly day: string; readonly exact: string } => {
  if (timeZone === UTC) {
    const text = at.toISOString();
    return { day: text.slice(0, 10), exact: `${text.slice(0, 10)} ${text.slice(11, 19)} ${UTC}` };
  }
  const { day, time, offset } = clocksOf(at, timeZone);
  return { day, exact: `${day} ${time} ${offset} (${timeZone})` };
};

/** An instant as people say it now: "3 hours ago", "in 2 days", and its day when it is more than a month away. */
const relativeTime = (at: Date, now: Date, day: string): string => {
  const distance = now.getTime() - at.getTime();
  const length = Math.abs(distance);
  if (length < MINUTE) return 'just now';
  if (length >= MONTH) return day;
  return distance > 0 ? `${span(length)} ago` : `in ${span(length)}`;
};

/** The element of an instant: relative, with the exact time of a zone where a pointer rests on it. */
export const timeElement = (at: Date, now: Date, timeZone: string): string => {
  const { day, exact } = exactTime(at, timeZone);
  return `<time datetime="${at.toISOString()}" title="${exact}">${relativeTime(at, now, day)}</time>`;
};
