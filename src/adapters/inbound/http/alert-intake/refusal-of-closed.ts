import type { ClosedReason } from '../../../../domain/alerts/integration.js';
import { Forbidden, NotFound, Unauthenticated } from '../../../../domain/shared/domain-error.js';
import { HttpError } from '../http-error.js';

const REFUSALS: Readonly<Record<ClosedReason, () => Error>> = {
  removed: () => new NotFound(),
  key_replaced: () => new Unauthenticated(),
  switched_off: () => new Forbidden('The integration is switched off.'),
  is_a_link: () => new HttpError(400, 'A link takes no alerts: they go to the product that it names.'),
};

/** What a sender is told whose integration is closed, whether the head or the body of the request came too late. */
export const refusalOfClosed = (reason: ClosedReason): Error => REFUSALS[reason]();
