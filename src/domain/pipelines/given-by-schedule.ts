import { Invalid } from '../shared/domain-error.js';
import { ProblemCollector } from '../shared/problem-collector.js';
import type { CiMap } from './ci-file/ci-value.js';
import { MOST_INPUTS, problemOfGiven } from './ci-file/inputs.js';
import { isGivenKey, MAX_GIVEN_VALUE, MOST_GIVEN_VARIABLES } from './given-variable.js';
import type { CiValue } from './predefined-variables.js';

/** What a schedule gives the CI file otherwise than before; what isn't named stays. */
export interface InputChanges {
  readonly set: CiMap;
  readonly removed: readonly string[];
}

/** @throws Invalid at `inputs`. */
export const changedInputs = (before: CiMap, { set, removed }: InputChanges): CiMap => {
  const problem = [...set].map(([name, value]) => problemOfGiven(name, value)).find((each) => each !== undefined);
  if (problem !== undefined) throw new Invalid({ inputs: [problem] });
  const after = new Map([...before, ...set]);
  for (const name of removed) after.delete(name);
  if (after.size > MOST_INPUTS) throw new Invalid({ inputs: [`are at most ${MOST_INPUTS}`] });
  return after;
};

/** @param attribute where one too many is told. */
export const tooManyVariables = (attribute: string): Invalid =>
  new Invalid({ [attribute]: [`At most ${MOST_GIVEN_VARIABLES} variables can be given`] });

/** @throws Invalid at `key` and `value`. */
export const checkVariable = ({ key, value }: CiValue): void =>
  new ProblemCollector()
    .check(isGivenKey(key), 'key', "can contain only letters, digits and '_', at most 255 of them.")
    .check(value.length <= MAX_GIVEN_VALUE, 'value', `is too long (maximum is ${MAX_GIVEN_VALUE} characters)`)
    .refuse();

/** @throws Invalid at `variables`, `key` and `value`. */
export const checkVariables = (variables: readonly CiValue[]): void => {
  if (variables.length > MOST_GIVEN_VARIABLES) throw tooManyVariables('variables');
  variables.forEach(checkVariable);
  if (new Set(variables.map(({ key }) => key)).size < variables.length)
    throw new Invalid({ variables: ['have a key more than once'] });
};
