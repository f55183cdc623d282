import type { Request } from 'express';
import type { PresentedToken } from '../../../../application/identity/authenticate.js';
import type { Actor } from '../../../../application/shared/actor.js';
import {
  Forbidden,
  TokenInvalid,
  TokenScopeInsufficient,
  Unauthenticated,
} from '../../../../domain/shared/domain-error.js';
import type { LargeBodies } from '../body/large-bodies.js';
import {
  API_FORMATS,
  hasBody,
  ORDINARY_BODY,
  readBody,
  readFiles,
  SMALL_BODY,
  type BodyBounds,
} from '../body/read-body.js';
import { keepFiles } from '../body/sent-files.js';
import type { LimitRequests } from '../middleware/api-limit.js';
import { sufficientScopes, type Route } from '../route.js';
import { exchangeOf } from '../server/exchange.js';
import type { IdentifyActor } from './identify-actor.js';
import { namesCaller, presentedToken } from './presented-token.js';
import { refuseSession } from './refuse-session.js';

export interface CallerServices {
  readonly identifyActor: IdentifyActor;
  readonly limitRequests: LimitRequests;
  readonly largeBodies: LargeBodies;
}

/**
 * Who calls a route, by the head of the request; its body is read only then, and a small one where the caller is not known by then. A
 * body that names a caller, or that was still on its way, has the caller looked up again.
 *
 * @throws Unauthenticated, TokenScopeInsufficient, Forbidden for who may not call it at all; what reading a body throws.
 */
export const admitCaller = async (route: Route, request: Request, services: CallerServices): Promise<Actor> => {
  try {
    return await callerOf(route, request, services);
  } catch (error) {
    const token = error instanceof TokenInvalid ? presentedToken(request) : undefined;
    if (token !== undefined) await route.tokenRefused?.(token.secret);
    throw error;
  }
};

const callerOf = async (route: Route, request: Request, services: CallerServices): Promise<Actor> => {
  const byHead = await identify(request, services);
  const caller =
    hasBody(request) && route.ownBody === undefined ? await readBodyOf(route, byHead, request, services) : byHead;
  admit(route, caller);
  return caller;
};

const readBodyOf = async (route: Route, byHead: Actor, request: Request, services: CallerServices): Promise<Actor> => {
  // Of a body that is still on its way the rest may come when the token has been revoked, or the caller has been blocked.
  const late = !request.complete;
  if (byHead.kind === 'user') {
    admit(route, byHead);
    const bounds = route.body ?? ORDINARY_BODY;
    await services.largeBodies.admit(request, bounds, `user:${byHead.id}`);
    request.body =
      route.file === undefined ? await readBody(request, API_FORMATS, bounds) : await readFile(request, bounds);
  } else request.body = await readBodyOfStranger(route, request);
  const body = request.body as Record<string, unknown> | undefined;
  if (body !== undefined && namesCaller(body)) return identify(request, services);
  return late ? services.identifyActor(request) : byHead;
};

/** The fields of a form with files, which are kept beside them. */
const readFile = async (request: Request, bounds: BodyBounds): Promise<Record<string, unknown>> => {
  const { fields, files } = await readFiles(request, bounds);
  keepFiles(request, files);
  return fields;
};

/** @throws Unauthenticated where it can't be read and only its token would count. */
const readBodyOfStranger = async (route: Route, request: Request): Promise<Record<string, unknown> | undefined> => {
  try {
    return await readBody(request, API_FORMATS, await boundsOfStranger(route, request));
  } catch (error) {
    throw route.access === 'anyone' ? error : new Unauthenticated();
  }
};

const boundsOfStranger = async ({ isFromJob, body }: Route, request: Request): Promise<BodyBounds> => {
  const token = request.get('JOB-TOKEN');
  if (token === undefined || isFromJob === undefined || !(await isFromJob(token))) return SMALL_BODY;
  return body ?? ORDINARY_BODY;
};

/** Callers who try tokens that are not good are counted, too. @param tokenOf where the token may be elsewhere than the API looks. */
export const identify = async (
  request: Request,
  { identifyActor, limitRequests }: Pick<CallerServices, 'identifyActor' | 'limitRequests'>,
  tokenOf?: (request: Request) => PresentedToken | undefined,
): Promise<Actor> => {
  let actor: Actor | undefined;
  try {
    actor = await identifyActor(request, tokenOf?.(request));
    if (actor.kind === 'user') exchangeOf(request).actor = `user:${actor.id}`;
    return actor;
  } finally {
    await limitRequests(request, actor);
  }
};

/** Access first, then scope: a token that is too small is told what would be enough. Then whether a session is enough. */
const admit = (route: Route, actor: Actor): void => {
  if (actor.kind === 'anonymous') {
    if (route.access === 'anyone') return;
    throw new Unauthenticated();
  }
  const sufficient = sufficientScopes(route);
  const { credential } = actor;
  if (credential.kind !== 'session' && !credential.scopes.some((scope) => sufficient.includes(scope))) {
    throw new TokenScopeInsufficient(sufficient);
  }
  if (route.access === 'admin' && !actor.admin) throw new Forbidden();
  if (route.sensitive !== undefined) refuseSession(actor, route.sensitive);
};
