import type { CiMap } from '../../../../../domain/pipelines/ci-file/ci-value.js';
import { MOST_INPUTS } from '../../../../../domain/pipelines/ci-file/inputs.js';
import { Invalid } from '../../../../../domain/shared/domain-error.js';
import { textField } from '../frame/form-page.js';
import type { PageContext } from '../page-context.js';

/** One a line, as in `stage=deploy`. @throws Invalid at `inputs`. */
export const inputsInForm = (context: PageContext): CiMap => {
  const lines = textField(context, 'inputs')
    .split('\n')
    .filter((line) => line.trim() !== '');
  if (lines.length > MOST_INPUTS) throw wrong(`are at most ${MOST_INPUTS}`);
  return new Map(
    lines.map((line) => {
      const end = line.indexOf('=');
      if (end < 1) throw wrong(`need a name before a = in each line: ${line.slice(0, 80)}`);
      return [line.slice(0, end).trim(), line.slice(end + 1).trim()];
    }),
  );
};

const wrong = (problem: string): Invalid => new Invalid({ inputs: [problem] });
