import { LRUCache } from 'lru-cache';
import { TooLarge } from '../../../application/repositories/ports/object-stores.js';
import type { Arguments } from './command.js';
import { GitFailed, ranOut, type Git, type Output, type RunOptions } from './git.js';

/** What one commit changes, or two sides make of one another, is told in a moment, unless its trees nest one another again and again. */
const CHANGE_MS = 5_000;
/** So long it is not asked for again; then it is, for the machine may have been busy. */
const TOO_LARGE_FOR_MS = 10 * 60_000;
const MOST_TOO_LARGE = 1_000;

/** What commits change, and the like, of which git tells nothing before it has found all of it. */
export class ToldChanges {
  readonly #tooLarge = new LRUCache<string, true>({
    maxSize: MOST_TOO_LARGE,
    sizeCalculation: () => 1,
    ttl: TOO_LARGE_FOR_MS,
  });

  constructor(
    private readonly git: Git,
    private readonly deadlineMs = CHANGE_MS,
  ) {}

  /** @param of which change it is. @throws TooLarge for what takes too long or too much memory; it is tried once. */
  tell(store: string, of: string, args: Arguments, options: RunOptions = {}): Promise<Output> {
    return this.once(store, of, () => this.git.run(store, args, { deadlineMs: this.deadlineMs, ...options }));
  }

  /** The same of what is not told by one answer. @throws TooLarge. */
  async once<Result>(store: string, of: string, work: () => Promise<Result>): Promise<Result> {
    const key = `${store} ${of}`;
    if (this.#tooLarge.has(key)) throw new TooLarge();
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof GitFailed) || !ranOut(error)) throw error;
      this.#tooLarge.set(key, true);
      throw new TooLarge();
    }
  }
}
