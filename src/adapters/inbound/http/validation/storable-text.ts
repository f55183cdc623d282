// U+0000 and lone surrogates are no text that every database can keep.
const UNSTORABLE = /\u0000|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** Whether a value, or every text of a list, can be kept and looked for. */
export const isStorable = (value: unknown): boolean =>
  typeof value === 'string' ? !UNSTORABLE.test(value) : Array.isArray(value) ? value.every(isStorable) : true;
