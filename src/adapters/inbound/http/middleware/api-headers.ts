import type { RequestHandler } from 'express';

const EXPOSED = 'Link, X-Total, X-Total-Pages, X-Per-Page, X-Page, X-Next-Page, X-Prev-Page, X-Request-Id, Retry-After';

const HEADERS = Object.entries({
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED,
  'Cache-Control': 'max-age=0, private, must-revalidate',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
  Vary: 'Origin',
});

/** Any origin may read the API, and none with the credentials of a browser. */
export const apiHeaders: RequestHandler = (request, response, next) => {
  // Not by Express's `set`, which looks at each value again.
  for (const [name, value] of HEADERS) response.setHeader(name, value);
  if (request.method !== 'OPTIONS') return next();
  response.set({
    'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, Private-Token, Sudo, Idempotency-Key, If-None-Match',
    'Access-Control-Max-Age': '86400',
  });
  response.status(204).end();
};
