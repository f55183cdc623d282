import { ProblemCollector } from '../shared/problem-collector.js';
import { valuesByKey, type CiValue } from './predefined-variables.js';
import { filledIn, nothing } from './variables-in-text.js';

/** Characters. */
export const MOST_OF_PIPELINE_NAME = 255;

const tooLong = `is too long (maximum is ${MOST_OF_PIPELINE_NAME} characters)`;

/** What a pipeline is called by its CI file under these values, or what is wrong with that; one that comes to nothing has no name. */
export const nameUnder = (
  written: string | null,
  values: readonly CiValue[],
): { readonly name: string | null } | { readonly problem: string } => {
  if (written === null) return { name: null };
  const known = valuesByKey(values);
  // Filled in beyond what it may have, so that what is too long is told and not cut; spaces around it don't count.
  const name = filledIn(written, known, { most: LONGEST_FILLED, unknown: nothing }).trim();
  if (name.length > MOST_OF_PIPELINE_NAME) return { problem: `workflow:name ${tooLong}` };
  return { name: name === '' ? null : name };
};

const LONGEST_FILLED = 10_000;

/** What somebody calls a pipeline, without the spaces around it. @throws Invalid at `name`. */
export const checkedPipelineName = (sent: string): string => {
  const name = sent.trim();
  new ProblemCollector()
    .check(name !== '', 'name', "can't be blank")
    .check(name.length <= MOST_OF_PIPELINE_NAME, 'name', tooLong)
    .refuse();
  return name;
};
