/** As in `1.2.3` and `v1.2.3+build`; what comes before a release, as in `1.2.3-rc1`, is chosen by its whole name alone. */
const VERSION = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:\+[\w.-]+)?$/;
const PARTIAL = /^\d{1,9}(?:\.\d{1,9})?$/;

/** Whether it is the beginning of a semantic version: its first number, or its first two. */
export const isPartialVersion = (text: string): boolean => PARTIAL.test(text);

/** The tag of the highest semantic version, of all or of those that begin with these numbers; undefined where there is none. */
export const highestVersion = (tags: readonly string[], beginning = ''): string | undefined => {
  const wanted = beginning === '' ? [] : beginning.split('.').map(Number);
  let highest: { readonly tag: string; readonly numbers: readonly number[] } | undefined;
  for (const tag of tags) {
    const numbers = VERSION.exec(tag)?.slice(1).map(Number);
    if (numbers === undefined || wanted.some((number, place) => numbers[place] !== number)) continue;
    if (highest === undefined || isHigher(numbers, highest.numbers)) highest = { tag, numbers };
  }
  return highest?.tag;
};

const isHigher = (one: readonly number[], other: readonly number[]): boolean => {
  const place = one.findIndex((number, index) => number !== other[index]);
  return place >= 0 && (one[place] ?? 0) > (other[place] ?? 0);
};
