const GIT_LOOKS_AT = 8_000;

/** As git decides it. */
export const isBinary = (content: Uint8Array): boolean => content.subarray(0, GIT_LOOKS_AT).includes(0);

/** UTF-8, else one character a byte. */
export const textOf = (content: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return new TextDecoder('latin1').decode(content);
  }
};

/** The lines of a file, without what ends them. A lone carriage return is no end of a line, and browsers would take it for one. */
export const linesOf = (text: string): readonly string[] => {
  if (text === '') return [];
  const lines = text.replaceAll('\r\n', '\n').replaceAll('\r', '\u240d').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
};

/** Undefined for what a form would change by itself: it holds text, and every end of a line becomes the same. */
export const editableText = (content: Uint8Array | undefined): string | undefined => {
  if (content === undefined || isBinary(content)) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
    const plain = text.replaceAll('\r\n', '\n');
    return plain.includes('\r') || (text !== plain && plain.replaceAll('\n', '\r\n') !== text) ? undefined : text;
  } catch {
    return undefined;
  }
};
