import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../../../../application/shared/ports/logger.js';
import { exchangeOf } from '../server/exchange.js';
import type { LeanPath } from '../server/lean-path.js';
import type { OAuthEndpoint, OAuthEndpointDeclaration } from './oauth-endpoint.js';
import { refusalAnswer, sendOAuthAnswer } from './send-oauth-answer.js';

export interface LeanPathParts {
  readonly endpoints: readonly OAuthEndpoint[];
  readonly logger: Logger;
  readonly onAnswer?: (endpoint: OAuthEndpointDeclaration, status: number, body: unknown) => void;
}

/** For the endpoints that say how to be answered so. */
export const createOAuthLeanPath = ({ endpoints, logger, onAnswer }: LeanPathParts): LeanPath => {
  const byPath = new Map(
    endpoints.filter(({ handleLean }) => handleLean !== undefined).map((each) => [each.path, each]),
  );
  const answer = async (endpoint: OAuthEndpoint, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const found = await endpoint.handleLean?.(request);
      if (found === undefined) return;
      onAnswer?.(endpoint, found.status ?? 200, found.body);
      sendOAuthAnswer(response, found);
    } catch (error) {
      sendOAuthAnswer(response, refusalAnswer(error, request, logger));
    }
  };
  return (request, response) => {
    const endpoint = request.method === 'GET' ? byPath.get(request.url ?? '') : undefined;
    if (endpoint === undefined) return false;
    exchangeOf(request).route = endpoint.path;
    void answer(endpoint, request, response);
    return true;
  };
};
