/** A piece of a text; with an address where it is one. */
export interface TextPiece {
  readonly text: string;
  readonly href?: string;
}

const ADDRESSES = /https?:\/\/[^\s<>"'`|\\^{}]+/gi;
/** What ends a sentence, or the bracket around an address, is no part of it. */
const AFTER = new Set('.,;:!?)]');

const withoutEnd = (address: string): string => {
  let end = address.length;
  while (end > 0 && AFTER.has(address[end - 1] ?? '')) end -= 1;
  return address.slice(0, end);
};

/** A text that is no Markdown, with the addresses of the web in it. */
export const linkedText = (text: string): readonly TextPiece[] => {
  const pieces: TextPiece[] = [];
  let told = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESSES)) {
    const href = withoutEnd(found);
    if (!URL.canParse(href)) continue;
    if (index > told) pieces.push({ text: text.slice(told, index) });
    pieces.push({ text: href, href });
    told = index + href.length;
  }
  if (told < text.length) pieces.push({ text: text.slice(told) });
  return pieces;
};
