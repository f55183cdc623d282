import { RE2JS } from 're2js';
import type { CompileNamePattern } from '../../../application/repositories/ports/name-patterns.js';
import { RegexWork } from './regex-work.js';

const LONGEST_PATTERN = 1_000;
/** Steps of the compiled pattern: repetitions count each time. */
const MOST_STEPS = 500;
/** Of all names that are asked: a hundred thousand of them by a pattern of ten steps. */
const MOST_WORK = 50_000_000;
const MOST_MS = 200;

/** Patterns of names in linear time: without back-references and without look-around. */
export const compileNamePattern: CompileNamePattern = (text) => {
  const regex = text.length > LONGEST_PATTERN ? undefined : compiled(text);
  const steps = regex?.programSize() ?? 0;
  if (regex === undefined || steps > MOST_STEPS) return undefined;
  const work = new RegexWork(MOST_WORK, MOST_MS);
  return (name) => work.do(steps * (name.length + 1), () => regex.matcher(name).find());
};

const compiled = (text: string): RE2JS | undefined => {
  try {
    return RE2JS.compile(text);
  } catch {
    return undefined;
  }
};
