import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Express } from 'express';
import type { Logger } from '../../../../application/shared/ports/logger.js';
import { answerUnreadable } from './answer-unreadable.js';
import { prepareToDrain } from './drain-server.js';
import { openExchange, type Exchange } from './exchange.js';
import { bornAsExpress } from './express-prototypes.js';
import type { LeanPath } from './lean-path.js';
import type { LoopWatchdog } from './loop-watchdog.js';

export interface RequestMetrics {
  observe(exchange: Exchange, method: string, status: number, seconds: number): void;
}

export interface HttpServerParts {
  readonly app: Express;
  /** Asked before Express, one after the other. */
  readonly leanPaths: readonly LeanPath[];
  readonly logger: Logger;
  readonly metrics: RequestMetrics;
  readonly watchdog: LoopWatchdog;
  readonly newRequestId: () => string;
  /** Told of each request before anything is done for it. */
  readonly requestCame: () => void;
}

// Slow senders are cut off; idle keep-alive connections outlive those of common proxies.
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 60_000;
/** Of what says that it is unhurried: Node knows one limit for all. */
const LONGEST_REQUEST_MS = 4 * 3_600_000;
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** A body that takes too long to arrive is refused as Node itself would. */
const limitArrival = (server: Server, exchange: Exchange, request: IncomingMessage): void => {
  const { 'content-length': length, 'transfer-encoding': chunked } = request.headers;
  if (request.complete || (chunked === undefined && (length === undefined || length === '0'))) return;
  const timer = setTimeout(() => {
    const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    if (!request.complete && !exchange.unhurried) server.emit('clientError', error, request.socket);
  }, REQUEST_TIMEOUT_MS);
  request.once('close', () => clearTimeout(timer));
};

/** What wraps every request whoever handles it: its id, the access line and the metrics. */
export const createHttpServer = (parts: HttpServerParts): Server => {
  const { app, leanPaths, logger, metrics, watchdog, newRequestId, requestCame } = parts;

  const finish = (exchange: Exchange, request: IncomingMessage, response: ServerResponse, startedAt: number): void => {
    const durationMs = performance.now() - startedAt;
    watchdog.end(exchange, durationMs);
    const method = request.method ?? '';
    // Answers are written whole: one that has begun has been given away.
    const status = response.headersSent ? response.statusCode : 499;
    metrics.observe(exchange, method, status, durationMs / 1000);
    logger[exchange.routine && status < 400 ? 'debug' : 'info']('request', {
      requestId: exchange.id,
      method,
      route: exchange.route,
      status,
      durationMs: Math.round(durationMs * 100) / 100,
      actor: exchange.actor,
    });
  };

  const server = createServer(bornAsExpress(app), (request, response) => {
    requestCame();
    const startedAt = performance.now();
    const exchange = openExchange(request, newRequestId());
    watchdog.begin(exchange);
    beginAnswer(request, response, () => finish(exchange, request, response, startedAt));
    const answered = leanPaths.some((answer) => answer(request, response));
    if (!exchange.unhurried) limitArrival(server, exchange, request);
    if (answered) return;
    response.setHeader('X-Request-Id', exchange.id);
    app(request, response);
  });
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = LONGEST_REQUEST_MS;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  answerUnreadable(server, logger, newRequestId);
  const beginAnswer = prepareToDrain(server);
  server.once('listening', () => watchdog.start());
  server.once('close', () => watchdog.stop());
  return server;
};
