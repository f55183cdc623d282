import { RE2JS } from 're2js';
import type { FindCoverage } from '../../../application/pipelines/ports/find-coverage.js';
import { withoutTerminalCodes } from '../../../domain/pipelines/terminal-codes.js';
import { RegexWork } from '../regex/regex-work.js';

const BETWEEN_SLASHES = /^\/(.*)\/$/s;
const NUMBER = /\d+(?:\.\d+)?/;
const LONGEST_PATTERN = 1_000;
/** Steps of the compiled pattern: repetitions count each time. */
const MOST_STEPS = 200;
/** No tool tells its sum in a longer one. */
const LONGEST_LINE = 1_000;
/** Of one line: after a short match the rest of it is gone through anew. */
const MOST_MATCHES = 20;
/** Of a log, the newest lines first: beyond, nothing is found. */
const MOST_WORK = 20_000_000;

/** By a regular expression in linear time: of the last line that has a match the first number, of the group where it has one. */
export const findCoverage: FindCoverage = (pattern, log) => {
  const regex = compiled(pattern);
  if (regex === undefined) return null;
  const lines = withoutTerminalCodes(log).split(/[\r\n]+/);
  const work = new RegexWork(MOST_WORK);
  for (const line of lines.reverse()) {
    const found = line.length > LONGEST_LINE ? null : NUMBER.exec(lastMatch(regex, line, work) ?? '');
    if (found !== null) return Number(found[0]);
  }
  return null;
};

const lastMatch = (regex: RE2JS, line: string, work: RegexWork): string | null => {
  const matcher = regex.matcher(line);
  const units = regex.programSize() * (line.length + 1);
  let last: string | null = null;
  for (let matches = 0; matches < MOST_MATCHES && work.do(units, () => matcher.find()) === true; matches += 1)
    last = (matcher.groupCount() > 0 ? matcher.group(1) : null) ?? matcher.group();
  return last;
};

const compiled = (pattern: string): RE2JS | undefined => {
  const text = BETWEEN_SLASHES.exec(pattern)?.[1] ?? pattern;
  if (text.length > LONGEST_PATTERN) return undefined;
  try {
    const regex = RE2JS.compile(text);
    return regex.programSize() > MOST_STEPS ? undefined : regex;
  } catch {
    return undefined;
  }
};
