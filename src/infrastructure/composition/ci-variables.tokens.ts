import type { CiVariables } from '../../application/ci-variables/ci-variables.js';
import { token } from './token.js';

export const CI_VARIABLE_TOKENS = {
  /** A `CiVariableSource`, too. */
  ciVariables: token<CiVariables>('CiVariables'),
} as const;
