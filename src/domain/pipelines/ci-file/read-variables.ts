import { isMap, type CiValue } from './ci-value.js';
import type { Entry } from './entry.js';
import { optionProblem } from './offered-variables.js';

const MOST_VARIABLES = 500;
const LONGEST_KEY = 255;
const LONGEST_VALUE = 65_536;
const KEY = /^[A-Za-z0-9_]+$/;
const DETAILS: ReadonlySet<string> = new Set(['value', 'description', 'options', 'expand']);

/** Variables by their keys; undefined where none are said, or what is said is none. */
export const variablesOf = (entry: Entry | undefined): ReadonlyMap<string, string> | undefined => {
  const said = entry?.map('a hash of key value pairs, value can be a string or a number');
  if (entry === undefined || said === undefined) return undefined;
  if (said.size > MOST_VARIABLES) return entry.error(`config has too many entries (maximum is ${MOST_VARIABLES})`);
  const variables = new Map<string, string>();
  for (const [key, value] of said) {
    const text = valueOf(value);
    if (!KEY.test(key) || key.length > LONGEST_KEY)
      entry.error(`config: \`${key.slice(0, LONGEST_KEY)}\` can't be the name of a variable`);
    else if (text === undefined)
      entry.error(`config: \`${key}\` should be a string, a number, or a hash with a \`value\``);
    else if (optionProblem(value) !== undefined) entry.error(`config: \`${key}\`: ${optionProblem(value)}`);
    else if (text.length > LONGEST_VALUE) entry.error(`config: \`${key}\` is longer than ${LONGEST_VALUE} characters`);
    else variables.set(key, text);
  }
  return variables;
};

const valueOf = (value: CiValue): string | undefined => {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (!isMap(value) || [...value.keys()].some((key) => !DETAILS.has(key))) return undefined;
  const inner = value.get('value') ?? '';
  return isMap(inner) ? undefined : valueOf(inner);
};

/** Which of them are left as they are, whatever they seem to name. */
export const rawVariablesOf = (entry: Entry | undefined): ReadonlySet<string> =>
  new Set(
    [...(isMap(entry?.value) ? entry.value : [])].flatMap(([key, value]) =>
      isMap(value) && value.get('expand') === false ? [key] : [],
    ),
  );
