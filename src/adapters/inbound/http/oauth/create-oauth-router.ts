import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { Logger } from '../../../../application/shared/ports/logger.js';
import { HttpError } from '../http-error.js';
import { exchangeOf } from '../server/exchange.js';
import { createAnswer, showOAuthErrors, type OnOAuthAnswer } from './answer-endpoint.js';
import type { OAuthEndpoint } from './oauth-endpoint.js';
import { OAUTH_HEADERS } from './send-oauth-answer.js';

export interface OAuthRouterParts {
  readonly endpoints: readonly OAuthEndpoint[];
  readonly logger: Logger;
  readonly onAnswer?: OnOAuthAnswer;
}

const preflight = (methods: string): RequestHandler => {
  const allowed = {
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': 'Authorization, Content-Type',
    'Access-Control-Max-Age': '86400',
  };
  return (_request, response) => void response.set(OAUTH_HEADERS).set(allowed).status(204).end();
};

/** Every endpoint of `/oauth` that machines speak to; the one for people is a page. */
export const createOAuthRouter = ({ endpoints, logger, onAnswer }: OAuthRouterParts): Router => {
  const router = Router({ caseSensitive: true });
  const answer = createAnswer(onAnswer);
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
  router.use(showOAuthErrors(logger));
  return router;
};
