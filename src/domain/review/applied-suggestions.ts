/** A suggestion, with the line that it is about as it is counted in the file now. */
export interface AppliedSuggestion {
  readonly line: number;
  readonly above: number;
  readonly below: number;
  readonly replaced: string;
  readonly content: string;
}

const LINE_FEED = 0x0a;
const utf8 = { encoder: new TextEncoder(), decoder: new TextDecoder('utf-8', { ignoreBOM: true }) };

/** Where each line begins, and where the last one ends. */
const boundsOf = (bytes: Uint8Array): readonly number[] => {
  const bounds = [0];
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) bounds.push(at + 1);
  if (bounds.at(-1) !== bytes.length) bounds.push(bytes.length);
  return bounds;
};

/** Lines end as those do that they replace, and a file that ended without a line feed still does. */
const contentFor = (replaced: string, content: string, atEnd: boolean): string => {
  const ended = atEnd && !replaced.endsWith('\n') ? content.replace(/\n$/, '') : content;
  return replaced.includes('\r\n') ? ended.replaceAll('\n', '\r\n') : ended;
};

/** Puts suggestions into a file, whatever else is in it; tells where the lines are others, or are replaced by two of them. */
export const appliedTo = (
  bytes: Uint8Array,
  suggestions: readonly AppliedSuggestion[],
): Uint8Array | 'changed' | 'overlapping' | 'same' => {
  const bounds = boundsOf(bytes);
  const pieces: Uint8Array[] = [];
  let written = 0;
  const inOrder = suggestions.toSorted((one, other) => one.line - one.above - (other.line - other.above));
  for (const { line, above, below, replaced, content } of inOrder) {
    const from = bounds[Math.max(line - above, 1) - 1];
    const to = bounds[Math.min(line + below, bounds.length - 1)];
    if (from === undefined || to === undefined || from >= to) return 'changed';
    if (from < written) return 'overlapping';
    if (utf8.decoder.decode(bytes.subarray(from, to)) !== replaced) return 'changed';
    const text = contentFor(replaced, content, to === bytes.length);
    pieces.push(bytes.subarray(written, from), utf8.encoder.encode(text));
    written = to;
  }
  pieces.push(bytes.subarray(written));
  const applied = joined(pieces);
  return isSame(applied, bytes) ? 'same' : applied;
};

const joined = (pieces: readonly Uint8Array[]): Uint8Array => {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
};

const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);
