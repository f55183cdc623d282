import { IncomingMessage, ServerResponse, type ServerOptions } from 'node:http';
import type { Express } from 'express';

type Constructor = (this: unknown, ...args: unknown[]) => void;

const constructorWith = (native: unknown, prototype: object): Constructor => {
  const construct: Constructor = function construct(...args) {
    (native as Constructor).apply(this, args);
  };
  construct.prototype = prototype;
  return construct;
};

/**
 * Requests and responses that are born with Express's prototypes. Express would otherwise change the prototype of every one of
 * them, which is most of its cost (`docs/performance.md`).
 */
export const bornAsExpress = (app: Express): ServerOptions =>
  ({
    IncomingMessage: constructorWith(IncomingMessage, app.request),
    ServerResponse: constructorWith(ServerResponse, app.response),
  }) as unknown as ServerOptions;
