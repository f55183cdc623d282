import { isGivenKey, MAX_GIVEN_VALUE, MOST_GIVEN_VARIABLES } from '../../../../../domain/pipelines/given-variable.js';
import type { CiValue } from '../../../../../domain/pipelines/predefined-variables.js';
import { Invalid } from '../../../../../domain/shared/domain-error.js';
import { textField } from '../frame/form-page.js';
import type { PageContext } from '../page-context.js';

/** One a line, as in `COLOR=red`. @throws Invalid at `variables`. */
export const variablesIn = (context: PageContext): readonly CiValue[] => {
  const lines = textField(context, 'variables')
    .split('\n')
    .filter((line) => line.trim() !== '');
  if (lines.length > MOST_GIVEN_VARIABLES) throw wrong(`are at most ${MOST_GIVEN_VARIABLES}`);
  return lines.map((line) => {
    const end = line.indexOf('=');
    const [key, value] = [line.slice(0, end).trim(), line.slice(end + 1)];
    if (end < 0 || !isGivenKey(key))
      throw wrong(`need a key of letters, digits and _ before a = in each line: ${line.slice(0, 80)}`);
    if (value.length > MAX_GIVEN_VALUE) throw wrong(`have at most ${MAX_GIVEN_VALUE} characters each`);
    return { key, value };
  });
};

const wrong = (problem: string): Invalid => new Invalid({ variables: [problem] });

/** Whether a line can hold it: no file, and nothing of several lines. */
export const fitsLine = ({ value, file }: CiValue): boolean => file !== true && !/[\r\n]/.test(value);

export const linesOf = (variables: readonly CiValue[]): string =>
  variables.map(({ key, value }) => `${key}=${value}`).join('\n');
