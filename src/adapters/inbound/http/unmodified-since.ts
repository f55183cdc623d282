import type { IncomingMessage } from 'node:http';
import { Changed } from '../../../domain/shared/domain-error.js';

/** A date of HTTP has whole seconds, so that what changed within the one that it names is as it was seen. */
const inWholeSeconds = (instant: number): number => Math.floor(instant / 1_000);

/**
 * Holds a request to its `If-Unmodified-Since` (RFC 9110 §13.1.4). A value that is no date is as if it were not sent.
 *
 * @throws Changed where the thing changed after that.
 */
export const refuseChanged = ({ headers }: Pick<IncomingMessage, 'headers'>, lastChanged: Date): void => {
  const seen = Date.parse(headers['if-unmodified-since'] ?? '');
  if (!Number.isNaN(seen) && inWholeSeconds(lastChanged.getTime()) > inWholeSeconds(seen)) throw new Changed();
};
