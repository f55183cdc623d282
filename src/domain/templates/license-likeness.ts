/** How often each word stands in a text. */
export type WordCounts = ReadonlyMap<string, number>;

/** Says whose a copyright is, and since when: it is another one in every project. */
const NOTICE = /^copyright\s*(?:\(c\)|©|\d|<|\[|holder)/i;
/** As much of a line as tells whether it is one. */
const BEGINNING = 60;

/** The words of a license, without whose copyright it is. Neither signs nor where lines end count. */
export const licenseWords = (text: string): WordCounts => {
  const counts = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (NOTICE.test(line.trimStart().slice(0, BEGINNING))) continue;
    for (const [word] of line.toLowerCase().matchAll(/[\p{L}\d]+/gu)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
};

const totalOf = (counts: WordCounts): number => [...counts.values()].reduce((sum, count) => sum + count, 0);

/** From 0, where two texts have no word in common, to 1, where they have the same ones. */
export const likeness = (one: WordCounts, other: WordCounts): number => {
  const total = totalOf(one) + totalOf(other);
  let common = 0;
  for (const [word, count] of one) common += Math.min(count, other.get(word) ?? 0);
  return total === 0 ? 0 : (2 * common) / total;
};

/** Whoever adds or leaves out a sentence has another license. */
export const ALIKE = 0.96;
