import type { Commit, CommitPerson, Tag } from '../../../application/repositories/ports/object-stores.js';
import type { ObjectId, ObjectType } from '../../../domain/repositories/object-id.js';

const PERSON = /^([^<]*?) ?<([^>]*)> ?(-?\d+)? ?([+-]\d{4})?/s;
const NOBODY: CommitPerson = { name: '', email: '', at: '1970-01-01T00:00:00.000+00:00' };
/** What RFC 3339 can tell, by the clock of whoever wrote it, too. */
const LATEST_SECONDS = 253_402_300_799;
const MOST_MINUTES = 24 * 60 - 1;

const twoDigits = (count: number): string => String(count).padStart(2, '0');

/** RFC 3339 with the offset that was written, which `Date` can't. Old programs wrote `+2500` and `-0075`, which nobody reads. */
const instant = (seconds: number, zone: string): string => {
  const sign = zone.startsWith('-') ? '-' : '+';
  const minutes = Math.min(Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3, 5)), MOST_MINUTES);
  const east = sign === '-' ? -minutes : minutes;
  const within = Math.max(0, Math.min(seconds, LATEST_SECONDS - Math.max(east, 0) * 60));
  const local = new Date((within + east * 60) * 1_000).toISOString().slice(0, 23);
  return `${local}${sign}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
};

const personOf = (text: string | undefined): CommitPerson => {
  const [, name = '', email = '', seconds = '0', zone = '+0000'] = PERSON.exec(text ?? '') ?? [];
  return text === undefined ? NOBODY : { name, email, at: instant(Number(seconds), zone) };
};

/** UTF-8, else one character a byte: every byte is one there. */
const decode = (content: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return new TextDecoder('latin1').decode(content);
  }
};

interface Parts {
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly message: string;
}

/** The lines before the first empty one; a line that begins with a space belongs to the one before. */
const split = (content: Uint8Array): Parts => {
  const text = decode(content);
  const end = text.indexOf('\n\n');
  const head = (end === -1 ? text : text.slice(0, end)).replaceAll('\n ', '\u0000');
  const headers = new Map<string, string[]>();
  for (const line of head.split('\n')) {
    const space = line.indexOf(' ');
    const [key, value] = [line.slice(0, space), line.slice(space + 1).replaceAll('\u0000', '\n')];
    const known = headers.get(key);
    // A commit may have thousands of parents: each is added, nothing is copied.
    if (known === undefined) headers.set(key, [value]);
    else known.push(value);
  }
  return { headers, message: end === -1 ? '' : text.slice(end + 2) };
};

/** Of its own: a part of a text keeps the whole of it, a mebibyte for forty digits, wherever an id is kept. */
const ownId = (id: string): ObjectId => Buffer.from(id, 'latin1').toString('latin1');

export const parseCommit = (id: ObjectId, content: Uint8Array): Commit => {
  const { headers, message } = split(content);
  return {
    id,
    tree: ownId(headers.get('tree')?.[0] ?? ''),
    parents: (headers.get('parent') ?? []).map(ownId),
    author: personOf(headers.get('author')?.[0]),
    committer: personOf(headers.get('committer')?.[0]),
    message,
    signature: headers.get('gpgsig')?.[0] ?? null,
  };
};

export const parseTag = (id: ObjectId, content: Uint8Array): Tag => {
  const { headers, message } = split(content);
  const tagger = headers.get('tagger')?.[0];
  return {
    id,
    target: ownId(headers.get('object')?.[0] ?? ''),
    targetType: (headers.get('type')?.[0] ?? 'commit') as ObjectType,
    name: headers.get('tag')?.[0] ?? '',
    tagger: tagger === undefined ? null : personOf(tagger),
    message,
  };
};
