import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobVariable } from './job.js';

export type Variables = Readonly<Record<string, string>>;

/** What one value may grow to: more than that no process could be given. */
const LONGEST_VALUE = 100_000;
const REFERENCE = /\$(?:\$|\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))/g;

/** `$NAME` and `${NAME}` are the values of other variables, `$$` is a dollar sign. One that would grow too long stays as it is. */
const expand = (value: string, variables: ReadonlyMap<string, string>): string => {
  let length = value.length;
  const expanded = value.replaceAll(REFERENCE, (_, braced?: string, bare?: string) => {
    const name = braced ?? bare;
    const put = name === undefined ? '$' : (variables.get(name) ?? '');
    length += put.length;
    return length > LONGEST_VALUE ? '' : put;
  });
  return length > LONGEST_VALUE ? value : expanded;
};

/** The same by variables that are laid out. */
export const expandBy = (value: string, variables: Variables): string =>
  expand(value, new Map(Object.entries(variables)));

/**
 * The variables of a job as its processes are given them; of several with one name the last counts.
 * @param folder where the files of file variables are written, for the user of the runner alone.
 */
export const layOutVariables = async (given: readonly JobVariable[], folder: string): Promise<Variables> => {
  const last = new Map(given.map((variable) => [variable.key, variable]));
  const shown = new Map([...last].map(([key, { file, value }]) => [key, file ? join(folder, key) : value]));
  const variables: Record<string, string> = {};
  for (const [key, { file, raw, value }] of last) {
    const content = raw ? value : expand(value, shown);
    if (file) await writeFile(join(folder, key), content, { mode: 0o600 });
    variables[key] = file ? join(folder, key) : content;
  }
  return variables;
};

/** What no log may show: masked values as they are and as they are expanded, in files too. */
export const secretsOf = (given: readonly JobVariable[]): readonly string[] => {
  const values = new Map(given.map(({ key, value }) => [key, value]));
  return given
    .filter(({ masked }) => masked)
    .flatMap(({ value, raw }) => (raw ? [value] : [value, expand(value, values)]));
};
