import { CiProblem } from './ci-problem.js';
import { isList, isMap, jsonOf, valueOfJson, type CiList, type CiMap, type CiValue } from './ci-value.js';
import type { Entry } from './entry.js';
import type { CompileRegex } from './expression.js';

type InputType = 'string' | 'number' | 'boolean' | 'array';

/** What a file says of one of its inputs. */
interface InputSpec {
  readonly name: string;
  readonly type: InputType;
  /** Null where one has to be given. */
  readonly otherwise: CiValue;
  readonly options: CiList | null;
  readonly regex: string | null;
}

const TYPES: readonly InputType[] = ['array', 'boolean', 'number', 'string'];
const KEYS: ReadonlySet<string> = new Set(['default', 'description', 'options', 'regex', 'type']);
const NAME = /^[\w-]{1,255}$/;
const NUMBER = /^[-+]?\d{1,300}(?:\.\d{1,300})?$/;
export const MOST_INPUTS = 100;
const MOST_OPTIONS = 50;
/** Of a text, or of a list written as JSON. */
const LONGEST_INPUT = 10_000;
const DEEPEST = 10;
const MOST_DESCRIPTION = 1_000;
/** People read the first few. */
const MOST_TOLD = 3;
const MOST_SHOWN = 100;

/**
 * What is put in the place of each input of a file.
 * @param specs what the header of the file says of them.
 * @throws CiProblem for what isn't one of them, or not what it should be.
 */
export const inputsOf = (
  specs: Entry | undefined,
  given: CiMap,
  compile: CompileRegex,
): ReadonlyMap<string, CiValue> => {
  const said = isMap(specs?.value) ? specs.value : new Map<string, CiValue>();
  if (said.size > MOST_INPUTS)
    throw new CiProblem(`header:spec:inputs config has too many entries (maximum is ${MOST_INPUTS})`);
  const unknown = [...given.keys()].filter((name) => !said.has(name));
  const problems =
    unknown.length === 0 ? [] : [`unknown input arguments: ${unknown.slice(0, 10).map(shown).join(', ')}`];
  const values = new Map<string, CiValue>();
  for (const [name, spec] of said) {
    const read = specOf(name, spec);
    if (typeof read === 'string') problems.push(read);
    else {
      const { value, problem } = valueOf(read, given.get(name) ?? null, compile);
      values.set(name, value);
      if (problem !== undefined) problems.push(`\`${name}\` input: ${problem}`);
    }
  }
  if (problems.length > 0) throw new CiProblem(problems.slice(0, MOST_TOLD).join(', '));
  return values;
};

const shown = (text: string): string => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text);

/** What is wrong with it, in words, otherwise. */
const specOf = (name: string, said: CiValue): InputSpec | string => {
  if (!NAME.test(name)) return `\`${shown(name)}\` input: a name has letters, digits, \`_\` and \`-\`, at most 255`;
  const spec = said ?? new Map<string, CiValue>();
  const type = isMap(spec) ? TYPES.find((one) => one === (spec.get('type') ?? 'string')) : undefined;
  if (!isMap(spec) || type === undefined)
    return `unknown input specification for \`${name}\` (valid types: ${TYPES.join(', ')})`;
  const unknown = [...spec.keys()].filter((key) => !KEYS.has(key));
  if (unknown.length > 0)
    return `header:spec:inputs:${name} config contains unknown keys: ${unknown.slice(0, 10).map(shown).join(', ')}`;
  const read = { name, type, otherwise: spec.get('default') ?? null, ...limitsOf(spec) };
  return wrongIn(read, spec) ?? read;
};

const limitsOf = (spec: CiMap): Pick<InputSpec, 'options' | 'regex'> => {
  const [options = null, regex] = [spec.get('options'), spec.get('regex')];
  return { options: isList(options) ? options : null, regex: typeof regex === 'string' ? regex : null };
};

const wrongIn = (read: InputSpec, spec: CiMap): string | undefined => {
  const says = (key: string): boolean => (spec.get(key) ?? null) !== null;
  const problem =
    (says('description') ? wrongDescription(spec.get('description')) : undefined) ??
    (says('options') ? wrongOptions(read) : undefined) ??
    (says('regex') ? wrongRegex(read) : undefined);
  return problem && `\`${read.name}\` input: ${problem}`;
};

const wrongDescription = (said: CiValue | undefined): string | undefined =>
  typeof said === 'string' && said.length <= MOST_DESCRIPTION
    ? undefined
    : `the description should be a text of at most ${MOST_DESCRIPTION} characters`;

const wrongOptions = ({ type, options }: InputSpec): string | undefined => {
  if (type !== 'string' && type !== 'number') return 'Options can only be used with string and number inputs';
  return options === null || options.length === 0 || options.length > MOST_OPTIONS
    ? `options should be a list of at most ${MOST_OPTIONS}`
    : undefined;
};

const wrongRegex = ({ type, regex }: InputSpec): string | undefined => {
  if (type !== 'string') return 'RegEx validation can only be used with string inputs';
  return regex === null ? 'invalid regular expression' : undefined;
};

interface Checked {
  readonly value: CiValue;
  readonly problem?: string;
}

/** The default is looked at, too, where another value is given: whoever writes the file is to know. */
const valueOf = (spec: InputSpec, given: CiValue, compile: CompileRegex): Checked => {
  const { otherwise } = spec;
  const byDefault = otherwise === null ? undefined : checked(spec, otherwise, 'default', compile);
  if (byDefault?.problem !== undefined) return byDefault;
  if (given !== null) return checked(spec, given, 'provided', compile);
  return byDefault ?? { value: null, problem: 'required value has not been provided' };
};

const checked = (spec: InputSpec, said: CiValue, whose: 'default' | 'provided', compile: CompileRegex): Checked => {
  const { type, options, regex } = spec;
  const value = asType(type, said);
  const wrong = (problem: string): Checked => ({ value: null, problem });
  if (value === undefined) return wrong(`${whose} value is not ${type === 'array' ? 'an' : 'a'} ${type}`);
  const text = textOf(value);
  if (text.length > LONGEST_INPUT) return wrong(`${whose} value is longer than ${LONGEST_INPUT} characters`);
  if (!isStorable(value)) return wrong(`${whose} value has a character that is none`);
  if (options !== null && !options.some((option) => asType(type, option) === value))
    return wrong(`\`${shown(text)}\` cannot be used because it is not in the list of allowed options`);
  if (regex === null) return { value };
  const matches = compile(regex, '');
  if (matches === undefined) return wrong('invalid regular expression');
  return matches(text) ? { value } : wrong(`${whose} value does not match required RegEx pattern`);
};

/** A text that says it, a list as JSON, is as good as that: forms have nothing but texts. Undefined for what isn't of the type. */
const asType = (type: InputType, value: CiValue): CiValue | undefined => {
  if (type === 'array') return listIn(value);
  if (isList(value) || typeof value === 'object') return undefined;
  if (type === 'string') return String(value);
  if (type === 'boolean') return [true, false].find((one) => value === one || value === String(one));
  if (typeof value === 'number') return value;
  return typeof value === 'string' && NUMBER.test(value) ? numberIn(value) : undefined;
};

/** Fractions are texts wherever a CI file says them. */
const numberIn = (text: string): CiValue =>
  text.includes('.') || !Number.isSafeInteger(Number(text)) ? text : Number(text);

const listIn = (value: CiValue): CiList | undefined => {
  const list = typeof value === 'string' ? readJson(value) : value;
  return list !== undefined && isList(list) && isShallow(list, 1) ? list : undefined;
};

const readJson = (text: string): CiValue | undefined => {
  if (text.length > LONGEST_INPUT) return undefined;
  try {
    return valueOfJson(JSON.parse(text));
  } catch {
    return undefined;
  }
};

const isShallow = (value: CiValue, level: number): boolean => {
  if (!isList(value) && !isMap(value)) return true;
  return level <= DEEPEST && [...value.values()].every((each) => isShallow(each, level + 1));
};

/** What somebody sends as inputs, by their names; undefined for what is none, or too much. */
export const inputsIn = (sent: unknown): CiMap | undefined => {
  const read = valueOfJson(sent);
  return isMap(read) && read.size <= MOST_INPUTS ? read : undefined;
};

/** What is wrong with what somebody gives as an input of a file that isn't read yet; undefined for nothing. */
export const problemOfGiven = (name: string, value: CiValue): string | undefined => {
  if (!NAME.test(name)) return `have a name of letters, digits, \`_\` and \`-\`, at most 255: ${shown(name)}`;
  if (value === null || isMap(value) || !isShallow(value, 1))
    return `need a text, a number, a boolean or a list: ${shown(name)}`;
  if (textOf(value).length > LONGEST_INPUT) return `have at most ${LONGEST_INPUT} characters each: ${shown(name)}`;
  return isStorable(value) ? undefined : `have a character that is none: ${shown(name)}`;
};

/** No database keeps a NUL in a text, nor half of a character. */
const isStorable = (value: CiValue): boolean => {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (isMap(value)) return [...value].every(([key, each]) => isStorable(key) && isStorable(each));
  return !isList(value) || value.every(isStorable);
};

/** As it is put within a longer text. */
export const textOf = (value: CiValue): string =>
  typeof value === 'object' ? JSON.stringify(jsonOf(value)) : String(value);
