import type { Request } from 'express';
import { presentedBasic } from './presented-token.js';

/** Tokens of machines that the head of a request brings: most routes take none. */
export interface MachineTokens {
  /** Of a CI job. */
  readonly jobToken?: string | undefined;
  /** A deploy token, or what Basic says, which may be one: that alone has a name. */
  readonly deployToken?: { readonly name?: string; readonly secret: string } | undefined;
}

const deployTokenOf = (request: Request): MachineTokens['deployToken'] => {
  const secret = request.get('DEPLOY-TOKEN');
  return secret === undefined ? presentedBasic(request) : { secret };
};

export const machineTokensOf = (request: Request): MachineTokens => ({
  jobToken: request.get('JOB-TOKEN'),
  deployToken: deployTokenOf(request),
});
