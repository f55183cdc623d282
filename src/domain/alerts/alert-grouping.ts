import type { Alert, AlertSignal } from './alert.js';

export type GroupingDecision =
  | { readonly outcome: 'opened'; readonly reason: 'not_grouped' | 'no_open_alert' }
  | { readonly outcome: 'counted'; readonly reason: 'same_fingerprint' }
  | { readonly outcome: 'resolved'; readonly reason: 'end_given' }
  | { readonly outcome: 'nothing_to_resolve'; readonly reason: 'not_grouped' | 'no_open_alert' };

/**
 * What becomes of an arriving signal. A resolved alert is never used again; one that is open (triggered, acknowledged or
 * ignored) counts repeats, and ends with an end.
 */
export const decideGrouping = (
  open: Pick<Alert, 'id'> | undefined,
  { endedAt, fingerprintSource }: Pick<AlertSignal, 'endedAt' | 'fingerprintSource'>,
): GroupingDecision => {
  const reason = fingerprintSource === null ? 'not_grouped' : 'no_open_alert';
  if (endedAt !== null) {
    return open === undefined
      ? { outcome: 'nothing_to_resolve', reason }
      : { outcome: 'resolved', reason: 'end_given' };
  }
  return open === undefined ? { outcome: 'opened', reason } : { outcome: 'counted', reason: 'same_fingerprint' };
};
