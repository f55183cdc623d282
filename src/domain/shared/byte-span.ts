/** A part of some bytes: from the first to the last, both of it. */
export interface ByteSpan {
  readonly first: number;
  readonly last: number;
}

/** One span; several are nobody's need here, and what is no range of bytes counts as none (RFC 9110 §14.2). */
const ONE = /^bytes=[ \t]*(?:(\d+)-(\d*)|-(\d+))[ \t]*$/i;

/**
 * The part that a `Range` asks for of so many bytes.
 * @returns undefined where all of them are to be sent.
 */
export const spanIn = (range: string, size: number): ByteSpan | 'unsatisfiable' | undefined => {
  const [matched, from, to = '', suffix] = ONE.exec(range) ?? [];
  if (matched === undefined) return undefined;
  if (from === undefined) {
    const length = Math.min(Number(suffix), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 };
  }
  const [first, last] = [Number(from), to === '' ? Infinity : Number(to)];
  if (last < first) return undefined;
  return first >= size ? 'unsatisfiable' : { first, last: Math.min(last, size - 1) };
};
