/** A table whose rows lose their meaning at a set instant. */
export interface Expiring {
  readonly table: string;
  /** How long after that instant they are still kept. */
  readonly keptMs: number;
}

export interface ExpiredRows {
  /** Removes at most `limit` of the rows of a table that had expired at `now`, and returns how many. */
  remove(table: string, now: Date, limit: number): Promise<number>;
}
