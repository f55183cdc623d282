import type { FileAction } from './file-action.js';

/** So far git looks for what no text holds. */
const LOOKED_AT = 8_000;
const [NUL, LINE_FEED] = [0, 10];

const linesOf = (content: Uint8Array): number => {
  if (content.length === 0 || content.subarray(0, LOOKED_AT).includes(NUL)) return 0;
  let lines = content.at(-1) === LINE_FEED ? 0 : 1;
  for (let at = content.indexOf(LINE_FEED); at !== -1; at = content.indexOf(LINE_FEED, at + 1)) lines += 1;
  return lines;
};

/** How many lines a commit adds and removes that does nothing but create files; undefined for any other, which git compares. */
export const linesOfNewFiles = (
  actions: readonly FileAction[],
): { readonly additions: number; readonly deletions: number } | undefined => {
  let additions = 0;
  for (const action of actions) {
    if (action.kind !== 'create') return undefined;
    additions += linesOf(action.content);
  }
  return { additions, deletions: 0 };
};
