import { Router, type Request, type Response } from 'express';
import { inOneBatch, itemsOf } from '../../../application/shared/page-in-batches.js';
import { admitCaller, type CallerServices } from './authentication/admit-caller.js';
import { machineTokensOf } from './authentication/machine-tokens.js';
import { HttpError, ParametersInvalid } from './http-error.js';
import { refuseChanged } from './unmodified-since.js';
import type { MovedAddresses } from './moved-addresses.js';
import { keysetHeaders, pageHeaders } from './pagination/page-headers.js';
import { requestTarget } from './request-target.js';
import type { GuardContext, PathParameters, Route, RouteResult } from './route.js';
import { RoutersByShape } from './routers-by-shape.js';
import { sendBytes } from './send-bytes.js';
import { sendJson } from './send-json.js';
import { BegunList } from './send-list.js';
import { exchangeOf } from './server/exchange.js';
import { isStorable } from './validation/storable-text.js';
import { validateParameters } from './validation/validate-parameters.js';

export interface RouteServices extends CallerServices {
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: () => string;
  /** Runs what reads a list, where that may be read from a replica; may run it twice. */
  readonly readList: <Result>(read: () => Promise<Result>) => Promise<Result>;
  readonly movedAddresses: Pick<MovedAddresses, 'instead'>;
  /** Sees every answer of a declared route; tests hold it against the declaration. */
  readonly onAnswer?: (route: Route, status: number, body: unknown) => void;
}

/** A router of the declared routes; `prefix` is where it will be mounted, for the names in logs and metrics. */
export const mountRoutes = (prefix: string, routes: readonly Route[], services: RouteServices): Router => {
  const routers = new RoutersByShape();
  const methods = new Map<string, string[]>();
  for (const route of routes) {
    const known = methods.get(route.path) ?? [];
    methods.set(route.path, [...known, route.method.toUpperCase()]);
    routers
      .of(route.path)
      [route.method](route.path, (request: Request, response: Response) =>
        answer({ prefix, route, request, response }, services).finally(() => services.largeBodies.release(request)),
      );
  }
  for (const [path, allowed] of methods) {
    const allow = [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
    routers.of(path).all(path, (request) => {
      exchangeOf(request).route = prefix + path;
      throw new HttpError(405, '405 Not Allowed', {}, { Allow: allow });
    });
  }
  return Router().use(routers.handle);
};

/** A request on its way through its route. */
interface Visit {
  readonly prefix: string;
  readonly route: Route;
  readonly request: Request;
  readonly response: Response;
}

const answer = async (visit: Visit, services: RouteServices): Promise<void> => {
  const { prefix, route, request } = visit;
  exchangeOf(request).route = prefix + route.path;
  const actor = await admitCaller(route, request, services);
  const path = readPath(request);
  const sent = given(request, path);
  const subject = (await decide(visit, { actor, path, sent, ...machineTokensOf(request) }, services)) as never;
  const parameters = validateParameters(route.parameters, sent);
  if (route.lastChanged !== undefined) refuseChanged(request, route.lastChanged(subject));
  let failure: unknown;
  const handle = async (): Promise<void> => {
    // What was begun to be sent can't be begun anew.
    if (visit.response.headersSent) throw failure;
    try {
      await send(visit, await route.handle({ actor: actor as never, parameters, subject, request }), services);
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  await (isList(route) ? services.readList(handle) : handle());
};

/** @throws NotFound, Forbidden, and an HttpError that leads to the address now. */
const decide = async (
  { route, request: { originalUrl } }: Visit,
  context: GuardContext,
  { movedAddresses }: RouteServices,
): Promise<unknown> => {
  const { guard } = route;
  const decision = typeof guard === 'object' ? guard.decide : guard;
  try {
    return await decision?.(context as never);
  } catch (error) {
    throw await movedAddresses.instead(error, { route, originalUrl, ...context });
  }
};

/** Lists are paged, and feeds are. */
const isList = ({ method, parameters }: Route): boolean =>
  method === 'get' && Object.hasOwn(parameters.properties, 'per_page');

/** @throws ParametersInvalid for what no name or number can be: it would not even be looked for. */
const readPath = (request: Request): PathParameters => {
  const path = request.params as PathParameters;
  const broken = Object.keys(path).filter((name) => !isStorable(path[name]));
  if (broken.length > 0) throw new ParametersInvalid(broken.map((parameter) => ({ parameter, problem: 'is invalid' })));
  return path;
};

/** Path beats body beats query. */
const given = (request: Request, path: PathParameters): Record<string, unknown> => {
  return { ...request.query, ...(request.body as Record<string, unknown> | undefined), ...path };
};

/** The address of a request with the parameters that its route declares: what it ignores would only make links long. */
const declaredAddress = ({ parameters }: Route, address: string): URL => {
  const url = new URL(address);
  const isDeclared = (name: string): boolean => Object.hasOwn(parameters.properties, name.split('[', 1)[0]!);
  const given = [...url.searchParams];
  const declared = given.filter(([name]) => isDeclared(name));
  if (declared.length < given.length) url.search = new URLSearchParams(declared).toString();
  return url;
};

const send = async (
  { route, request, response }: Visit,
  result: RouteResult,
  services: RouteServices,
): Promise<void> => {
  const status = result.status ?? 200;
  const { bytes, headers = {}, ranged = false } = result;
  if (bytes !== undefined) return sendBytes(response, bytes, { status, headers, ranged });
  const look = services.onAnswer && ((body: unknown) => services.onAnswer?.(route, status, body));
  const { body, batches } = await shown(result, look);
  const list = batches && (await BegunList.begin(batches));
  response.status(status);
  response.set(headers);
  const url = (): URL => declaredAddress(route, services.baseUrl() + requestTarget(request.originalUrl));
  if (result.page !== undefined) response.set(pageHeaders(url(), result.page.request, result.page.of));
  if (result.keyset !== undefined) response.set(keysetHeaders(url(), result.keyset));
  if (list !== undefined) await list.send(response);
  else if (result.kept !== undefined) result.kept.send(response);
  else if (body === undefined) response.end();
  else sendJson(response, body);
};

/** Who looks at answers sees a large list whole: it is read for them first, and then sent as ever. */
const shown = async (result: RouteResult, look: ((body: unknown) => void) | undefined): Promise<RouteResult> => {
  if (look === undefined) return result;
  if (result.batches === undefined) {
    look(result.kept === undefined ? result.body : result.kept.read());
    return result;
  }
  const items = await itemsOf(result.batches);
  look(items);
  return { ...result, batches: inOneBatch(items) };
};
