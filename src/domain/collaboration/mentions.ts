import { withoutCodeBlocks } from './code-blocks.js';

/** How many people one text names at most: whoever lists hundreds wants to be a nuisance. */
export const MAX_MENTIONS = 50;
/** Beyond this a text is not searched. */
const SEARCHED = 100_000;

const RUN_OF_TICKS = /`+/g;
// What stands before the sign in an address, a path or another name.
const BEFORE = /[\p{L}\p{N}_.+@/$-]$/u;
const NAME = /@([A-Za-z0-9_][A-Za-z0-9_.-]{0,254})/g;
// A longer word, or the path of a group or project.
const AFTER = /^(?:[\p{L}\p{N}_@]|\/[A-Za-z0-9_])/u;

/** The user names that a text names with `@`, folded to lower case; what stands in code, and addresses, don't count. */
export const mentionedNames = (text: string): readonly string[] => {
  const names = new Set<string>();
  const prose = withoutCodeSpans(withoutCodeBlocks(text.slice(0, SEARCHED)));
  for (const match of prose.matchAll(NAME)) {
    if (BEFORE.test(prose.slice(Math.max(0, match.index - 2), match.index))) continue;
    if (AFTER.test(prose.slice(match.index + match[0].length).slice(0, 2))) continue;
    // The end of a sentence is none of a name.
    names.add(match[1]!.replace(/\.+$/, '').toLowerCase());
    if (names.size === MAX_MENTIONS) break;
  }
  return [...names];
};

/** A run of backticks opens a span that the next run of the same length closes; one without an end is plain text. */
const withoutCodeSpans = (text: string): string => {
  const runs = [...text.matchAll(RUN_OF_TICKS)].map(({ index, 0: ticks }) => ({ index, length: ticks.length }));
  // For each run the next one of its length, found from the back so that the whole takes one pass.
  const latest = new Map<number, number>();
  const closing: (number | undefined)[] = [];
  for (let at = runs.length - 1; at >= 0; at -= 1) {
    const { length } = runs[at]!;
    closing[at] = latest.get(length);
    latest.set(length, at);
  }
  let prose = '';
  let from = 0;
  for (let at = 0; at < runs.length; at += 1) {
    const end = closing[at];
    if (end === undefined) continue;
    prose += `${text.slice(from, runs[at]!.index)} `;
    from = runs[end]!.index + runs[end]!.length;
    at = end;
  }
  return prose + text.slice(from);
};
