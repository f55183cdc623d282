import { canonicalText } from './canonical-text.js';

/** A text in lower case and without marks above and below its letters, for names that are made of it: `é` is `e`. */
export const plainLetters = (text: string): string => canonicalText(text, 'NFKD').replace(/\p{M}/gu, '').toLowerCase();
