import { readFileSync } from 'node:fs';
import { parse } from 'dotenv';
import { reasonOf } from './explain-failure.js';

const FILE = '.env';

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new Error(`${file} can't be used: ${reasonOf(error)}.`, { cause: error });
  }
};

const IGNORED = /^\s*(?:#.*)?$/;
/** Of a file that is no list of settings each line would be tried. */
const MOST_TRIED = 100;

/** The first line that says nothing, as its number: without it the settings are the same. One within a value in quotes says something. */
const lostLine = (text: string): number | undefined => {
  const lines = text.split(/\r\n?|\n/);
  const whole = JSON.stringify(parse(text));
  const isLost = (index: number): boolean => JSON.stringify(parse(lines.toSpliced(index, 1).join('\n'))) === whole;
  const suspects = lines.flatMap((line, index) =>
    IGNORED.test(line) || Object.keys(parse(line)).length > 0 ? [] : [index],
  );
  const lost = suspects.slice(0, MOST_TRIED).find(isLost);
  return lost === undefined ? undefined : lost + 1;
};

/**
 * Adds the settings of `.env` to those that are given, which count before them. Whoever has such a file means it: a start without it would
 * make another installation.
 *
 * @throws Error with a sentence where it is there and can't be read, or a line of it says nothing.
 */
export const readDotenv = (environment: Record<string, string | undefined>, file = FILE): void => {
  const text = textOf(file);
  const lost = lostLine(text);
  // What it says may be a secret, and is not told.
  if (lost !== undefined)
    throw new Error(`${file} can't be used: line ${lost} is neither a setting, as in NAME=value, nor a comment.`);
  for (const [name, value] of Object.entries(parse(text))) environment[name] ??= value;
};
