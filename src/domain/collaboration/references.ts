import { blankedCode } from './code-blocks.js';

/** An issue (`#`) or merge request (`!`) that a text names. */
export interface TextReference {
  readonly kind: 'issue' | 'merge_request';
  /** Full path of its project; null is that of the text. */
  readonly project: string | null;
  readonly iid: number;
}

/** Read of one text at most. */
const MOST_TEXT = 20_000;
const MOST_REFERENCES = 50;

/** Neither inside a word nor at the end of a longer path. */
const REFERENCE = /(?<![\w/#&.@!-])((?:[A-Za-z0-9_.-]{1,255}\/){1,20}[A-Za-z0-9_.-]{1,255})?([#!])(\d{1,9})(?![\w-])/g;

/** Whether it is worth looking for some. */
export const mayNameSubjects = (text: string): boolean => /[#!]\d/.test(text.slice(0, MOST_TEXT));

/** What a text names outside of code, each once. */
export const textReferences = (text: string): readonly TextReference[] => {
  const found = new Map<string, TextReference>();
  for (const [, project = null, sign, iid] of blankedCode(text.slice(0, MOST_TEXT)).matchAll(REFERENCE)) {
    const kind = sign === '#' ? 'issue' : 'merge_request';
    found.set(`${project ?? ''}${sign}${Number(iid)}`, { kind, project, iid: Number(iid) });
    if (found.size >= MOST_REFERENCES) break;
  }
  return [...found.values()];
};
