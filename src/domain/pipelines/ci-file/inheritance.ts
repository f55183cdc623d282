import { CiProblem } from './ci-problem.js';
import { CiReference, deepMerge, isList, isMap, type CiMap, type CiValue } from './ci-value.js';

const DEEPEST_EXTENDS = 11;
const DEEPEST_REFERENCE = 10;
const MOST_BASES = 50;
/** How many keys are copied in all: bases are copied into each job that extends them. */
const MOST_COPIED = 500_000;

interface Extended {
  readonly whole: CiMap;
  /** How many levels of bases it stands on. */
  readonly levels: number;
}

/** Each entry with what it extends under it. */
export const withBases = (root: CiMap): CiMap => {
  const done = new Map<string, Extended>();
  let copied = 0;
  const extended = (name: string, entry: CiMap, open: readonly string[]): Extended => {
    const known = done.get(name);
    if (known !== undefined) return known;
    if (open.includes(name)) throw new CiProblem(`${name}: circular dependency detected in \`extends\``);
    let below: CiMap = new Map();
    let levels = 0;
    for (const base of basesOf(name, entry)) {
      const found = root.get(base);
      if (!isMap(found)) throw new CiProblem(`${name}: unknown keys in \`extends\` (${base})`);
      const under = extended(base, found, [...open, name]);
      levels = Math.max(levels, under.levels + 1);
      copied += keysIn(under.whole);
      if (copied > MOST_COPIED) throw new CiProblem(`${name}: too much is copied by \`extends\``);
      below = deepMerge(below, under.whole);
    }
    if (levels > DEEPEST_EXTENDS) throw new CiProblem(`${name}: nesting too deep in \`extends\``);
    const result = { whole: deepMerge(below, entry), levels };
    done.set(name, result);
    return result;
  };
  return new Map([...root].map(([name, entry]) => [name, isMap(entry) ? extended(name, entry, []).whole : entry]));
};

const basesOf = (name: string, entry: CiMap): readonly string[] => {
  const said = entry.get('extends') ?? null;
  if (said === null) return [];
  const bases = isList(said) ? said : [said];
  const named = bases.filter((base): base is string => typeof base === 'string');
  if (named.length !== bases.length || named.length > MOST_BASES)
    throw new CiProblem(`jobs:${name}:extends config should be an array of strings or a string`);
  return named;
};

const keysIn = (value: CiValue): number => {
  if (!isMap(value)) return 1;
  let keys = 1;
  for (const each of value.values()) keys += keysIn(each);
  return keys;
};

/** With what `!reference` names put in its place. */
export const withReferences = (root: CiMap): CiMap => {
  const done = new Map<CiValue, CiValue>();
  const resolved = (value: CiValue, open: readonly string[]): CiValue => {
    if (value instanceof CiReference) return named(value, open);
    if (!isMap(value) && !isList(value)) return value;
    const known = done.get(value);
    if (known !== undefined) return known;
    const whole = isMap(value)
      ? new Map([...value].map(([key, each]) => [key, resolved(each, open)]))
      : value.map((each) => resolved(each, open));
    done.set(value, whole);
    return whole;
  };
  const named = ({ path }: CiReference, open: readonly string[]): CiValue => {
    const written = `!reference ${JSON.stringify(path)}`;
    if (open.includes(written)) throw new CiProblem(`${written} is part of a circular chain`);
    if (open.length >= DEEPEST_REFERENCE) throw new CiProblem(`${written} is nested too deep`);
    const found = path.reduce<CiValue | undefined>((place, key) => (isMap(place) ? place.get(key) : undefined), root);
    if (found === undefined || path.length === 0) throw new CiProblem(`${written} could not be found`);
    return resolved(found, [...open, written]);
  };
  return resolved(root, []) as CiMap;
};
