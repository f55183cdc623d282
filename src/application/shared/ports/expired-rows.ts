/** What loses its meaning at a set instant. */
export const EXPIRING = ['one_time_tokens', 'sessions'] as const;
export type Expiring = (typeof EXPIRING)[number];

export interface ExpiredRows {
  /** Removes at most `limit` of those that had expired at `now`, and answers how many. */
  remove(what: Expiring, now: Date, limit: number): Promise<number>;
}
