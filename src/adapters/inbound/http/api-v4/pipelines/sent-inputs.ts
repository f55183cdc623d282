import { valueOfJson, type CiMap, type CiValue } from '../../../../../domain/pipelines/ci-file/ci-value.js';
import { inputsIn, MOST_INPUTS } from '../../../../../domain/pipelines/ci-file/inputs.js';
import type { InputChanges } from '../../../../../domain/pipelines/given-by-schedule.js';
import { Invalid } from '../../../../../domain/shared/domain-error.js';
import { HttpError } from '../../http-error.js';
import { anyJson, jsonList } from '../../validation/parameters.js';

export const INPUT_MAP = anyJson(
  `What the CI file is given for what its header asks for, as \`inputs[name]=value\` or in JSON: at most ${MOST_INPUTS}`,
);

/** Of a schedule; where it is made, none of them is there to be removed. */
export const INPUT_LIST = jsonList(
  MOST_INPUTS,
  'What the CI file is given: `name` and `value` of each; with `destroy: true` it is given that no more',
);

/** @throws Invalid at `inputs`. */
export const sentInputChanges = (sent: readonly unknown[]): InputChanges => {
  const set = new Map<string, CiValue>();
  const removed: string[] = [];
  for (const each of sent) {
    const { name, value, destroy } = (each ?? {}) as Readonly<Record<string, unknown>>;
    const read = valueOfJson(value ?? null);
    const goes = destroy === true || destroy === 'true';
    if (typeof name !== 'string' || read === undefined || (read === null && !goes))
      throw new Invalid({ inputs: ['need a `name` and a `value` each'] });
    if (goes) removed.push(name);
    else set.set(name, read);
  }
  return { set, removed };
};

/** @throws HttpError 400 for what is no map, has too much in it, or is nested too deeply. */
export const sentInputs = (sent: unknown): CiMap => {
  const inputs = sent === undefined ? new Map() : inputsIn(sent);
  if (inputs === undefined) throw new HttpError(400, `inputs needs to be a map of at most ${MOST_INPUTS} values`);
  return inputs;
};
