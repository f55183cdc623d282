import { canonicalText } from '../../../../domain/shared/canonical-text.js';

/** Normalizes text for search; apply to both the column and the term. */
export const searchKey = (...texts: readonly string[]): string => canonicalText(texts.join('\n')).toLowerCase();

/** A LIKE pattern for "contains", to be used with `escape '\'`. */
export const containsPattern = (needle: string): string => `%${searchKey(needle).replace(/[\\%_]/g, '\\$&')}%`;
