import { canonicalText } from '../../../../domain/shared/canonical-text.js';

/** What lies beyond this many characters of a text is not found: to normalize and to search it would hold up others. */
const SEARCHED = 100_000;

/** Normalizes text for search; apply to both the column and the term. */
export const searchKey = (...texts: readonly string[]): string =>
  canonicalText(texts.join('\n').slice(0, SEARCHED)).toLowerCase();

const escapeWildcards = (needle: string): string => needle.replace(/[\\%_]/g, '\\$&');

/** A LIKE pattern for "contains", to be used with `escape '\'`. */
export const containsPattern = (needle: string): string => `%${escapeWildcards(searchKey(needle))}%`;

/** The same for a text without a search key, to be used with `Dialect.isLikeAscii`: both databases then find alike. */
export const asciiPattern = (needle: string): string =>
  `%${escapeWildcards(needle.replace(/[A-Z]/g, (letter) => letter.toLowerCase()))}%`;

/** Enough to tell texts apart by. */
const MOST_GRAMS = 16;

/** Three letters in a row each, which every text has that contains the needle; none for a needle that is shorter. */
export const gramsOf = (needle: string): readonly string[] => {
  const letters = Array.from(searchKey(needle));
  const grams = [...new Set(letters.slice(2).map((_, place) => letters.slice(place, place + 3).join('')))];
  const each = Math.ceil(grams.length / MOST_GRAMS);
  return grams.filter((_, place) => place % each === 0);
};
