import type { CiProblems } from './ci-problem.js';
import { isList, isMap, type CiList, type CiMap, type CiValue } from './ci-value.js';

const MOST_TEXT = 65_536;
const DEEPEST_LIST = 10;
const MOST_COMMANDS = 1000;

interface TextsWanted {
  readonly most?: number;
  readonly alone?: boolean;
  readonly booleans?: boolean;
}

/** A value with the name that problems of it are told by, such as `jobs:test:script`. */
export class Entry {
  constructor(
    readonly value: CiValue,
    readonly name: string,
    readonly problems: CiProblems,
  ) {}

  /** Says what is wrong, and answers undefined for what can't be had. */
  error(text: string): undefined {
    this.problems.error(`${this.name} ${text}`);
    return undefined;
  }

  map(what = 'a hash'): CiMap | undefined {
    return isMap(this.value) ? this.value : this.error(`config should be ${what}`);
  }

  /** The entry of a key; undefined where nothing is said. */
  at(key: string): Entry | undefined {
    const value = isMap(this.value) ? (this.value.get(key) ?? null) : null;
    return value === null ? undefined : new Entry(value, `${this.name}:${key}`, this.problems);
  }

  /** What is said by a key, or something else where nothing is, or what can't be had. */
  read<Value, Otherwise>(
    key: string,
    read: (said: Entry) => Value | undefined,
    otherwise: Otherwise,
  ): Value | Otherwise {
    const said = this.at(key);
    return (said === undefined ? undefined : read(said)) ?? otherwise;
  }

  /** Keys that nobody knows are told, all at once. */
  knows(keys: ReadonlySet<string>): void {
    if (!isMap(this.value)) return;
    const unknown = [...this.value.keys()].filter((key) => !keys.has(key));
    if (unknown.length > 0) this.error(`config contains unknown keys: ${unknown.slice(0, 10).join(', ')}`);
  }

  /** Keys that are accepted, so that files that are used elsewhere too can be, are told where they are said. */
  ignores(keys: readonly string[]): void {
    for (const key of keys)
      if (this.at(key) !== undefined) this.problems.warn(`${this.name} config: \`${key}\` has no effect here`);
  }

  text(most = MOST_TEXT): string | undefined {
    const text = textOf(this.value);
    if (text === undefined) return this.error('config should be a string');
    return text.length > most ? this.error(`config is too long (maximum is ${most} characters)`) : text;
  }

  boolean(): boolean | undefined {
    return typeof this.value === 'boolean' ? this.value : this.error('config should be a boolean value');
  }

  oneOf<Word extends string>(words: readonly Word[]): Word | undefined {
    return words.find((word) => word === this.value) ?? this.error(`config should be one of: ${words.join(', ')}`);
  }

  integer(least: number, most: number): number | undefined {
    const { value } = this;
    if (typeof value !== 'number' || !Number.isInteger(value)) return this.error('config should be an integer');
    if (value < least) return this.error(`config must be greater than or equal to ${least}`);
    return value > most ? this.error(`config must be less than or equal to ${most}`) : value;
  }

  /** Texts, where one alone may stand for a list of it, and true and false for themselves. */
  texts({ most = 1000, alone = false, booleans = false }: TextsWanted = {}): readonly string[] | undefined {
    const what = `config should be an array of strings${alone ? ' or a string' : ''}`;
    const { value } = this;
    if (!isList(value) && !alone) return this.error(what);
    const texts = (flat(isList(value) ? value : [value], most) ?? [new Map()]).map((each) =>
      booleans && typeof each === 'boolean' ? String(each) : textOf(each),
    );
    if (texts.some((text) => text === undefined)) return this.error(what);
    return texts.length > most ? this.error(`config has too many entries (maximum is ${most})`) : (texts as string[]);
  }

  /** The entries of a list, where one alone may stand for itself. */
  entries(most: number, what: string): readonly Entry[] | undefined {
    const listed = flat(isList(this.value) ? this.value : [this.value], most);
    if (listed === undefined) return this.error(`config should be ${what}`);
    if (listed.length > most) return this.error(`config has too many entries (maximum is ${most})`);
    return listed.map((value) => new Entry(value, this.name, this.problems));
  }

  named(name: string): Entry {
    return new Entry(this.value, name, this.problems);
  }
}

/** Numbers are as good as the text of them. */
const textOf = (value: CiValue): string | undefined => {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : undefined;
};

/** Lists within lists as one; undefined where they go too deep. What is over a bound is only as much over it as tells so. */
const flat = (list: CiList, most: number, level = 1): CiList | undefined => {
  if (level > DEEPEST_LIST) return undefined;
  const all: CiValue[] = [];
  for (const each of list) {
    if (all.length > most) break;
    const inner = isList(each) ? flat(each, most, level + 1) : [each];
    if (inner === undefined) return undefined;
    all.push(...inner);
  }
  return all;
};

/** Commands, flattened. */
export const scriptOf = (entry: Entry | undefined): readonly string[] | undefined => {
  if (entry === undefined) return undefined;
  const { value } = entry;
  const commands = flat(isList(value) ? value : [value], MOST_COMMANDS);
  if (commands === undefined || !commands.every((each) => typeof each === 'string'))
    return entry.error(`config should be a string or a nested array of strings up to ${DEEPEST_LIST} levels deep`);
  return commands.length > MOST_COMMANDS
    ? entry.error(`config has too many commands (maximum is ${MOST_COMMANDS})`)
    : commands;
};
