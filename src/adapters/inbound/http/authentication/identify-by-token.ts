import type { Request } from 'express';
import type { JobTokens } from '../../../../application/pipelines/job-tokens.js';
import type { Actor } from '../../../../application/shared/actor.js';
import { JOB_USERNAME } from '../../../../domain/pipelines/ci-job.js';
import { TokenScopeInsufficient, Unauthenticated } from '../../../../domain/shared/domain-error.js';
import type { ProjectId } from '../../../../domain/shared/identifiers.js';
import { sufficientScopes } from '../route.js';
import { identify, type CallerServices } from './admit-caller.js';
import { isGiven, presentedBasic, presentedToken, severalTokens, TOKEN_PARAMETERS } from './presented-token.js';

/** Who asks for a file of a repository by a token. */
export interface TokenCaller {
  readonly actor: Actor;
  /** Of a job: it asks in the name of its user, and opens this project alone. */
  readonly projectId?: ProjectId;
}

/** Undefined for a request without any token. */
export type IdentifyByToken = (request: Request) => Promise<TokenCaller | undefined>;

export interface TokenCallerParts extends Pick<CallerServices, 'identifyActor' | 'limitRequests'> {
  readonly jobTokens: Pick<JobTokens, 'readerBy'>;
}

const SCOPES = sufficientScopes({ method: 'get', scopes: ['read_repository'] });

const IN_HEADERS = ['private-token', 'job-token'];

/** A browser, which has cookies, sends along what a proxy before the service asked it for. */
const basicOf = (request: Request): ReturnType<typeof presentedBasic> =>
  request.headers.cookie === undefined ? presentedBasic(request) : undefined;

/** Whether a request brings any, be it good, bad, or one of several. */
const bringsToken = (request: Request): boolean => {
  const { headers, query } = request;
  return (
    IN_HEADERS.some((name) => isGiven(headers[name])) ||
    TOKEN_PARAMETERS.some((name) => isGiven(query[name])) ||
    /^Bearer\b/i.test(headers.authorization ?? '') ||
    basicOf(request) !== undefined
  );
};

/** The password of Basic is a token, whatever the name, as git sends it; with the name that all jobs have it is that of a job. */
const tokenOf = (request: Request) => {
  const [token, basic] = [presentedToken(request), basicOf(request)];
  if (basic === undefined || basic.name === JOB_USERNAME) return token;
  if (token !== undefined && token.secret !== basic.secret) throw severalTokens();
  return token ?? { secret: basic.secret, kind: 'bearer' as const };
};

const jobTokenOf = (request: Request): string | undefined => {
  const { headers, query } = request;
  const basic = basicOf(request);
  const given = [headers['job-token'], query['job_token'], basic?.name === JOB_USERNAME ? basic.secret : undefined];
  return given.find((each) => typeof each === 'string' && each !== '') as string | undefined;
};

/**
 * Who asks for a file that programs fetch as they call the API: with the same tokens, limits and refusals, and with those of jobs that run. A
 * token that is not good is refused, and never counts for nobody.
 *
 * @throws Unauthenticated, TokenInvalid, TokenScopeInsufficient, Forbidden, TooManyRequests; HttpError 400 for several tokens.
 */
export const createIdentifyByToken =
  ({ jobTokens, ...services }: TokenCallerParts): IdentifyByToken =>
  async (request) => {
    if (!bringsToken(request)) return undefined;
    const actor = await identify(request, services, tokenOf);
    if (actor.kind === 'user') {
      const { credential } = actor;
      if (credential.kind !== 'session' && !credential.scopes.some((scope) => SCOPES.includes(scope)))
        throw new TokenScopeInsufficient(SCOPES);
      return { actor };
    }
    const job = await jobTokens.readerBy(jobTokenOf(request) ?? '');
    if (job === undefined) throw new Unauthenticated();
    return { actor: job.actor, projectId: job.projectId };
  };
