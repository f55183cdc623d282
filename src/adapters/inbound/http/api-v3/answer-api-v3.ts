import type { Request, RequestHandler, Response } from 'express';
import { findSuccessor, isDropped } from './changes/find-successor.js';
import { answerAndDiscard } from '../body/answer-and-discard.js';
import { API_FORMATS, readBody, SMALL_BODY } from '../body/read-body.js';
import { presentApiChange } from '../api-v4/api-changes/present-api-change.js';
import { removedApiHeaders } from '../middleware/api-headers.js';
import { sendJson } from '../send-json.js';
import { exchangeOf } from '../server/exchange.js';
import { readOldRequest } from './read-old-request.js';
import { successorLink } from './successor-link.js';

/** Where the version stood that release 11.0 removed. */
export const REMOVED_API_PREFIX = '/api/v3';

const GONE = 'API V3 is no longer supported. Use API V4 instead.';

// The answer is the same whatever comes: a body that is too large, or that can't be read, only tells nothing of its parameters.
const readSmallBody: RequestHandler = async (request, _response, next) => {
  request.body = await readBody(request, API_FORMATS, SMALL_BODY).catch(() => undefined);
  next();
};

/**
 * Answers 410 to everything, with the address in version 4 as `Link` and every change that concerns the request. To be
 * mounted as they are: a router of their own would look at the rest of the path, and there are
 * rests in which it finds none.
 *
 * @param baseUrl the public address of the service, without a trailing slash.
 */
export const answerApiV3 = (baseUrl: () => string): readonly RequestHandler[] => {
  const answer = (request: Request, response: Response): void => {
    exchangeOf(request).route = REMOVED_API_PREFIX;
    const successor = findSuccessor(readOldRequest(request));
    const body = { error: GONE, migration: successor.changes.map(presentApiChange) };
    response.status(410);
    if (!isDropped(successor)) response.set('Link', successorLink(baseUrl(), successor.request));
    if (request.complete) sendJson(response, body);
    else answerAndDiscard(request, response, 410, body);
  };
  return [removedApiHeaders, readSmallBody, answer];
};
