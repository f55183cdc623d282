const NUL = /\u0000/g;

/** Cuts by characters, never through one. */
const cut = (text: string, length: number, mark = ''): string => {
  if (text.length <= length) return text;
  // A character has two units at most.
  const beginning = Array.from(text.slice(0, 2 * length + 1));
  if (text.length <= 2 * length && beginning.length <= length) return text;
  return beginning.slice(0, length - mark.length).join('') + mark;
};

const plain = (value: unknown): string => {
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** A text field; anything else than text is written out, and blank is absent. */
export const readText = (value: unknown, length: number, mark = ''): string | null => {
  if (value === null || value === undefined || value === '') return null;
  const text = plain(value).replace(NUL, '').trim();
  return text === '' ? null : cut(text, length, mark);
};

const HOSTS_LENGTH = 255;

/**
 * Shows what an array holds, however it is nested, one after the other until `see` has seen enough.
 * @returns whether it has.
 */
export const eachWithin = (array: readonly unknown[], see: (value: unknown) => boolean): boolean => {
  for (const element of array) {
    if (Array.isArray(element) ? eachWithin(element, see) : see(element)) return true;
  }
  return false;
};

/** One host or several, however they are nested; all together at most 255 characters, of which the last is cut. */
export const readHosts = (value: unknown): readonly string[] => {
  const hosts: string[] = [];
  let left = HOSTS_LENGTH;
  eachWithin([value], (each) => {
    const host = readText(each, left);
    if (host === null) return false;
    hosts.push(host);
    left -= Array.from(host).length;
    return left <= 0;
  });
  return hosts;
};

const WITHOUT_ZONE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?$/;
const ZONE = /(?:Z|[+-]\d{2}:?\d{2}|\b(?:UTC|GMT)\b)/i;
/** What both databases keep and sort alike. */
const [EARLIEST, LATEST] = [Date.UTC(1, 0, 1), Date.UTC(9999, 11, 31)];

/** An instant written in any usual way, UTC unless it says otherwise; undefined when it can't be read. */
export const readInstant = (value: unknown): Date | undefined => {
  if (typeof value !== 'string' || value.length > 100) return undefined;
  const text = value.trim();
  const iso = WITHOUT_ZONE.test(text) ? `${text.replace(' ', 'T')}${text.length > 10 ? 'Z' : ''}` : text;
  const time = Date.parse(iso === text && !ZONE.test(text.slice(4)) && text.length > 10 ? `${text} UTC` : iso);
  return time >= EARLIEST && time <= LATEST ? new Date(time) : undefined;
};
