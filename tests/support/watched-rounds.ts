import { until } from './until.js';

/** What a node does again and again, by itself and when it is nudged. */
interface Rounds {
  runDue: () => Promise<number>;
}

/** Knows whether a round runs, and keeps a node from beginning one. */
export class WatchedRounds {
  #running = 0;
  #held = false;

  constructor(rounds: Rounds) {
    const runDue = rounds.runDue.bind(rounds);
    rounds.runDue = async () => {
      if (this.#held) return 0;
      this.#running += 1;
      try {
        return await runDue();
      } finally {
        this.#running -= 1;
      }
    };
  }

  /** Resolves when no round runs: what came of the last one is noted. */
  atRest(): Promise<void> {
    return until(() => Promise.resolve(this.#running === 0));
  }

  /** Lets no round begin from now on; resolves when none runs any more. */
  async hold(): Promise<void> {
    this.#held = true;
    await this.atRest();
  }

  goOn(): void {
    this.#held = false;
  }
}
