const SECONDS: Readonly<Record<string, number>> = {
  s: 1,
  sec: 1,
  second: 1,
  m: 60,
  min: 60,
  minute: 60,
  h: 3600,
  hr: 3600,
  hour: 3600,
  d: 86_400,
  day: 86_400,
  w: 604_800,
  week: 604_800,
  mo: 2_592_000,
  mos: 2_592_000,
  month: 2_592_000,
  y: 31_557_600,
  yr: 31_557_600,
  year: 31_557_600,
};
const PART = /(\d{1,9})(?:\.(\d{1,3}))?\s{0,3}([a-z]{1,7})(?:\s|,|and\b){0,5}/y;
const MOST_TEXT = 100;
const WORDS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const WORD = new RegExp(`\\b(?:${WORDS.join('|')})\\b`, 'g');
const CLOCK = /^(\d{1,4}):([0-5]\d)(?::([0-5]\d))?$/;

/** The seconds of a text such as `1h 30m`, `3 hours`, `one week` or `90`; undefined where it is none. */
export const secondsOf = (text: string): number | undefined => {
  const said = text
    .trim()
    .toLowerCase()
    .replaceAll(WORD, (word) => String(WORDS.indexOf(word) + 1));
  if (said === '' || said.length > MOST_TEXT) return undefined;
  if (/^\d{1,9}$/.test(said)) return Number(said);
  const clock = CLOCK.exec(said);
  if (clock !== null) {
    const [, first = '0', second = '0', third] = clock;
    return third === undefined
      ? Number(first) * 60 + Number(second)
      : Number(first) * 3600 + Number(second) * 60 + Number(third);
  }
  return sumOfParts(said);
};

const unitOf = (word: string): number | undefined => {
  const unit = Object.hasOwn(SECONDS, word) ? word : word.replace(/s$/, '');
  return Object.hasOwn(SECONDS, unit) ? SECONDS[unit] : undefined;
};

const sumOfParts = (said: string): number | undefined => {
  let [at, sum] = [0, 0];
  while (at < said.length) {
    PART.lastIndex = at;
    const part = PART.exec(said);
    if (part === null) return undefined;
    const [all, whole = '', fraction = '0', word = ''] = part;
    const unit = unitOf(word);
    if (unit === undefined) return undefined;
    sum += Math.round(Number(`${whole}.${fraction}`) * unit);
    at += all.length;
  }
  return sum;
};
