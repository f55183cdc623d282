import { filledOnce, nothing } from '../variables-in-text.js';
import type { CiConfig, CiRule } from './ci-config.js';
import type { Variables } from './expression.js';

/** Each is another comparison of two commits. */
export const MOST_COMPARED = 5;
const LONGEST = 1_024;

/**
 * What the rules of a file compare to whose `if` holds, as they name it, with the name that it has under these variables. The others are not
 * asked: what they name may not be there, as the target of a merge request where there is none.
 */
export const comparedRefs = (
  { workflow, jobs, variables: global }: Pick<CiConfig, 'workflow' | 'jobs' | 'variables'>,
  known: Variables,
): ReadonlyMap<string, string> => {
  const values = new Map([...global, ...known]);
  const asked = [
    ...namedIn(workflow ?? [], values),
    ...jobs.flatMap((job) => namedIn(job.rules ?? [], new Map([...global, ...job.variables, ...known]))),
  ];
  return new Map(asked.map((text) => [text, filledOnce(text, values, { most: LONGEST, unknown: nothing })]));
};

const namedIn = (rules: readonly CiRule[], values: Variables): readonly string[] =>
  rules.filter(({ condition }) => condition === null || condition(values)).flatMap(({ compareTo }) => compareTo ?? []);
