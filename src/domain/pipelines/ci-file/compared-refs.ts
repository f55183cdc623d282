import { filledOnce, nothing } from '../variables-in-text.js';
import type { CiConfig } from './ci-config.js';
import type { Variables } from './expression.js';

/** Each is another comparison of two commits. */
export const MOST_COMPARED = 5;
const LONGEST = 1_024;

/** What the rules of a file compare to, as they name it, with the name that it has under these variables. */
export const comparedRefs = (
  { workflow, jobs, variables: global }: Pick<CiConfig, 'workflow' | 'jobs' | 'variables'>,
  known: Variables,
): ReadonlyMap<string, string> => {
  const rules = [...(workflow ?? []), ...jobs.flatMap((job) => job.rules ?? [])];
  const values = new Map([...global, ...known]);
  const named = rules.flatMap(({ compareTo }) => compareTo ?? []);
  return new Map(named.map((text) => [text, filledOnce(text, values, { most: LONGEST, unknown: nothing })]));
};
