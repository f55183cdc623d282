import type { Request } from 'express';
import type { Authenticate } from '../../../../application/identity/authenticate.js';
import type { MatchedPassword } from '../../../../application/identity/operations/matched-password.js';
import type { SignIn } from '../../../../application/identity/sign-in.js';
import type { DeployTokens } from '../../../../application/keys/deploy-tokens.js';
import type { Machines } from '../../../../application/keys/machines.js';
import type { JobTokens } from '../../../../application/pipelines/job-tokens.js';
import { ANONYMOUS, type UserActor } from '../../../../application/shared/actor.js';
import { JOB_USERNAME } from '../../../../domain/pipelines/ci-job.js';
import { Forbidden, TokenInvalid, TooManyRequests, Unauthenticated } from '../../../../domain/shared/domain-error.js';
import type { Scope } from '../../../../domain/shared/scope.js';
import { presentedBasic } from '../authentication/presented-token.js';
import type { LimitSignIn } from '../middleware/sign-in-limit.js';
import { isStorable } from '../validation/storable-text.js';
import type { GitCaller } from '../../git/git-caller.js';
import { accessDenied, GitRefusal } from '../../git/git-refusal.js';

export interface GitCallerParts {
  readonly authenticate: Authenticate;
  readonly signIn: SignIn;
  readonly deployTokens: DeployTokens;
  readonly machines: Machines;
  readonly jobTokens: JobTokens;
  readonly limitSignIn: LimitSignIn;
}

const READING: readonly Scope[] = ['api', 'read_api', 'read_repository', 'write_repository'];
const WRITING: readonly Scope[] = ['api', 'write_repository'];
const NOBODY: GitCaller = { actor: ANONYMOUS, mayRead: true, mayWrite: false, again: () => Promise.resolve(NOBODY) };

interface Credentials {
  readonly name: string;
  readonly secret: string;
}

/** @throws GitRefusal 401 for a header that is no Basic, or has no password. */
const credentialsOf = (request: Request): Credentials | undefined => {
  if (request.headers.authorization === undefined) return undefined;
  const basic = presentedBasic(request);
  if (basic === undefined || basic.secret === '' || !isStorable(basic.name + basic.secret)) throw accessDenied();
  return basic;
};

/**
 * Who a request of git comes from. Git sends Basic: a token as the password with any name, a deploy token with its own, that of a job with
 * a name that all of them have, or a name with a password.
 * @throws GitRefusal 401, or 403 for who tried too many passwords.
 */
export const createIdentifyGitCaller = (parts: GitCallerParts) => {
  const { authenticate, signIn, deployTokens, machines, jobTokens, limitSignIn } = parts;

  const byToken = async (credentials: Credentials): Promise<GitCaller | undefined> => {
    try {
      const actor = await authenticate.byToken({ secret: credentials.secret, kind: 'bearer' });
      const scopes = actor.credential.kind === 'session' ? [] : actor.credential.scopes;
      return {
        actor,
        mayRead: scopes.some((scope) => READING.includes(scope)),
        mayWrite: scopes.some((scope) => WRITING.includes(scope)),
        again: () => still(byToken, credentials),
      };
    } catch (error) {
      if (error instanceof Unauthenticated) return undefined;
      // Expired, revoked, or of somebody who is blocked.
      if (error instanceof TokenInvalid || error instanceof Forbidden) throw accessDenied();
      throw error;
    }
  };

  const byDeployToken = async (credentials: Credentials): Promise<GitCaller | undefined> => {
    const token = await deployTokens.recognize(credentials.name, credentials.secret);
    return token && { machine: machines.ofToken(token), again: () => still(byDeployToken, credentials) };
  };

  const byJobToken = async (credentials: Credentials): Promise<GitCaller | undefined> => {
    const machine = credentials.name === JOB_USERNAME ? await jobTokens.recognize(credentials.secret) : undefined;
    return machine && { machine, again: () => still(byJobToken, credentials) };
  };

  const byPassword = async (request: Request, { name, secret }: Credentials): Promise<GitCaller> => {
    const result = await signIn.byPassword(name, await offer(limitSignIn, request, secret));
    // The second factor can't be asked for here.
    if (result.outcome === 'second_factor_needed') throw accessDenied('final');
    if (result.outcome !== 'signed_in') throw accessDenied();
    return ofPassword(result);
  };

  const ofPassword = async (matched: MatchedPassword): Promise<GitCaller> => {
    const user = await signIn.ownerOf(matched);
    if (user === undefined) throw accessDenied();
    const { id, username, admin } = user;
    // As good as a session: the account itself, and no token of it.
    const actor: UserActor = { kind: 'user', id, username, admin, credential: { kind: 'session' } };
    return { actor, mayRead: true, mayWrite: true, again: () => ofPassword(matched) };
  };

  return async (request: Request): Promise<GitCaller> => {
    const credentials = credentialsOf(request);
    if (credentials === undefined) return NOBODY;
    const known = (await byToken(credentials)) ?? (await byDeployToken(credentials)) ?? (await byJobToken(credentials));
    return known ?? byPassword(request, credentials);
  };
};

export type IdentifyGitCaller = ReturnType<typeof createIdentifyGitCaller>;

/** The same that a credential was known by before. */
const still = async (
  identify: (credentials: Credentials) => Promise<GitCaller | undefined>,
  credentials: Credentials,
): Promise<GitCaller> => {
  const caller = await identify(credentials);
  if (caller === undefined) throw accessDenied();
  return caller;
};

const offer = async (limitSignIn: LimitSignIn, request: Request, secret: string) => {
  try {
    return (await limitSignIn(request))(secret);
  } catch (error) {
    if (!(error instanceof TooManyRequests)) throw error;
    const headers = { 'Retry-After': String(error.retryAfterSeconds) };
    throw new GitRefusal(403, 'Too many failed sign-ins from this address. Try again later.', headers);
  }
};
