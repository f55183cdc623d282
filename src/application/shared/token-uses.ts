/** A token's "last used" is written at most this often. */
const RESOLUTION_MS = 5 * 60_000;

/** Gathers the uses of tokens and writes them outside the requests, so that reading never waits for a write. */
export class TokenUses {
  #pending = new Map<number, Date>();

  constructor(private readonly write: (uses: ReadonlyMap<number, Date>) => Promise<void>) {}

  record(tokenId: number, lastUsedAt: Date | null, now: Date): void {
    const stale = lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= RESOLUTION_MS;
    if (stale && !this.#pending.has(tokenId)) this.#pending.set(tokenId, now);
  }

  /** Writes what was gathered; called by the scheduler and at the end of the process. */
  async flush(): Promise<void> {
    if (this.#pending.size === 0) return;
    const uses = this.#pending;
    this.#pending = new Map();
    try {
      await this.write(uses);
    } catch (error) {
      this.#pending = new Map([...this.#pending, ...uses]);
      throw error;
    }
  }
}
