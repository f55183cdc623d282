import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { findSuccessor } from '../../../../domain/api-changes/find-successor.js';
import { answerAndDiscard } from '../answer-and-discard.js';
import { presentApiChange } from '../api-v4/api-changes/present-api-change.js';
import { removedApiHeaders } from '../middleware/api-headers.js';
import { readBody } from '../middleware/read-body.js';
import { sendJson } from '../send-json.js';
import { exchangeOf } from '../server/exchange.js';
import { readOldRequest } from './read-old-request.js';
import { successorLink } from './successor-link.js';

/** Where the version stood that release 11.0 removed. */
export const REMOVED_API_PREFIX = '/api/v3';

const GONE = 'API V3 is no longer supported. Use API V4 instead.';

/** Enough for the parameters that a change looks at; files were sent as parameters, too. */
const BODY_LIMIT = 65_536;

// The answer is the same whatever comes: a body that is too large, or that nobody can read, only tells nothing of its parameters.
const UNREAD = 'unread';
const doWithoutBody: ErrorRequestHandler = (_error, request, response, next) => {
  request.body = undefined;
  response.locals[UNREAD] = true;
  next();
};

/**
 * Answers 410 to everything, with the address in version 4 as `Link` and every change that concerns the request
 * (specification, "Versioning"). To be mounted as they are: a router of their own would look at the rest of the path, and there are
 * rests in which it finds none.
 *
 * @param baseUrl the public address of the service, without a trailing slash.
 */
export const answerApiV3 = (baseUrl: () => string): readonly (RequestHandler | ErrorRequestHandler)[] => {
  const answer = (request: Request, response: Response): void => {
    exchangeOf(request).route = REMOVED_API_PREFIX;
    const { changes, request: successor } = findSuccessor(readOldRequest(request));
    const body = { error: GONE, migration: changes.map(presentApiChange) };
    response.status(410).set('Link', successorLink(baseUrl(), successor));
    if (response.locals[UNREAD] === true) answerAndDiscard(request, response, 410, body);
    else sendJson(response, body);
  };
  return [removedApiHeaders, readBody(BODY_LIMIT), doWithoutBody, answer];
};
