import { performance } from 'node:perf_hooks';

/** A step of a pattern at a character takes 2 ns as a rule, and 50 where as many ways to go on as possible are open. */
const SURE_UNITS = 1_000_000;
/** Beyond those that are sure. */
const MOST_MS = 50;
/** Of one search, which nobody else gets a turn in between. */
export const MOST_AT_ONCE = 1_000_000;

/** What regular expressions may take together: units, and beyond those that are sure a time that none but hostile ones need. */
export class RegexWork {
  #units = 0;
  #ms = 0;

  /**
   * @param most units: steps of a pattern times characters of a text.
   * @param mostMs of all of it.
   */
  constructor(
    private readonly most: number,
    private readonly mostMs = MOST_MS,
  ) {}

  /** Undefined where nothing is left for it. */
  do<Found>(units: number, work: () => Found): Found | undefined {
    this.#units += units;
    if (this.#units > this.most || (this.#units > SURE_UNITS && this.#ms > this.mostMs)) return undefined;
    const began = performance.now();
    try {
      return work();
    } finally {
      this.#ms += performance.now() - began;
    }
  }
}
