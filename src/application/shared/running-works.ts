import type { ProjectId } from '../../domain/shared/identifiers.js';

/** What is on its way at once, bounded in all and for each project, or whoever else it is for. */
export class RunningWorks<Whose = ProjectId> {
  readonly #running = new Map<Promise<void>, Whose>();
  #failed = false;
  #failure: unknown;

  constructor(
    private readonly most: number,
    private readonly mostOfOne: number,
  ) {}

  /** After a failure nothing more begins. */
  get isFull(): boolean {
    return this.#failed || this.#running.size >= this.most;
  }

  get full(): readonly Whose[] {
    const all = [...this.#running.values()];
    const isFull = (one: Whose): boolean => all.filter((other) => other === one).length >= this.mostOfOne;
    return [...new Set(all)].filter(isFull);
  }

  add(whose: Whose, work: Promise<unknown>): void {
    const ended = work.then(
      () => void this.#running.delete(ended),
      (error: unknown) => {
        this.#running.delete(ended);
        this.#failed = true;
        this.#failure = error;
      },
    );
    this.#running.set(ended, whose);
  }

  /** Waits until one has ended; false where none runs. @throws what one failed with, once none runs any more. */
  async nextEnd(): Promise<boolean> {
    if (this.#running.size > 0) {
      await Promise.race(this.#running.keys());
      return true;
    }
    if (this.#failed) throw this.#failure;
    return false;
  }
}
