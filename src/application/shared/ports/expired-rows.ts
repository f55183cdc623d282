/**
 * What loses its meaning at a set instant. Codes and tokens of OAuth are kept a while longer, so that a repeat is recognised
 * and whoever uses one is told that it expired.
 */
export const EXPIRING = [
  'one_time_tokens',
  'sessions',
  'oauth_authorization_codes',
  'oauth_access_tokens',
  'oauth_refresh_tokens',
  'oauth_grants',
  'alert_deliveries',
  'alert_idempotency_keys',
  'queued_mails',
  'notification_causes',
  'security_events',
] as const;
export type Expiring = (typeof EXPIRING)[number];

export interface ExpiredRows {
  /** Removes at most `limit` of those that had expired at `now`, and answers how many. */
  remove(what: Expiring, now: Date, limit: number): Promise<number>;
}
