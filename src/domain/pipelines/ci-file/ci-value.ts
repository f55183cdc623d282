/** What a CI file says before anybody asks what it means. Mappings are maps, so that no key can be taken for something else. */
export type CiValue = null | boolean | number | string | CiList | CiMap | CiReference;
export type CiList = readonly CiValue[];
export type CiMap = ReadonlyMap<string, CiValue>;

/** `!reference [job, key]`: what stands there. */
export class CiReference {
  constructor(readonly path: readonly string[]) {}
}

/** What stands for a text that is a key, or a value by itself. */
export type Fill = (text: string) => CiValue;

/**
 * Reads YAML, in a time that its bounds on text and structure keep short.
 * @param fill what is put into texts once it is known where they end; what stands without quotes is read as if it were written there.
 */
export type ReadYaml = (text: string, fill?: Fill) => { readonly value: CiValue } | { readonly problem: string };

export const isMap = (value: CiValue | undefined): value is CiMap => value instanceof Map;
export const isList = (value: CiValue | undefined): value is CiList => Array.isArray(value);

/** What can be written as JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export const jsonOf = (value: CiValue): Json => {
  if (isList(value)) return value.map(jsonOf);
  if (value instanceof CiReference) return [...value.path];
  // Made of entries, `__proto__` is a key as any other.
  if (isMap(value)) return Object.fromEntries([...value].map(([key, each]) => [key, jsonOf(each)]));
  return value as Exclude<CiValue, CiList | CiMap | CiReference>;
};

const DEEPEST_JSON = 20;

/** What was read of JSON; undefined for what is nested too deeply, or can't be said in JSON. */
export const valueOfJson = (json: unknown, level = 0): CiValue | undefined => {
  if (json === null || typeof json === 'string' || typeof json === 'boolean') return json;
  if (typeof json === 'number') return Number.isFinite(json) ? json : undefined;
  if (typeof json !== 'object' || level >= DEEPEST_JSON) return undefined;
  const entries = Object.entries(json).map(([key, each]) => [key, valueOfJson(each, level + 1)] as const);
  if (!entries.every((entry): entry is readonly [string, CiValue] => entry[1] !== undefined)) return undefined;
  return Array.isArray(json) ? entries.map(([, each]) => each) : new Map(entries);
};

const MOST_VALUES = 100_000;
const MOST_CHARACTERS = 2_000_000;
const DEEPEST = 40;

interface Size {
  readonly values: number;
  readonly characters: number;
  readonly depth: number;
}
const BEYOND: Size = { values: Infinity, characters: Infinity, depth: Infinity };
const sizeOfOne = (value: CiValue): Size => ({
  values: 1,
  characters: typeof value === 'string' ? value.length : 1,
  depth: 0,
});

/**
 * Whether a value is small enough to be walked through, with what anchors, `extends` and references repeat counted each time: that is
 * how often whoever walks comes by.
 */
export const isBounded = (value: CiValue): boolean => {
  const sizes = new Map<CiValue, Size>();
  const sizeOf = (each: CiValue, level: number): Size => {
    if (!isList(each) && !isMap(each)) return sizeOfOne(each);
    if (level > DEEPEST) return BEYOND;
    const known = sizes.get(each);
    if (known !== undefined) return known;
    // Whoever comes by before it is measured is inside of it: it has no end.
    sizes.set(each, BEYOND);
    let [values, characters, depth] = [1, 0, 0];
    for (const [key, inner] of each.entries()) {
      const size = sizeOf(inner, level + 1);
      values += size.values;
      characters += size.characters + String(key).length;
      depth = Math.max(depth, size.depth + 1);
    }
    const size = { values, characters, depth };
    sizes.set(each, size);
    return size;
  };
  const { values, characters, depth } = sizeOf(value, 0);
  return values <= MOST_VALUES && characters <= MOST_CHARACTERS && depth <= DEEPEST;
};

/** The second over the first: mappings become one, all else is replaced. */
export const deepMerge = (below: CiMap, above: CiMap): CiMap => {
  const merged = new Map(below);
  for (const [key, value] of above) {
    const under = merged.get(key);
    merged.set(key, isMap(under) && isMap(value) ? deepMerge(under, value) : value);
  }
  return merged;
};
