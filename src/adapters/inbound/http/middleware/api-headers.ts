import type { RequestHandler, Response } from 'express';

const EXPOSED = 'Link, X-Total, X-Total-Pages, X-Per-Page, X-Page, X-Next-Page, X-Prev-Page, X-Request-Id, Retry-After';

/** The header that lets scripts of other origins read these of an answer, too. */
export const exposing = (names: readonly string[]): Readonly<Record<string, string>> => ({
  'Access-Control-Expose-Headers': [EXPOSED, ...names].join(', '),
});

const HEADERS = Object.entries({
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED,
  'Cache-Control': 'max-age=0, private, must-revalidate',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
  Vary: 'Origin',
});

const writeHeaders = (response: Response): void => {
  // Not by Express's `set`, which looks at each value again.
  for (const [name, value] of HEADERS) response.setHeader(name, value);
};

const answerOptions = (response: Response): void => {
  response.set({
    'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    'Access-Control-Allow-Headers':
      'Authorization, Content-Type, Private-Token, Job-Token, Deploy-Token, Sudo, Idempotency-Key, If-None-Match, If-Range, If-Unmodified-Since, Range',
    'Access-Control-Max-Age': '86400',
  });
  response.status(204).end();
};

/** Any origin may read the API, and none with the credentials of a browser. */
export const apiHeaders: RequestHandler = (request, response, next) => {
  writeHeaders(response);
  if (request.method === 'OPTIONS') answerOptions(response);
  else next();
};

/** The same where OPTIONS is a method like any other, but for a browser that asks before it crosses origins. */
export const removedApiHeaders: RequestHandler = (request, response, next) => {
  writeHeaders(response);
  const asksBefore = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
  if (asksBefore) answerOptions(response);
  else next();
};
