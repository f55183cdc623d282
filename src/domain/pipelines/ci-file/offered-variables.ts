import { isList, isMap, type CiValue } from './ci-value.js';
import type { Entry } from './entry.js';

/** A variable of the file that it tells people of, who may choose another value for a pipeline. */
export interface OfferedVariable {
  readonly key: string;
  readonly value: string;
  readonly description: string | null;
  /** The only values that it may have; null for any. */
  readonly options: readonly string[] | null;
}

const MOST_OPTIONS = 100;
const LONGEST_OPTION = 1_024;

/** What is wrong with the `options` of a variable; undefined where nothing is, or there are none. */
export const optionProblem = (said: CiValue): string | undefined => {
  const listed = isMap(said) ? (said.get('options') ?? null) : null;
  if (listed === null) return undefined;
  const options = optionsOf(said);
  if (options === null)
    return `its \`options\` should be strings, ${MOST_OPTIONS} of ${LONGEST_OPTION} characters at most`;
  return options.includes(textOf(valueIn(said)) ?? '') ? undefined : 'its `value` should be one of its `options`';
};

/** Those that have a description, or options. @param entry the variables of a file, which were read. */
export const offeredVariablesOf = (
  entry: Entry | undefined,
  values: ReadonlyMap<string, string>,
): readonly OfferedVariable[] => {
  const said = isMap(entry?.value) ? entry.value : [];
  return [...said].flatMap(([key, each]) => {
    const description = (isMap(each) ? textOf(each.get('description') ?? null) : undefined) ?? null;
    const options = optionsOf(each);
    return description === null && options === null
      ? []
      : [{ key, value: values.get(key) ?? '', description, options }];
  });
};

/** What is wrong with values that somebody chose. */
export const problemsOfChosen = (
  offered: readonly OfferedVariable[],
  chosen: readonly { readonly key: string; readonly value: string }[],
): readonly string[] =>
  chosen.flatMap(({ key, value }) => {
    const options = offered.find((each) => each.key === key)?.options ?? null;
    return options === null || options.includes(value)
      ? []
      : [`The variable \`${key}\` should be one of its options: ${options.join(', ')}`];
  });

const valueIn = (said: CiValue): CiValue => (isMap(said) ? (said.get('value') ?? null) : said);

const textOf = (value: CiValue): string | undefined => {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? value : undefined;
};

const optionsOf = (said: CiValue): readonly string[] | null => {
  const listed = isMap(said) ? (said.get('options') ?? null) : null;
  if (!isList(listed) || listed.length === 0 || listed.length > MOST_OPTIONS) return null;
  const texts = listed.map(textOf).filter((text) => text !== undefined && text.length <= LONGEST_OPTION);
  return texts.length === listed.length ? (texts as string[]) : null;
};
