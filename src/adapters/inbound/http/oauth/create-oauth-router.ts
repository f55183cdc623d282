import { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import type { Logger } from '../../../../application/shared/ports/logger.js';
import { OAUTH_FORMATS, readBody, SMALL_BODY } from '../body/read-body.js';
import { HttpError } from '../http-error.js';
import { answerErrors } from '../middleware/answer-errors.js';
import { exchangeOf } from '../server/exchange.js';
import type { OAuthEndpoint, OAuthEndpointDeclaration } from './oauth-endpoint.js';
import { OAUTH_HEADERS, refusalAnswer, sendOAuthAnswer } from './send-oauth-answer.js';

export interface OAuthRouterParts {
  readonly endpoints: readonly OAuthEndpoint[];
  readonly logger: Logger;
  /** Sees every answer; tests hold it against the declaration. */
  readonly onAnswer?: (endpoint: OAuthEndpointDeclaration, status: number, body: unknown) => void;
}

const preflight = (methods: string): RequestHandler => {
  const allowed = {
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': 'Authorization, Content-Type',
    'Access-Control-Max-Age': '86400',
  };
  return (_request, response) => void response.set(OAUTH_HEADERS).set(allowed).status(204).end();
};

const showErrors = (logger: Logger): ErrorRequestHandler => {
  const others = answerErrors(logger);
  return (error: { readonly type?: string }, request, response, next) => {
    if (response.headersSent) return next(error);
    // The rest of a body that is too large has to be taken care of.
    if (error.type === 'entity.too.large') {
      response.set(OAUTH_HEADERS);
      return others(error, request, response, next);
    }
    sendOAuthAnswer(response, refusalAnswer(error, request, logger));
  };
};

/** Every endpoint of `/oauth` that machines speak to; the one for people is a page. */
export const createOAuthRouter = ({ endpoints, logger, onAnswer }: OAuthRouterParts): Router => {
  const router = Router({ caseSensitive: true });
  const answer = async (endpoint: OAuthEndpoint, request: Request, response: Response): Promise<void> => {
    request.body = await readBody(request, OAUTH_FORMATS, SMALL_BODY);
    const found = await endpoint.handle(request);
    onAnswer?.(endpoint, found.status ?? 200, found.body);
    sendOAuthAnswer(response, found);
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
    router[endpoint.method](endpoint.path, (request: Request, response: Response) =>
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
