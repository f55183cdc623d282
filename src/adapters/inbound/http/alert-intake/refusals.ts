import type { TakeAlertsResult } from '../../../../application/alerts/take-alerts.js';
import type { TouchedAlert } from '../../../../application/alerts/said-before.js';
import type { ClosedReason } from '../../../../domain/alerts/integration.js';
import { parsePayload, PAYLOAD_BOUNDS, type PayloadProblem } from '../../../../domain/alerts/parse-payload.js';
import { Forbidden, NotFound, Unauthenticated } from '../../../../domain/shared/domain-error.js';
import { refusalOfBound } from '../body/json-bounds.js';
import { HttpError } from '../http-error.js';

const CLOSED: Readonly<Record<ClosedReason, () => Error>> = {
  removed: () => new NotFound(),
  key_replaced: () => new Unauthenticated(),
  switched_off: () => new Forbidden('The integration is switched off.'),
  is_a_link: () => new HttpError(400, 'A link takes no alerts: they go to the product that it names.'),
};

/** What a sender is told whose integration is closed, whether the head or the body of the request came too late. */
export const refusalOfClosed = (reason: ClosedReason): Error => CLOSED[reason]();

const PROBLEMS = {
  not_json: 'The payload is not valid JSON.',
  not_an_object: 'The payload must be a JSON object.',
  unpaired_surrogate: 'The payload contains an unpaired surrogate.',
  number_too_large: 'The payload contains a number that is too large.',
} as const;

const refusalOfPayload = (problem: PayloadProblem): HttpError =>
  problem.kind === 'bound_exceeded'
    ? refusalOfBound(problem.bound, PAYLOAD_BOUNDS, 'payload')
    : new HttpError(400, PROBLEMS[problem.kind]);

/** @throws HttpError 400 for what is not a payload. */
export const checkPayload = (text: string): void => {
  const parsed = parsePayload(text);
  if (parsed.outcome === 'not_a_payload') throw refusalOfPayload(parsed.problem);
};

/**
 * @throws HttpError 400 for what is not a payload, 422 for what Alertmanager doesn't send or reuses a key for another payload;
 * NotFound, Unauthenticated, Forbidden when the integration doesn't take it any more.
 */
export const touchedOrRefusal = (result: TakeAlertsResult): readonly TouchedAlert[] => {
  switch (result.outcome) {
    case 'accepted':
      return result.touched;
    case 'closed':
      throw refusalOfClosed(result.reason);
    case 'not_a_payload':
      throw refusalOfPayload(result.problem);
    case 'not_of_alertmanager':
      throw new HttpError(422, 'The payload is not an Alertmanager webhook payload of version 4.');
    case 'key_reused':
      throw new HttpError(422, 'The Idempotency-Key was used for another payload.');
  }
};
