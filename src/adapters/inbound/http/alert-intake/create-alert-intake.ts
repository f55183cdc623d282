import express, { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import type { RecordDelivery } from '../../../../application/alerts/record-delivery.js';
import type { IntegrationReader, IntegrationWithKey } from '../../../../application/alerts/ports/alert-readers.js';
import type { Logger } from '../../../../application/shared/ports/logger.js';
import type { SecretDigester } from '../../../../application/shared/ports/secrets.js';
import { Forbidden, NotFound, TooManyRequests, Unauthenticated } from '../../../../domain/shared/domain-error.js';
import { errorResponse } from '../error-response.js';
import { HttpError } from '../http-error.js';
import { answerErrors } from '../middleware/answer-errors.js';
import { refuseTooLarge } from '../middleware/read-body.js';
import { sendJson } from '../send-json.js';
import { exchangeOf } from '../server/exchange.js';
import { isStorable } from '../validation/storable-text.js';
import { decodePayload } from './read-payload.js';
import type { TakePayload } from './take-payload.js';

export interface AlertIntakeParts {
  readonly integrationReader: IntegrationReader;
  readonly takePayload: TakePayload;
  readonly recordDelivery: RecordDelivery;
  readonly digester: SecretDigester;
  readonly logger: Logger;
  readonly payloadLimitBytes: number;
  /** Counts a request of an integration. @throws TooManyRequests. */
  readonly limitAlerts: (integrationId: number) => Promise<void>;
}

type Found = IntegrationWithKey & { readonly projectPath: string };

const JSON_TYPE = /^application\/(?:[\w.+-]*\+)?json\b/i;
const MAX_IDEMPOTENCY_KEY = 255;

/** The key of a request: a Bearer, or the password of Basic, which senders often have. */
const presentedKey = (request: Request): string | undefined => {
  const authorization = request.headers.authorization ?? '';
  const bearer = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (bearer !== undefined) return bearer;
  const basic = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.[1];
  if (basic === undefined) return undefined;
  const decoded = Buffer.from(basic, 'base64').toString('utf8');
  return decoded.slice(decoded.indexOf(':') + 1);
};

const joined = (path: string | readonly string[] | undefined): string => {
  const text = typeof path === 'string' ? path : (path ?? []).join('/');
  return isStorable(text) ? text : '';
};

/**
 * Takes alerts from whatever monitors. The order of refusals is fixed: unknown address 404, key 401, switched off 403, too many
 * 429, body 413, 415, 400, 422. Only what a retry can mend is a 5xx, because senders retry exactly that.
 */
export const createAlertIntake = (parts: AlertIntakeParts): Router => {
  const { integrationReader, takePayload, recordDelivery, digester, logger, payloadLimitBytes: limit } = parts;
  const router = Router({ caseSensitive: true });
  const found = new WeakMap<Request, Found>();

  const admit =
    (route: string, typeOf: 'generic' | 'prometheus' | undefined): RequestHandler =>
    async (request, _response, next) => {
      const exchange = exchangeOf(request);
      exchange.route = route;
      const path = joined(request.params['path']);
      const at = typeOf === undefined ? { identifier: joined(request.params['identifier']) } : { type: typeOf };
      const integration = await integrationReader.findByAddress(path, at);
      if (integration === undefined) throw new NotFound();
      const key = presentedKey(request);
      // Digests of random keys: how far two agree tells nothing of the key.
      if (key === undefined || digester.digest(key) !== integration.keyDigest) throw new Unauthenticated();
      exchange.actor = `integration:${integration.integration.id}`;
      found.set(request, { ...integration, projectPath: path });
      if (!integration.integration.active) throw new Forbidden('The integration is switched off.');
      await parts.limitAlerts(integration.integration.id);
      next();
    };

  const refuseOtherTypes: RequestHandler = (request, _response, next) => {
    const type = request.headers['content-type'];
    if (type !== undefined && JSON_TYPE.test(type)) return next();
    throw new HttpError(415, `The provided content-type '${type ?? ''}' is not supported.`);
  };

  const take = async (request: Request, response: Response): Promise<void> => {
    const integration = found.get(request);
    if (integration === undefined) throw new NotFound();
    const idempotencyKey = request.get('idempotency-key');
    if ((idempotencyKey?.length ?? 0) > MAX_IDEMPOTENCY_KEY)
      throw new HttpError(400, 'The Idempotency-Key is too long.');
    const bytes: unknown = request.body;
    const text = decodePayload(Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0));
    sendJson(response, await takePayload({ ...integration, text, idempotencyKey }));
  };

  /** What an integration refused is in its log, too. */
  const recordRefusals: ErrorRequestHandler = async (error: unknown, request, _response, next) => {
    const integration = found.get(request)?.integration;
    const status = (error as { status?: number }).status ?? errorResponse(error)?.status ?? 500;
    if (integration !== undefined && status < 500) {
      const throttled = error instanceof TooManyRequests;
      const body: unknown = request.body;
      await recordDelivery.execute({
        integrationId: integration.id,
        outcome: throttled ? 'throttled' : 'refused',
        reason: (error as Error).message,
        status,
        payload: Buffer.isBuffer(body) && body.length > 0 ? body.toString('utf8').replaceAll('\u0000', '') : null,
      });
    }
    next(error);
  };

  const read = express.raw({ type: () => true, limit: limit - 1, inflate: false });
  const addresses = [
    ['/*path/prometheus/alerts/notify.json', 'prometheus'],
    ['/*path/alerts/notify.json', 'generic'],
    ['/*path/alerts/notify/:name/:identifier.json', undefined],
  ] as const;
  for (const [path, type] of addresses) {
    router.post(path, admit(path, type), refuseTooLarge(limit), refuseOtherTypes, read, take);
  }
  router.use(recordRefusals);
  router.use(answerErrors(logger));
  return router;
};
