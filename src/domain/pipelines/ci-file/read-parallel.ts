import type { CiMatrix } from './ci-config.js';
import { isList, isMap } from './ci-value.js';
import type { Entry } from './entry.js';

const MOST_PARALLEL = 200;
const MOST_VARIABLES = 50;
const LONGEST_VALUE = 1_024;

/** A number, or a matrix. */
export const parallelOf = (entry: Entry | undefined): number | CiMatrix | undefined => {
  if (entry === undefined) return undefined;
  if (typeof entry.value === 'number') return entry.integer(1, MOST_PARALLEL);
  if (!isMap(entry.value)) return entry.error('config should be an integer or a hash');
  return matrixOf(entry);
};

/** @param entry what has a `matrix`. */
export const matrixOf = (entry: Entry): CiMatrix | undefined => {
  entry.knows(new Set(['matrix']));
  const matrix = entry.at('matrix');
  if (matrix === undefined || !isList(matrix.value)) return entry.error('config should have a list as `matrix`');
  const lines = matrix.entries(MOST_PARALLEL, 'an array of hashes')?.flatMap((each) => lineOf(each) ?? []) ?? [];
  const jobs = lines.reduce((sum, line) => sum + [...line.values()].reduce((all, { length }) => all * length, 1), 0);
  if (jobs > MOST_PARALLEL) return matrix.error(`config generates too many jobs (maximum is ${MOST_PARALLEL})`);
  return lines;
};

const lineOf = (entry: Entry): ReadonlyMap<string, readonly string[]> | undefined => {
  const said = entry.map('an array of hashes');
  if (said === undefined || said.size > MOST_VARIABLES) return undefined;
  const line = new Map<string, readonly string[]>();
  for (const key of said.keys()) {
    const values = entry.at(key)?.texts({ most: MOST_PARALLEL, alone: true, booleans: true });
    if (values === undefined || values.length === 0)
      return entry.error('config: each variable should have at least one value');
    if (values.some((value) => value.length > LONGEST_VALUE))
      return entry.error(`config: a value of \`${key.slice(0, 255)}\` is longer than ${LONGEST_VALUE} characters`);
    if (!/^\w{1,255}$/.test(key)) return entry.error(`config: \`${key}\` can't be the name of a variable`);
    line.set(key, values);
  }
  return line.size === 0 ? undefined : line;
};
