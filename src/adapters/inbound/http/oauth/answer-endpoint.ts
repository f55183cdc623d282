import type { ErrorRequestHandler, Request, Response } from 'express';
import type { Logger } from '../../../../application/shared/ports/logger.js';
import { OAUTH_FORMATS, readBody, SMALL_BODY } from '../body/read-body.js';
import { answerErrors } from '../middleware/answer-errors.js';
import type { OAuthEndpoint, OAuthEndpointDeclaration } from './oauth-endpoint.js';
import { OAUTH_HEADERS, refusalAnswer, sendOAuthAnswer } from './send-oauth-answer.js';

/** Sees every answer; tests hold it against the declaration. */
export type OnOAuthAnswer = (endpoint: OAuthEndpointDeclaration, status: number, body: unknown) => void;

/** Reads the form and answers it. */
export const createAnswer =
  (onAnswer?: OnOAuthAnswer) =>
  async (endpoint: OAuthEndpoint, request: Request, response: Response): Promise<void> => {
    request.body = await readBody(request, OAUTH_FORMATS, SMALL_BODY);
    const found = await endpoint.handle(request);
    onAnswer?.(endpoint, found.status ?? 200, found.body);
    sendOAuthAnswer(response, found);
  };

export const showOAuthErrors = (logger: Logger): ErrorRequestHandler => {
  const others = answerErrors(logger);
  return (error: { readonly type?: string }, request, response, next) => {
    if (response.headersSent) return others(error, request, response, next);
    // The rest of a body that is too large has to be taken care of.
    if (error.type === 'entity.too.large') {
      response.set(OAUTH_HEADERS);
      return others(error, request, response, next);
    }
    sendOAuthAnswer(response, refusalAnswer(error, request, logger));
  };
};
