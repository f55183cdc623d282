import { isCalendarDay } from '../shared/calendar-day.js';
import { ProblemCollector } from '../shared/problem-collector.js';
import { parsePublicKey, type SshPublicKey } from './ssh-public-key.js';

const MAX_TITLE_LENGTH = 255;
/** Of a day, or of an instant as clients write it. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/;

export interface KeyFields {
  readonly title: string;
  readonly key: string;
  /** A day, or an instant (ISO 8601); null for never. */
  readonly expiresAt: string | null;
}

export interface CheckedKey {
  readonly title: string;
  readonly key: SshPublicKey;
  readonly expiresAt: Date | null;
}

export const checkTitle = (problems: ProblemCollector, title: string, attribute = 'title'): void =>
  void problems
    .check(title.trim() !== '', attribute, "can't be blank")
    .check(title.length <= MAX_TITLE_LENGTH, attribute, `is too long (maximum is ${MAX_TITLE_LENGTH} characters)`);

/** The instant at which something ends: a day ends it as it begins, in UTC. Undefined where the text is none. */
export const readExpiry = (text: string | null): Date | null | undefined => {
  if (text === null || text === '') return null;
  if (!isCalendarDay(text) && !(INSTANT.test(text) && isCalendarDay(text.slice(0, 10)))) return undefined;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? undefined : at;
};

export const NOT_A_DATE = 'is not a date (expected YYYY-MM-DD, or an instant such as 2027-01-31T12:00:00Z)';

const addProblem = (problems: ProblemCollector, problem: string | undefined): void =>
  void (problem === undefined
    ? problems.add('key', 'is invalid').add('fingerprint', 'cannot be generated')
    : problems.add('key', problem));

/** @throws Invalid at `title`, `key`, `fingerprint` and `expires_at`. */
export const checkKey = ({ title, key: text, expiresAt }: KeyFields, now: Date): CheckedKey => {
  const problems = new ProblemCollector();
  checkTitle(problems, title);
  const parsed = parsePublicKey(text);
  const key = 'key' in parsed ? parsed.key : undefined;
  if (!('key' in parsed)) addProblem(problems, parsed.problem);
  const expiry = readExpiry(expiresAt);
  if (expiry === undefined) problems.add('expires_at', NOT_A_DATE);
  else problems.check(expiry === null || expiry > now, 'expires_at', 'must be in the future');
  problems.refuse();
  if (key === undefined) throw new Error('A key without problems is there.');
  return { title, key, expiresAt: expiry ?? null };
};
