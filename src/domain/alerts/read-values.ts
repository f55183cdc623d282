/** JSON text of a value, its keys in one order whatever order they came in (RFC 8785). */
export type CanonicalJson = (value: unknown) => string;

const NUL = /\u0000/g;

/** Cuts by characters, never through one. */
const cut = (text: string, length: number, mark = ''): string => {
  const characters = Array.from(text);
  return characters.length <= length ? text : characters.slice(0, length - mark.length).join('') + mark;
};

const plain = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
};

/** A text field; anything else than text is written out, and blank is absent. */
export const readText = (value: unknown, length: number, mark = ''): string | null => {
  const text = plain(value).replace(NUL, '').trim();
  return text === '' ? null : cut(text, length, mark);
};

const HOSTS_LENGTH = 255;

/** One host or several, however they are nested; all together at most 255 characters, of which the last is cut. */
export const readHosts = (value: unknown): readonly string[] => {
  const given = (Array.isArray(value) ? value.flat(Infinity) : [value]) as unknown[];
  const hosts: string[] = [];
  let left = HOSTS_LENGTH;
  for (const each of given) {
    const host = readText(each, left);
    if (host === null) continue;
    hosts.push(host);
    left -= Array.from(host).length;
    if (left <= 0) break;
  }
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
