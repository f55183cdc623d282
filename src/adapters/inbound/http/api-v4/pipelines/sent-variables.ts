import { isGivenKey, MAX_GIVEN_VALUE, MOST_GIVEN_VARIABLES } from '../../../../../domain/pipelines/given-variable.js';
import type { CiValue } from '../../../../../domain/pipelines/predefined-variables.js';
import { Invalid } from '../../../../../domain/shared/domain-error.js';
import { HttpError } from '../../http-error.js';
import { anyJson, jsonList } from '../../validation/parameters.js';
import { isStorable } from '../../validation/storable-text.js';

export const VARIABLE_LIST = jsonList(
  MOST_GIVEN_VARIABLES,
  'What its jobs get beside what is kept for them: `key`, `value` and `variable_type`',
);

export const VARIABLE_MAP = anyJson(
  `What its jobs get beside what is kept for them, as \`variables[KEY]=value\`: at most ${MOST_GIVEN_VARIABLES}`,
);

/** @throws Invalid. */
export const variableIn = (sent: unknown): CiValue => {
  const { key, value, variable_type: type = 'env_var' } = (sent ?? {}) as Readonly<Record<string, unknown>>;
  const fits =
    typeof key === 'string' && isGivenKey(key) && typeof value === 'string' && value.length <= MAX_GIVEN_VALUE;
  if (!fits || !isStorable(value) || (type !== 'env_var' && type !== 'file'))
    throw new Invalid({ base: ['Variables are invalid'] });
  return { key, value, ...(type === 'file' && { file: true }) };
};

/** @throws HttpError 400 for what is no map of texts; Invalid. */
export const variablesInMap = (sent: unknown): readonly CiValue[] => {
  if (sent === undefined) return [];
  const isMap = typeof sent === 'object' && sent !== null && !Array.isArray(sent);
  const entries = isMap ? Object.entries(sent as Readonly<Record<string, unknown>>) : [];
  if (!isMap || entries.some(([, value]) => typeof value !== 'string'))
    throw new HttpError(400, 'variables needs to be a map of key-valued strings');
  if (entries.length > MOST_GIVEN_VARIABLES)
    throw new Invalid({ base: [`At most ${MOST_GIVEN_VARIABLES} variables can be given`] });
  return entries.map(([key, value]) => variableIn({ key, value }));
};
