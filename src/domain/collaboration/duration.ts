const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** People work eight hours a day, five days a week and four weeks a month. */
const DAY = 8 * HOUR;
const WEEK = 5 * DAY;
const MONTH = 4 * WEEK;

/** From the largest to the smallest, with the words for each. */
const UNITS: readonly (readonly [seconds: number, short: string, words: RegExp])[] = [
  [MONTH, 'mo', /^mo(?:nths?)?$/],
  [WEEK, 'w', /^w(?:eeks?)?$/],
  [DAY, 'd', /^d(?:ays?)?$/],
  [HOUR, 'h', /^h(?:ours?|rs?)?$/],
  [MINUTE, 'm', /^m(?:in(?:ute)?s?)?$/],
  [1, 's', /^s(?:ec(?:ond)?s?)?$/],
];

/** Nobody works for longer than a person lives. */
export const MAX_SECONDS = 100 * 12 * MONTH;

const PART = /\s*(\d{1,9}(?:\.\d{1,3})?)\s*([a-z]*)/y;

const secondsOf = (unit: string): number | undefined =>
  unit === '' ? HOUR : UNITS.find(([, , words]) => words.test(unit))?.[0];

/** Reads `1mo 2w 3d 4h 5m 6s`, also in words and with a minus before it; a bare number is hours. Undefined for anything else. */
export const readDuration = (text: string): number | undefined => {
  const [, minus, rest = ''] = /^\s*(-?)(.*)$/s.exec(text.toLowerCase().trimEnd()) ?? [];
  let seconds = 0;
  for (let at = 0; at < rest.length || at === 0; at = PART.lastIndex) {
    PART.lastIndex = at;
    const [, count, unit = ''] = PART.exec(rest) ?? [];
    const each = secondsOf(unit);
    if (count === undefined || each === undefined) return undefined;
    seconds += Number(count) * each;
  }
  const whole = Math.round(seconds);
  return minus === '-' && whole !== 0 ? -whole : whole;
};

/** As people write it, as `1w 2d`; null for none. */
export const writeDuration = (seconds: number): string | null => {
  let left = seconds;
  const parts = UNITS.flatMap(([each, short]) => {
    const count = Math.floor(left / each);
    left -= count * each;
    return count === 0 ? [] : [`${count}${short}`];
  });
  return parts.length === 0 ? null : parts.join(' ');
};
