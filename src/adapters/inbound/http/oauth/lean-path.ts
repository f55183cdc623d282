import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import type { Logger } from '../../../../application/shared/ports/logger.js';
import { onOccasion } from '../../../occasions/current-occasion.js';
import { occasionOf } from '../occasion-of-request.js';
import { exchangeOf } from '../server/exchange.js';
import type { LeanPath } from '../server/lean-path.js';
import { createAnswer, showOAuthErrors, type OnOAuthAnswer } from './answer-endpoint.js';
import type { OAuthEndpoint } from './oauth-endpoint.js';
import { refusalAnswer, sendOAuthAnswer } from './send-oauth-answer.js';

export interface LeanPathParts {
  readonly endpoints: readonly OAuthEndpoint[];
  readonly logger: Logger;
  readonly onAnswer?: OnOAuthAnswer;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What needs nothing of Express. */
const answerLean =
  (endpoint: OAuthEndpoint, { logger, onAnswer }: LeanPathParts): Answer =>
  async (request, response) => {
    try {
      const found = await endpoint.handleLean?.(request);
      if (found === undefined) return;
      onAnswer?.(endpoint, found.status ?? 200, found.body);
      sendOAuthAnswer(response, found);
    } catch (error) {
      sendOAuthAnswer(response, refusalAnswer(error, request, logger));
    }
  };

/** A form needs Express's request, as every request is born, and not the way through its routers. */
const answerForm = (endpoint: OAuthEndpoint, { logger, onAnswer }: LeanPathParts): Answer => {
  const answer = createAnswer(onAnswer);
  const showError = showOAuthErrors(logger);
  return async (incoming, outgoing) => {
    const [request, response] = [incoming as Request, outgoing as Response];
    try {
      await onOccasion(occasionOf(request), () => answer(endpoint, request, response));
    } catch (error) {
      if (!response.headersSent) response.setHeader('X-Request-Id', exchangeOf(request).id);
      await showError(error, request, response, () => undefined);
    }
  };
};

const answerOf = (endpoint: OAuthEndpoint, parts: LeanPathParts): readonly [string, Answer][] => {
  const { method, path } = endpoint;
  if (method === 'post') return [[`POST ${path}`, answerForm(endpoint, parts)]];
  return endpoint.handleLean === undefined ? [] : [[`GET ${path}`, answerLean(endpoint, parts)]];
};

/** For forms, and for the endpoints that say how to be answered so; what has a query goes through Express. */
export const createOAuthLeanPath = (parts: LeanPathParts): LeanPath => {
  const answers = new Map(parts.endpoints.flatMap((endpoint) => answerOf(endpoint, parts)));
  return (request, response) => {
    const path = request.url ?? '';
    const answer = path.startsWith('/oauth/') ? answers.get(`${request.method} ${path}`) : undefined;
    if (answer === undefined) return false;
    exchangeOf(request).route = path;
    void answer(request, response);
    return true;
  };
};
