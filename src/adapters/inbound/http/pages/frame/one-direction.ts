/** The characters that embed, override or isolate a direction (Unicode Standard Annex 9, 2.1 to 2.5). */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * A sentence that has names in it, without characters that would turn the words after them around. Names that stand in elements of
 * their own keep theirs: the style sheet isolates those.
 */
export const inOneDirection = (sentence: string): string => sentence.replace(TURNING, '');
