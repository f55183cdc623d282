import type { Request } from 'express';
import type { Authenticate, PresentedToken } from '../../../../application/identity/authenticate.js';
import type { Actor, UserActor } from '../../../../application/shared/actor.js';
import { Forbidden, TokenScopeInsufficient, Unauthenticated } from '../../../../domain/shared/domain-error.js';
import { recognize } from '../../../occasions/current-occasion.js';
import { HttpError } from '../http-error.js';
import { presentedToken } from './presented-token.js';

/** @param token the one that the request brings, where it may be elsewhere than the API looks. */
export type IdentifyActor = (request: Request, token?: PresentedToken) => Promise<Actor>;

/** The user of a signed-in browser, where the request may act for it; see the pages. */
export type IdentifyBySession = (request: Request) => Promise<Actor>;

/** Writes down that an administrator acts as somebody else. */
export type NoteSudo = (impersonated: UserActor) => Promise<void>;

/** @throws HttpError 400 for more than one, or none that can be read: to act as nobody else then would be to act as oneself. */
const sudoTarget = (request: Request): string | undefined => {
  // Only where there is one: the other object is made when it is asked for.
  const inHeader: readonly unknown[] =
    request.headers['sudo'] === undefined ? [] : (request.headersDistinct['sudo'] ?? []);
  const inFields = [request.query, request.body as object | undefined]
    .filter((fields) => fields !== undefined && Object.hasOwn(fields, 'sudo'))
    .map((fields) => (fields as Record<string, unknown>)['sudo']);
  const [target, ...others] = [...inHeader, ...inFields];
  if (target === undefined) return undefined;
  if (others.length > 0 || (typeof target !== 'string' && typeof target !== 'number'))
    throw new HttpError(400, 'sudo is invalid');
  return String(target);
};

const refuseSudo = (actor: Actor): UserActor => {
  if (actor.kind === 'anonymous') throw new Unauthenticated();
  if (!actor.admin) throw new Forbidden('Must be admin to use sudo');
  if (actor.credential.kind === 'session') {
    throw new Forbidden('Must be authenticated using an OAuth or Personal Access Token to use sudo');
  }
  if (!actor.credential.scopes.includes('sudo')) throw new TokenScopeInsufficient(['sudo']);
  return actor;
};

/** Who asks: by token, else by the session of a browser; then in whose name, where an administrator uses sudo. */
export const createIdentifyActor =
  (authenticate: Authenticate, bySession: IdentifyBySession, noteSudo: NoteSudo): IdentifyActor =>
  async (request, token = presentedToken(request)) => {
    const actor = token === undefined ? await bySession(request) : await authenticate.byToken(token);
    const target = sudoTarget(request);
    if (target === undefined) {
      recognize(actor);
      return actor;
    }
    const impersonated = await authenticate.impersonate(refuseSudo(actor), target);
    recognize(impersonated);
    await noteSudo(impersonated);
    return impersonated;
  };
