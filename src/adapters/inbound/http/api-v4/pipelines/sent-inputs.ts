import type { CiMap } from '../../../../../domain/pipelines/ci-file/ci-value.js';
import { inputsIn, MOST_INPUTS } from '../../../../../domain/pipelines/ci-file/inputs.js';
import { HttpError } from '../../http-error.js';
import { anyJson } from '../../validation/parameters.js';

export const INPUT_MAP = anyJson(
  `What the CI file is given for what its header asks for, as \`inputs[name]=value\` or in JSON: at most ${MOST_INPUTS}`,
);

/** @throws HttpError 400 for what is no map, has too much in it, or is nested too deeply. */
export const sentInputs = (sent: unknown): CiMap => {
  const inputs = sent === undefined ? new Map() : inputsIn(sent);
  if (inputs === undefined) throw new HttpError(400, `inputs needs to be a map of at most ${MOST_INPUTS} values`);
  return inputs;
};
