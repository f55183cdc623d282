import { RE2JS } from 're2js';
import type { CompileRegex } from '../../../domain/pipelines/ci-file/expression.js';
import { MOST_AT_ONCE, RegexWork } from '../regex/regex-work.js';

const LONGEST_PATTERN = 1000;
const LONGEST_TEXT = 100_000;
/** Steps of the compiled pattern: repetitions count each time. */
const MOST_STEPS = 2000;
/** Of all that is asked of one file: beyond, nothing matches. */
const MOST_WORK = 20_000_000;
/** To compile a pattern takes as long as to search a short text. */
const COMPILING = 10_000;

/**
 * Regular expressions in linear time, for one file: how long all of them may take together is bounded, too. A pattern is compiled once,
 * however often the file says it.
 */
export const regexCompiler = (): CompileRegex => {
  const known = new Map<string, ((text: string) => boolean) | undefined>();
  const work = new RegexWork(MOST_WORK);
  const compiled = (pattern: string, flags: string) => {
    if (pattern.length > LONGEST_PATTERN) return undefined;
    const tried = work.do(COMPILING, () => ({ regex: compile(pattern, flags) }));
    if (tried === undefined) return () => false;
    const { regex } = tried;
    const steps = regex?.programSize() ?? 0;
    if (regex === undefined || steps > MOST_STEPS) return undefined;
    const longest = Math.min(LONGEST_TEXT, Math.floor(MOST_AT_ONCE / steps));
    let last: { readonly text: string; readonly found: boolean } | undefined;
    return (text: string) => {
      // Jobs of a matrix ask the same again and again.
      if (last?.text === text) return last.found;
      const asked = text.slice(0, longest);
      const found = work.do(steps * (asked.length + 1), () => regex.matcher(asked).find());
      if (found === undefined) return false;
      last = { text, found };
      return found;
    };
  };
  return (pattern, flags) => {
    const key = `${flags}/${pattern}`;
    if (!known.has(key)) known.set(key, compiled(pattern, flags));
    return known.get(key);
  };
};

const FLAGS: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
};

const compile = (pattern: string, flags: string): RE2JS | undefined => {
  try {
    return RE2JS.compile(
      pattern,
      Array.from(flags).reduce((all, flag) => all | (FLAGS[flag] ?? 0), 0),
    );
  } catch {
    return undefined;
  }
};
