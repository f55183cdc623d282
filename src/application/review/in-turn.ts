/** Does works of one key one after another: those of others don't wait for them. Works of another process are kept apart by what they do. */
export class InTurn<Key> {
  readonly #last = new Map<Key, Promise<unknown>>();

  async during<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const run = before.then(work, work);
    this.#last.set(key, run);
    try {
      return await run;
    } finally {
      if (this.#last.get(key) === run) this.#last.delete(key);
    }
  }
}
