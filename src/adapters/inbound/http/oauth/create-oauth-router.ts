import { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import type { Logger } from '../../../../application/shared/ports/logger.js';
import { TooManyRequests } from '../../../../domain/shared/domain-error.js';
import { HttpError } from '../http-error.js';
import { answerErrors } from '../middleware/answer-errors.js';
import { readOAuthBody } from '../middleware/read-body.js';
import { sendJson } from '../send-json.js';
import { exchangeOf } from '../server/exchange.js';
import { challengeFor, OAuthError } from './oauth-error.js';
import type { OAuthEndpoint, OAuthEndpointDeclaration } from './oauth-endpoint.js';

export interface OAuthRouterParts {
  readonly endpoints: readonly OAuthEndpoint[];
  readonly logger: Logger;
  /** Sees every answer; tests hold it against the declaration. */
  readonly onAnswer?: (endpoint: OAuthEndpointDeclaration, status: number, body: unknown) => void;
}

const BODY_LIMIT = 65_536;

/** Applications in browsers may call from anywhere, without the credentials of a browser; and nothing is ever cached. */
const HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Cache-Control': 'no-store',
  Pragma: 'no-cache',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

const preflight = (methods: string): RequestHandler => {
  const allowed = {
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': 'Authorization, Content-Type',
    'Access-Control-Max-Age': '86400',
  };
  return (_request, response) => void response.set(HEADERS).set(allowed).status(204).end();
};

const showErrors = (logger: Logger): ErrorRequestHandler => {
  const others = answerErrors(logger);
  return (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error);
    response.set(HEADERS);
    if (error instanceof TooManyRequests) {
      response.status(429).set('Retry-After', String(error.retryAfterSeconds));
      return sendJson(response, { error: 'temporarily_unavailable', error_description: error.message });
    }
    if (!(error instanceof OAuthError)) return others(error, request, response, next);
    response.status(error.status).set(challengeFor(error)).set(error.headers);
    sendJson(response, { error: error.refusal.error, error_description: error.refusal.description });
  };
};

/** Every endpoint of `/oauth` that machines speak to; the one for people is a page. */
export const createOAuthRouter = ({ endpoints, logger, onAnswer }: OAuthRouterParts): Router => {
  const router = Router({ caseSensitive: true });
  const answer = async (endpoint: OAuthEndpoint, request: Request, response: Response): Promise<void> => {
    const { status = 200, body, headers = {} } = await endpoint.handle(request);
    onAnswer?.(endpoint, status, body);
    response.status(status).set(HEADERS).set(headers);
    sendJson(response, body);
  };
  const methodsOf = new Map<string, string[]>();
  for (const { path, method } of endpoints) {
    methodsOf.set(path, [...(methodsOf.get(path) ?? []), ...(method === 'get' ? ['GET', 'HEAD'] : ['POST'])]);
  }
  for (const path of methodsOf.keys()) {
    router.all(path, (request, _response, next) => {
      exchangeOf(request).route = path;
      next();
    });
  }
  for (const endpoint of endpoints) {
    const body = endpoint.method === 'post' ? readOAuthBody(BODY_LIMIT) : [];
    router[endpoint.method](endpoint.path, ...body, (request: Request, response: Response) =>
      answer(endpoint, request, response),
    );
  }
  for (const [path, methods] of methodsOf) {
    const allow = [...methods, 'OPTIONS'].join(', ');
    router.options(path, preflight(allow));
    router.all(path, () => {
      throw new HttpError(405, '405 Not Allowed', {}, { Allow: allow });
    });
  }
  router.use(showErrors(logger));
  return router;
};
