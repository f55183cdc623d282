/**
 * Patterns of paths: `/users/:id/:action(block|unblock)`, `/projects/:id/keys/*rest`. `:name` is one segment, `:name(a|b)` one of
 * these, `*name` any number of segments, at most once in a pattern. Segments are compared one by one and none is tried twice, so
 * that matching takes no longer than reading the path.
 */
export type Captures = ReadonlyMap<string, string>;

const ONE = /^:(\w+)(?:\(([\w|]+)\))?$/;

const matchSegment = (pattern: string, segment: string, captures: Map<string, string>): boolean => {
  const [, name, alternatives] = ONE.exec(pattern) ?? [];
  if (name === undefined) return pattern === segment;
  if (alternatives !== undefined && !alternatives.split('|').includes(segment)) return false;
  captures.set(name, segment);
  return true;
};

const partsOf = (pattern: string): readonly string[] => pattern.split('/').slice(1);

/** What the pattern captures of a path, still encoded, or `undefined` where it does not match. */
export const matchPath = (pattern: string, segments: readonly string[]): Captures | undefined => {
  const parts = partsOf(pattern);
  const star = parts.findIndex((part) => part.startsWith('*'));
  const spare = segments.length - parts.length;
  if (star < 0 ? spare !== 0 : spare < -1) return undefined;
  const captures = new Map<string, string>();
  const matches = parts.every(
    (part, index) =>
      index === star || matchSegment(part, segments[star < 0 || index < star ? index : index + spare] ?? '', captures),
  );
  if (!matches) return undefined;
  if (star >= 0) captures.set(parts[star]!.slice(1), segments.slice(star, star + spare + 1).join('/'));
  return captures;
};

/** The segments of a pattern with its names replaced by what was captured. */
export const fillPath = (pattern: string, captures: Captures): readonly string[] =>
  partsOf(pattern)
    .map((part) => (/^[:*]/.test(part) ? (captures.get(part.slice(1)) ?? '') : part))
    .flatMap((part) => part.split('/'))
    .filter((segment) => segment !== '');
