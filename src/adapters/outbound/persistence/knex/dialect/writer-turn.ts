const [NEXT, SERVED] = [0, 1];

/**
 * Whose turn it is to write, of the threads of this process: in the order in which they asked. Each thread has one of these on the
 * same memory. Nobody is held up while waiting, as by the lock of the file itself, and nobody overtakes.
 */
export class WriterTurn {
  readonly #tickets: Int32Array<SharedArrayBuffer>;

  constructor(readonly memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.#tickets = new Int32Array(memory);
  }

  /** Resolves when it is the caller's turn, which is to be passed on. */
  async take(): Promise<void> {
    const ticket = Atomics.add(this.#tickets, NEXT, 1);
    for (;;) {
      const served = Atomics.load(this.#tickets, SERVED);
      if (served === ticket) return;
      const passed = Atomics.waitAsync(this.#tickets, SERVED, served);
      if (passed.async) await passed.value;
    }
  }

  /** How many turns have been passed on, by any thread: where it is another number, somebody has written. */
  get passed(): number {
    return Atomics.load(this.#tickets, SERVED);
  }

  /** Whether any thread writes, or is about to. */
  get isTaken(): boolean {
    return Atomics.load(this.#tickets, NEXT) !== Atomics.load(this.#tickets, SERVED);
  }

  pass(): void {
    Atomics.add(this.#tickets, SERVED, 1);
    Atomics.notify(this.#tickets, SERVED);
  }
}
