interface Waiting {
  readonly start: () => void;
  readonly refuse: () => void;
}

/**
 * Runs a few computations at once; the others wait, by source. Sources take turns. Once the queue is full, the source with the most
 * waiting loses the newest of them to one that has fewer, so that a flood keeps nobody else out.
 */
export class FairQueue {
  // In the order of their turns: a source that was served goes to the end.
  readonly #lines = new Map<string, Waiting[]>();
  #running = 0;
  #length = 0;

  constructor(
    private readonly concurrency: number,
    private readonly capacity: number,
    private readonly refusal: () => Error,
  ) {}

  run<Result>(source: string, compute: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const start = () => {
        this.#running += 1;
        void compute()
          .then(resolve, reject)
          .finally(() => {
            this.#running -= 1;
            this.#next()?.start();
          });
      };
      if (this.#running < this.concurrency) return start();
      this.#wait(source, { start, refuse: () => reject(this.refusal()) });
    });
  }

  #wait(source: string, waiting: Waiting): void {
    if (this.#length >= this.capacity && !this.#makeRoomFor(source)) return waiting.refuse();
    this.#lines.set(source, [...(this.#lines.get(source) ?? []), waiting]);
    this.#length += 1;
  }

  #makeRoomFor(source: string): boolean {
    const [longest, line] = [...this.#lines].reduce((most, each) => (each[1].length > most[1].length ? each : most));
    if (line.length <= (this.#lines.get(source)?.length ?? 0) + 1) return false;
    this.#lines.set(longest, line.slice(0, -1));
    this.#length -= 1;
    line.at(-1)?.refuse();
    return true;
  }

  #next(): Waiting | undefined {
    const [first] = this.#lines;
    if (first === undefined) return undefined;
    const [source, [next, ...others]] = first;
    this.#lines.delete(source);
    if (others.length > 0) this.#lines.set(source, others);
    this.#length -= 1;
    return next;
  }
}
