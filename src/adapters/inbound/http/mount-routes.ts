import { Router, type Request, type Response } from 'express';
import type { Actor } from '../../../application/shared/actor.js';
import { Forbidden, TokenScopeInsufficient, Unauthenticated } from '../../../domain/shared/domain-error.js';
import type { IdentifyActor } from './authentication/identify-actor.js';
import type { LimitRequests } from './middleware/api-limit.js';
import { namesCaller } from './authentication/presented-token.js';
import { API_FORMATS, hasBody, ORDINARY_BODY, readBody, SMALL_BODY } from './body/read-body.js';
import { HttpError, ParametersInvalid } from './http-error.js';
import { keysetHeaders, pageHeaders } from './pagination/page-headers.js';
import { requestTarget } from './request-target.js';
import { sufficientScopes, type PathParameters, type Route, type RouteResult } from './route.js';
import { sendJson } from './send-json.js';
import { exchangeOf } from './server/exchange.js';
import { isStorable } from './validation/storable-text.js';
import { validateParameters } from './validation/validate-parameters.js';

export interface RouteServices {
  readonly identifyActor: IdentifyActor;
  readonly limitRequests: LimitRequests;
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: () => string;
  /** Sees every answer of a declared route; tests hold it against the declaration. */
  readonly onAnswer?: (route: Route, status: number, body: unknown) => void;
}

/** A router of the declared routes; `prefix` is where it will be mounted, for the names in logs and metrics. */
export const mountRoutes = (prefix: string, routes: readonly Route[], services: RouteServices): Router => {
  const router = Router({ caseSensitive: true });
  const methods = new Map<string, string[]>();
  for (const route of routes) {
    const known = methods.get(route.path) ?? [];
    methods.set(route.path, [...known, route.method.toUpperCase()]);
    router[route.method](route.path, (request: Request, response: Response) =>
      answer(prefix, route, request, response, services),
    );
  }
  for (const [path, allowed] of methods) {
    const allow = [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
    router.all(path, (request) => {
      exchangeOf(request).route = prefix + path;
      throw new HttpError(405, '405 Not Allowed', {}, { Allow: allow });
    });
  }
  return router;
};

/** Who asks, by the head of the request; its body is read only then, and a small one where the caller is not known by then. */
const identify = async (route: Route, request: Request, services: RouteServices): Promise<Actor> => {
  // Parsed once, and not each time that it is looked at.
  Object.defineProperty(request, 'query', { value: request.query });
  const byHead = await count(request, services);
  if (!hasBody(request)) return byHead;
  if (byHead.kind === 'user') admit(route, byHead);
  request.body = await (byHead.kind === 'anonymous'
    ? readBodyOfStranger(route, request)
    : readBody(request, API_FORMATS, route.body ?? ORDINARY_BODY));
  const body = request.body as Record<string, unknown> | undefined;
  return body !== undefined && namesCaller(body) ? count(request, services) : byHead;
};

/** @throws Unauthenticated where it can't be read and only its token would count. */
const readBodyOfStranger = async (
  { access }: Route,
  request: Request,
): Promise<Record<string, unknown> | undefined> => {
  try {
    return await readBody(request, API_FORMATS, SMALL_BODY);
  } catch (error) {
    throw access === 'anyone' ? error : new Unauthenticated();
  }
};

/** Callers who try tokens that are not good are counted, too. */
const count = async (request: Request, { identifyActor, limitRequests }: RouteServices): Promise<Actor> => {
  let actor: Actor | undefined;
  try {
    actor = await identifyActor(request);
    return actor;
  } finally {
    await limitRequests(request, actor);
  }
};

const answer = async (
  prefix: string,
  route: Route,
  request: Request,
  response: Response,
  services: RouteServices,
): Promise<void> => {
  const exchange = exchangeOf(request);
  exchange.route = prefix + route.path;
  const actor = await identify(route, request, services);
  if (actor.kind === 'user') exchange.actor = `user:${actor.id}`;
  admit(route, actor);
  const path = readPath(request);
  const subject = (await route.guard?.({ actor: actor as never, path })) as never;
  const parameters = validateParameters(route.parameters, given(request, path));
  const result = await route.handle({ actor: actor as never, parameters, subject, request });
  send(route, request, response, result, services);
};

/** @throws ParametersInvalid for what no name or number can be: it would not even be looked for. */
const readPath = (request: Request): PathParameters => {
  const path = request.params as PathParameters;
  const broken = Object.keys(path).filter((name) => !isStorable(path[name]));
  if (broken.length > 0) throw new ParametersInvalid(broken.map((parameter) => ({ parameter, problem: 'is invalid' })));
  return path;
};

/** Access first, then scope: a token that is too small is told what would be enough. */
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
};

/** Path beats body beats query. */
const given = (request: Request, path: PathParameters): Record<string, unknown> => {
  return { ...request.query, ...(request.body as Record<string, unknown> | undefined), ...path };
};

/** The address of a request with the parameters that its route declares: what it ignores would only make links long. */
const declaredAddress = ({ parameters }: Route, address: string): URL => {
  const url = new URL(address);
  for (const name of new Set(url.searchParams.keys()))
    if (!Object.hasOwn(parameters.properties, name.split('[', 1)[0]!)) url.searchParams.delete(name);
  return url;
};

const send = (
  route: Route,
  request: Request,
  response: Response,
  result: RouteResult,
  services: RouteServices,
): void => {
  const status = result.status ?? 200;
  services.onAnswer?.(route, status, result.body);
  response.status(status);
  response.set(result.headers ?? {});
  const url = (): URL => declaredAddress(route, services.baseUrl() + requestTarget(request.originalUrl));
  if (result.page !== undefined) response.set(pageHeaders(url(), result.page.request, result.page.of));
  if (result.keyset !== undefined) response.set(keysetHeaders(url(), result.keyset.perPage, result.keyset.cursor));
  if (result.body === undefined) response.end();
  else sendJson(response, result.body);
};
