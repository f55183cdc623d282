/** As many combining marks as one character may carry (Unicode Standard Annex #15, Stream-Safe Text Format). */
const MAX_MARKS = 30;
/** As it is in every form. */
const ASCII = /^[\0-\x7f]*$/;
const MORE_MARKS = new RegExp(`(\\p{M}{${MAX_MARKS}})\\p{M}+`, 'gu');

/**
 * The same text for every way of writing its characters, to be compared and searched. Marks beyond what a character may carry are left
 * out: to bring n of them into order takes n² steps, and a long text can be nothing but marks.
 */
export const canonicalText = (text: string, form: 'NFC' | 'NFKD' = 'NFC'): string =>
  // eslint-disable-next-line no-restricted-syntax -- the one place where normalization is bounded
  ASCII.test(text) ? text : text.replace(MORE_MARKS, '$1').normalize(form);
