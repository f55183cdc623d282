import { plainLetters } from '../shared/plain-letters.js';
import type { ProblemCollector } from '../shared/problem-collector.js';
import { withoutEnd, withoutEnds } from '../shared/without-ends.js';

const PATH = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;
const CLAIMED_SUFFIX = /(?:\.git|\.atom|\.json|[.-])$/i;
const MAX_LENGTH = 255;

/** First parts of addresses below a group or project that pages occupy. */
const RESERVED_BELOW: ReadonlySet<string> = new Set([
  '-',
  'alerts',
  'badges',
  'prometheus',
  'wikis',
  'blob',
  'tree',
  'raw',
  'info',
  'lfs',
]);

/** A path made of a name: what remains of it in an address. Empty when nothing does. */
export const pathFromName = (name: string): string => {
  const words = plainLetters(name).replace(/[^a-z0-9_.-]+/g, '-');
  let path = withoutEnds(words, /[-.]/).slice(0, MAX_LENGTH);
  for (let before = ''; before !== path;) {
    before = path;
    path = withoutEnd(path.replace(/\.(?:git|atom|json)$/, ''), /[-.]/);
  }
  return path;
};

export const checkWorkspaceName = (problems: ProblemCollector, name: string): void => {
  problems
    .check(name.trim() !== '', 'name', "can't be blank")
    .check(name.length <= MAX_LENGTH, 'name', `is too long (maximum is ${MAX_LENGTH} characters)`)
    .check(!/\p{Cc}/u.test(name), 'name', 'must not contain control characters');
};

/** @param before the path that it has already: a later version may have reserved it, and it stays where it is. */
export const checkWorkspacePath = (
  problems: ProblemCollector,
  path: string,
  reserved: ReadonlySet<string> = RESERVED_BELOW,
  before?: string,
): void => {
  problems
    .check(path !== '', 'path', "can't be blank")
    .check(path.length <= MAX_LENGTH, 'path', `is too long (maximum is ${MAX_LENGTH} characters)`)
    .check(
      path === '' || (PATH.test(path) && !CLAIMED_SUFFIX.test(path) && !/^\d+$/.test(path)),
      'path',
      'can contain only letters, digits, _, - and ., must not start with - or ., must not be digits alone, and must not end in -, ., .git, .atom or .json',
    )
    .check(path === before || !reserved.has(path.toLowerCase()), 'path', 'is a reserved name');
};
