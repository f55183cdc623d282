/** Paths, asked again and again whether one of them is of a pattern. */
export interface PathSet {
  hasAny(patterns: readonly string[]): boolean;
}

/** A pattern that is longer finds nothing. */
export const MOST_PATTERN = 1024;
const MOST_ALTERNATIVES = 100;
/** Comparisons of signs, for all that one file asks. From there on each pattern counts as found: what would take too long isn't found out. */
const MOST_STEPS = 20_000_000;
/** For one pattern of files that are to be found: there are several, and whoever reads a public project may ask for that. */
const MOST_STEPS_TO_FIND = 2_000_000;

/** To make a sign of a pattern ready takes as long as several comparisons. */
const STEPS_OF_A_SIGN = 8;

/** What comparisons may take. */
export interface PathWork {
  left: number;
}

/** For all sets of paths that one file asks about. */
export const pathWork = (): PathWork => ({ left: MOST_STEPS });

export const pathSet = (paths: readonly string[], work = pathWork()): PathSet => {
  const exact = new Set(paths);
  const known = new Map<string, boolean>();
  const isFound = (pattern: string): boolean => {
    const one = pattern.replace(/^\.?\//, '');
    return isPattern(one) ? paths.some(matcherOf(one, work)) || work.left < 0 : exact.has(one);
  };
  return {
    hasAny: (patterns) =>
      patterns.some((pattern) => {
        if (pattern.length > MOST_PATTERN) return false;
        const found = known.get(pattern) ?? isFound(pattern);
        known.set(pattern, found);
        return found;
      }),
  };
};

/** Those paths that are of a pattern; none where it would take too long to find out. */
export const pathsOfPattern = (pattern: string, paths: readonly string[]): readonly string[] => {
  const work: PathWork = { left: MOST_STEPS_TO_FIND };
  const found = paths.filter(matcherOf(pattern, work));
  return work.left < 0 ? [] : found;
};

const matcherOf = (pattern: string, work: PathWork): ((path: string) => boolean) => {
  // Where nothing may be compared any more, nothing is made ready for it.
  if (work.left < 0) return () => true;
  const alternatives = alternativesOf(pattern, work).map((text) => ({
    // Most paths are told apart by how they begin, or by how their last name ends.
    start: /^[^*?[\\]*/.exec(text)?.[0] ?? '',
    end: endOf(text),
    segments: text.split('/'),
  }));
  return (path) =>
    alternatives.some(({ start, end, segments }) => {
      work.left -= 1;
      return path.startsWith(start) && path.endsWith(end) && areMatching(segments, path.split('/'), work);
    });
};

const ENDS_BEFORE: ReadonlySet<string> = new Set(['*', '?', ']', '\\', '/']);

/** What follows its last sign that stands for others. From the end on: a regular expression would look for the end from each sign. */
const endOf = (text: string): string => {
  let at = text.length;
  while (at > 0 && !ENDS_BEFORE.has(text[at - 1]!)) at -= 1;
  return text.slice(at);
};

/** Whether a text stands for several paths. */
export const isPattern = (text: string): boolean => /[*?[\]{}\\]/.test(text);

/** Whether a path is of a pattern: `*` within a folder, `**` through folders, `?`, `[a-z]`, `{one,other}`. */
export const isPathOf = (pattern: string, path: string): boolean => pathSet([path]).hasAny([pattern]);

/** What braces stand for; where that is too much, the text as it is. */
const alternativesOf = (pattern: string, work: PathWork): readonly string[] => {
  let open: readonly string[] = [pattern];
  for (;;) {
    work.left -= open.length * pattern.length * STEPS_OF_A_SIGN;
    const next = open.flatMap(firstBraceOf);
    if (next.length > MOST_ALTERNATIVES) return [pattern];
    if (next.length === open.length && next.every((each, index) => each === open[index])) return next;
    open = next;
  }
};

/** The innermost braces come first. */
const BRACES = /\{([^{}]*)\}/;
const firstBraceOf = (pattern: string): readonly string[] => {
  const found = BRACES.exec(pattern);
  if (found === null) return [pattern];
  const [all, inner = ''] = found;
  const after = pattern.slice(found.index + all.length);
  return inner.split(',').map((each) => pattern.slice(0, found.index) + each + after);
};

interface Signs<P, T> {
  readonly isWild: (each: P, at: number) => boolean;
  readonly isOne: (each: P, one: T) => boolean;
}

/**
 * Goes back to the last wild card alone, which is enough: an earlier one that took more would leave the later ones less to choose from.
 * So the time grows with the product of both lengths at most.
 */
const isMatching = <P, T>(
  pattern: ArrayLike<P>,
  text: ArrayLike<T>,
  { isWild, isOne }: Signs<P, T>,
  work: PathWork,
): boolean => {
  let [at, of] = [0, 0];
  let [wild, from] = [-1, 0];
  while (of < text.length) {
    work.left -= 1;
    if (work.left < 0) return true;
    const each = pattern[at];
    if (each !== undefined && isWild(each, at)) {
      [wild, from] = [at, of];
      at += 1;
    } else if (each !== undefined && isOne(each, text[of]!)) {
      at += 1;
      of += 1;
    } else if (wild >= 0) {
      from += 1;
      [at, of] = [wild + 1, from];
    } else return false;
  }
  while (at < pattern.length && isWild(pattern[at]!, at)) at += 1;
  return at === pattern.length;
};

/** `**` goes through folders where something follows it; at the end it is as `*`. */
const areMatching = (segments: readonly string[], path: readonly string[], work: PathWork): boolean =>
  isMatching(
    segments,
    path,
    {
      isWild: (each, at) => each === '**' && at < segments.length - 1,
      isOne: (segment, text) => isSegmentOf(segment, text, work),
    },
    work,
  );

const SEGMENT: Signs<string, string> = {
  isWild: (sign) => sign === '*',
  isOne: (sign, character) => isSignOf(sign, character),
};

const isSegmentOf = (segment: string, text: string, work: PathWork): boolean => {
  if (segment === '*' || segment === text) return true;
  work.left -= text.length;
  return isMatching(signsOf(segment, work), Array.from(text), SEGMENT, work);
};

/** A class that is longer is no class: where none ends, each that begins would be looked through to the end of the pattern. */
const LONGEST_CLASS = 100;
const SIGN = new RegExp(`\\\\.|\\[[!^]?\\]?[^\\]]{0,${LONGEST_CLASS}}\\]|.`, 'gsu');
const kept = new Map<string, readonly string[]>();
const MOST_KEPT = 1000;

const signsOf = (segment: string, work: PathWork): readonly string[] => {
  const known = kept.get(segment);
  if (known !== undefined) return known;
  work.left -= segment.length * (segment.includes('[') ? LONGEST_CLASS : 1);
  const signs = segment.match(SIGN) ?? [];
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(segment, signs);
  return signs;
};

const isSignOf = (sign: string, character: string): boolean => {
  if (sign === '?' || sign === character) return true;
  if (sign.startsWith('\\') && sign.length > 1) return sign.slice(1) === character;
  return sign.startsWith('[') && sign.length > 2 && isInClass(sign.slice(1, -1), character);
};

const isInClass = (inner: string, character: string): boolean => {
  const not = inner.startsWith('!') || inner.startsWith('^');
  const members = Array.from(not ? inner.slice(1) : inner);
  for (let at = 0; at < members.length; at += 1) {
    const [from, to] = [members[at]!, members[at + 2]];
    if (members[at + 1] === '-' && to !== undefined) {
      if (from <= character && character <= to) return !not;
      at += 2;
    } else if (from === character) return !not;
  }
  return not;
};
