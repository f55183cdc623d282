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

/** What a text can name: see `project-markdown.ts`. */
const NAME =
  /(?<![\w/&.#%@!-])(?:(?:(?:[A-Za-z0-9_][\w.-]{0,254}\/)+[A-Za-z0-9_][\w.-]{0,254})?[#!%@][A-Za-z0-9_][A-Za-z0-9_.-]{0,254}|[0-9a-f]{40}(?!\w))/g;

/** @param addresses of what is named, by its name in small letters. */
const linkedNames = (text: string, addresses: ReadonlyMap<string, string>): readonly TextPiece[] => {
  const pieces: TextPiece[] = [];
  let told = 0;
  for (const { 0: found, index } of text.matchAll(NAME)) {
    // The end of a sentence is none of a name.
    const name = found.replace(/[.-]+$/, '');
    const href = addresses.get(name.toLowerCase());
    if (href === undefined) continue;
    if (index > told) pieces.push({ text: text.slice(told, index) });
    pieces.push({ text: name, href });
    told = index + name.length;
  }
  if (told < text.length) pieces.push({ text: text.slice(told) });
  return pieces;
};

/** The same, with links to what it names. */
export const linkedTextNaming = (text: string, addresses: ReadonlyMap<string, string>): readonly TextPiece[] =>
  linkedText(text).flatMap((piece) => (piece.href === undefined ? linkedNames(piece.text, addresses) : [piece]));
