import { blankedCode } from './code-blocks.js';
import { MAX_NOTE } from './note.js';

/** Of a text so much is searched. */
const SEARCHED = 100_000;
/** An issue, merge request or attached file of the text's own project: neither inside a word nor behind the path of another. */
const LOCAL = /(?<![\w/#&.@!-])(?:[#!]\d{1,9}(?![\w-])|\/(?=uploads\/[0-9a-f]{32}\/))/g;

/**
 * What a text says once it is read in another project: what it names there is named by the path of its own. Code stays as it is, and so
 * does a text that would become longer than a comment may be.
 */
export const withProjectNamed = (text: string, projectPath: string): string => {
  if (!/[#!]\d|\/uploads\//.test(text)) return text;
  const references = [...blankedCode(text.slice(0, SEARCHED)).matchAll(LOCAL)];
  if (text.length + references.length * (projectPath.length + 1) > MAX_NOTE) return text;
  let written = '';
  let from = 0;
  for (const { index, 0: match } of references) {
    written += text.slice(from, index) + (match === '/' ? '/' : '') + projectPath;
    from = index;
  }
  return written + text.slice(from);
};
