const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTH = 30 * DAY;

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;

const span = (milliseconds: number): string => {
  if (milliseconds < HOUR) return counted(Math.floor(milliseconds / MINUTE), 'minute');
  if (milliseconds < DAY) return counted(Math.floor(milliseconds / HOUR), 'hour');
  return counted(Math.floor(milliseconds / DAY), 'day');
};

/** An instant as people say it now: "3 hours ago", "in 2 days", and its day when it is more than a month away. */
const relativeTime = (at: Date, now: Date): string => {
  const distance = now.getTime() - at.getTime();
  const length = Math.abs(distance);
  if (length < MINUTE) return 'just now';
  if (length >= MONTH) return at.toISOString().slice(0, 10);
  return distance > 0 ? `${span(length)} ago` : `in ${span(length)}`;
};

/** The element of an instant: relative, with the exact time in UTC where a pointer rests on it. */
export const timeElement = (at: Date, now: Date): string => {
  const exact = `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return `<time datetime="${at.toISOString()}" title="${exact}">${relativeTime(at, now)}</time>`;
};
