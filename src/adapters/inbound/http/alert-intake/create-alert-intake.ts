import type { IncomingMessage, ServerResponse } from 'node:http';
import type { IntegrationReader, IntegrationWithKey } from '../../../../application/alerts/ports/alert-readers.js';
import type { TouchedAlert } from '../../../../application/alerts/said-before.js';
import type { TakeAlerts } from '../../../../application/alerts/take-alerts.js';
import type { RecordDelivery } from '../../../../application/alerts/record-delivery.js';
import type { Logger } from '../../../../application/shared/ports/logger.js';
import type { SecretDigester } from '../../../../application/shared/ports/secrets.js';
import { closedReason } from '../../../../domain/alerts/integration.js';
import { TooManyRequests } from '../../../../domain/shared/domain-error.js';
import { answerTooLarge, BodyTooLarge, declaresMoreThan } from '../body/body-too-large.js';
import { readBytes } from '../body/read-bytes.js';
import { errorResponse } from '../error-response.js';
import { HttpError } from '../http-error.js';
import { describeError } from '../middleware/answer-errors.js';
import type { CountWrongKey } from '../middleware/wrong-key-limit.js';
import { answerJson } from '../server/answer-json.js';
import { exchangeOf } from '../server/exchange.js';
import type { LeanPath } from '../server/lean-path.js';
import { readIntakeAddress, type IntakeAddress } from './intake-address.js';
import { decodePayload } from './decode-payload.js';
import { presentedKey } from './presented-key.js';
import { RecentlyLetIn } from './recently-let-in.js';
import { refusalOfClosed, touchedOrRefusal } from './refusals.js';
import { sharePerTurn } from './share-per-turn.js';

export interface AlertIntakeParts {
  readonly integrationReader: IntegrationReader;
  readonly takeAlerts: TakeAlerts;
  readonly recordDelivery: RecordDelivery;
  readonly digester: SecretDigester;
  readonly logger: Logger;
  readonly payloadLimitBytes: number;
  /** Counts a request of an integration. @throws TooManyRequests. */
  readonly limitAlerts: (integrationId: number) => Promise<void>;
  readonly countWrongKey: CountWrongKey;
}

/** A request on its way through the intake: what is known of it when it is refused goes to the log of its integration. */
interface Visit {
  readonly request: IncomingMessage;
  readonly address: IntakeAddress;
  admitted?: IntegrationWithKey;
  body?: Buffer;
}

const JSON_TYPE = /^application\/(?:[\w.+-]*\+)?json\b/i;
const MAX_IDEMPOTENCY_KEY = 255;

const refuseOtherTypes = ({ headers: { 'content-type': type, 'content-encoding': encoding } }: IncomingMessage) => {
  if (type === undefined || !JSON_TYPE.test(type))
    throw new HttpError(415, `The provided content-type '${type ?? ''}' is not supported.`);
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new HttpError(415, 'The provided content-encoding is not supported.');
};

const idempotencyKeyOf = ({ headers }: IncomingMessage): string | undefined => {
  const key = headers['idempotency-key'];
  // A blank one names nothing.
  if (typeof key !== 'string' || key.trim() === '') return undefined;
  if (key.length > MAX_IDEMPOTENCY_KEY) throw new HttpError(400, 'The Idempotency-Key is too long.');
  return key;
};

const statusOf = (error: unknown): number =>
  (error as { status?: number }).status ?? errorResponse(error)?.status ?? 500;

/** Lets an integration in by its key, or throws why it stays out. */
const admitting = (parts: AlertIntakeParts) => {
  const findIntegration = sharePerTurn(({ projectPath, at }: IntakeAddress) =>
    parts.integrationReader.findByAddress(projectPath, at),
  );
  const digestPresented = sharePerTurn((authorization: string) => {
    const key = presentedKey(authorization);
    return { digest: key === undefined ? undefined : parts.digester.digest(key) };
  });

  const recentlyLetIn = new RecentlyLetIn();

  const stateOf = (found: IntegrationWithKey | undefined) =>
    found && { ...found.integration, keyDigest: found.keyDigest };

  /** What is remembered lets in, and refuses nobody: a key or a switch may have been turned since. */
  const lookUp = async (address: IntakeAddress, digest: string): Promise<IntegrationWithKey | undefined> => {
    const remembered = recentlyLetIn.find(address);
    if (remembered !== undefined && closedReason(stateOf(remembered), digest) === undefined) return remembered;
    const found = await findIntegration(address);
    if (found !== undefined && closedReason(stateOf(found), digest) === undefined) recentlyLetIn.keep(address, found);
    return found;
  };

  return async (visit: Visit): Promise<IntegrationWithKey> => {
    // Digests of random keys: how far two agree tells nothing of the key.
    const { digest = '' } = digestPresented(visit.request.headers.authorization ?? '');
    const found = await lookUp(visit.address, digest);
    const closed = closedReason(stateOf(found), digest);
    if (closed === 'key_replaced') await parts.countWrongKey(visit.request);
    if (found === undefined || closed === 'removed' || closed === 'key_replaced')
      throw refusalOfClosed(closed ?? 'removed');
    exchangeOf(visit.request).actor = `integration:${found.integration.id}`;
    visit.admitted = found;
    if (closed !== undefined) throw refusalOfClosed(closed);
    await parts.limitAlerts(found.integration.id);
    return found;
  };
};

/** What an integration refused is in its log, too. @returns what the sender is told, which is another thing once it is closed. */
const recordRefusal = async (
  { recordDelivery }: AlertIntakeParts,
  { admitted, body }: Visit,
  refusal: unknown,
): Promise<unknown> => {
  if (admitted === undefined || statusOf(refusal) >= 500) return refusal;
  let told = refusal;
  await recordDelivery.execute(admitted.integration.id, admitted.keyDigest, (closed) => {
    if (closed !== undefined) told = refusalOfClosed(closed);
    const kept = closed === undefined && body !== undefined && body.length > 0;
    return {
      outcome: told instanceof TooManyRequests ? 'throttled' : 'refused',
      reason: (told as Error).message,
      status: statusOf(told),
      payload: kept ? body.toString('utf8').replaceAll('\u0000', '') : null,
    };
  });
  return told;
};

const refuse = async (
  parts: AlertIntakeParts,
  visit: Visit,
  response: ServerResponse,
  refusal: unknown,
): Promise<void> => {
  const error: unknown = await recordRefusal(parts, visit, refusal).catch((failure: unknown) => failure);
  if (error instanceof BodyTooLarge) return answerTooLarge(visit.request, response);
  const { status, body, headers } = describeError(error, visit.request, parts.logger);
  // What is not read of a refused body can't be the beginning of the next request.
  const closing = visit.request.complete ? headers : { ...headers, Connection: 'close' };
  answerJson(response, status, body, closing);
  visit.request.resume();
};

/**
 * Takes alerts from whatever monitors. The order of refusals is fixed: unknown address 404, key 401, switched off 403, too many
 * 429, body 413, 415, 400, 422. Only what a retry can mend is a 5xx, because senders retry exactly that.
 */
export const createAlertIntake = (parts: AlertIntakeParts): LeanPath => {
  const { takeAlerts, payloadLimitBytes: limit } = parts;
  const readAddress = sharePerTurn(readIntakeAddress);
  const admit = admitting(parts);

  const take = async (visit: Visit): Promise<readonly TouchedAlert[]> => {
    const { request, address } = visit;
    const { integration, keyDigest } = await admit(visit);
    if (declaresMoreThan(request, limit)) throw new BodyTooLarge();
    refuseOtherTypes(request);
    visit.body = await readBytes(request, limit);
    const idempotencyKey = idempotencyKeyOf(request);
    const text = decodePayload(visit.body);
    const { projectPath } = address;
    return touchedOrRefusal(await takeAlerts({ integration, keyDigest, projectPath, text, idempotencyKey }));
  };

  const answer = async (visit: Visit, response: ServerResponse): Promise<void> => {
    try {
      answerJson(response, 200, await take(visit));
    } catch (error) {
      await refuse(parts, visit, response, error);
    }
  };

  return (request, response) => {
    const address = request.method === 'POST' ? readAddress(request.url ?? '') : undefined;
    if (address === undefined) return false;
    exchangeOf(request).route = address.route;
    void answer({ request, address }, response);
    return true;
  };
};
