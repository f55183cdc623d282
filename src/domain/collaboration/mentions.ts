import { blankedCode } from './code-blocks.js';

/** How many people one text names at most: whoever lists hundreds wants to be a nuisance. */
export const MAX_MENTIONS = 50;
/** Beyond this a text is not searched. */
const SEARCHED = 100_000;

// What stands before the sign in an address, a path or another name.
const BEFORE = /[\p{L}\p{N}_.+@/$-]$/u;
const NAME = /@([A-Za-z0-9_][A-Za-z0-9_.-]{0,254})/g;
// A longer word, or the path of a group or project.
const AFTER = /^(?:[\p{L}\p{N}_@]|\/[A-Za-z0-9_])/u;

/** The user names that a text names with `@`, folded to lower case; what stands in code, and addresses, don't count. */
export const mentionedNames = (text: string): readonly string[] => {
  const names = new Set<string>();
  const prose = blankedCode(text.slice(0, SEARCHED));
  for (const match of prose.matchAll(NAME)) {
    if (BEFORE.test(prose.slice(Math.max(0, match.index - 2), match.index))) continue;
    if (AFTER.test(prose.slice(match.index + match[0].length).slice(0, 2))) continue;
    // The end of a sentence is none of a name.
    names.add(match[1]!.replace(/\.+$/, '').toLowerCase());
    if (names.size === MAX_MENTIONS) break;
  }
  return [...names];
};

/** Those whom a text names since it was changed, and did not name before. */
export const newlyMentionedNames = (before: string, after: string): readonly string[] => {
  const known = new Set(mentionedNames(before));
  return mentionedNames(after).filter((name) => !known.has(name));
};
