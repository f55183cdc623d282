import type { CiMap, CiValue } from '../../../../../domain/pipelines/ci-file/ci-value.js';
import { MOST_INPUTS, textOf } from '../../../../../domain/pipelines/ci-file/inputs.js';
import type { InputChanges } from '../../../../../domain/pipelines/given-by-schedule.js';
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

/** Whether a line can hold it: nothing of several lines, nor with spaces around it. */
const fitsLine = (value: CiValue): boolean => !/[\r\n]/.test(textOf(value)) && textOf(value) === textOf(value).trim();

/** Those that lines can hold. */
export const inputLines = (inputs: CiMap): string =>
  [...inputs].flatMap(([name, value]) => (fitsLine(value) ? [`${name}=${textOf(value)}`] : [])).join('\n');

/** The names of the others. */
export const inputsBeside = (inputs: CiMap): readonly string[] =>
  [...inputs].flatMap(([name, value]) => (fitsLine(value) ? [] : [name]));

/** What the field says otherwise than these; nothing where it is as it was. @throws Invalid at `inputs`. */
export const inputChangesInForm = (context: PageContext, before: CiMap): InputChanges | undefined => {
  if (textField(context, 'inputs').trim() === inputLines(before).trim()) return undefined;
  const sent = inputsInForm(context);
  const beside = inputsBeside(before);
  const set = new Map([...sent].filter(([name, text]) => !before.has(name) || textOf(before.get(name)!) !== text));
  return { set, removed: [...before.keys()].filter((name) => !sent.has(name) && !beside.includes(name)) };
};

const wrong = (problem: string): Invalid => new Invalid({ inputs: [problem] });
