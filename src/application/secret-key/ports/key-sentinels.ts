export interface KeySentinel {
  readonly id: number;
  readonly sealed: string;
}

/** One sealed text for each secret key that values of this database may be sealed with. */
export interface KeySentinels {
  list(): Promise<readonly KeySentinel[]>;
  /**
   * Adds what `decide` returns for the sentinels there are. Of processes that do so at once, each sees what the one before it added.
   */
  addMissing(decide: (present: readonly KeySentinel[]) => readonly string[], at: Date): Promise<void>;
  remove(ids: readonly number[]): Promise<void>;
}
