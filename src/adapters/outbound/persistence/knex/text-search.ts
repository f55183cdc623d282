/** The form in which text is searched: what this answers for a needle is found in what it answered for the hay. */
export const searchKey = (...texts: readonly string[]): string => texts.join('\n').normalize('NFC').toLowerCase();

/** A LIKE pattern for "contains", to be used with `escape '\'`. */
export const containsPattern = (needle: string): string => `%${searchKey(needle).replace(/[\\%_]/g, '\\$&')}%`;
