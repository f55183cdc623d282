import { IncomingMessage, ServerResponse, type ServerOptions } from 'node:http';
import type { Express } from 'express';

/**
 * Requests and responses that are born with Express's prototypes. Express would otherwise change the prototype of every one of
 * them, which is most of its cost. By classes, whose objects the engine lays out as Node's own (`docs/performance.md`).
 */
export const bornAsExpress = (app: Express): ServerOptions => {
  class Request extends IncomingMessage {}
  class Response<Of extends IncomingMessage> extends ServerResponse<Of> {}
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  // Where Express finds these already, it changes nothing.
  Object.assign(app, { request: Request.prototype, response: Response.prototype });
  return { IncomingMessage: Request, ServerResponse: Response };
};
