import type { Logger } from '../../../application/shared/ports/logger.js';

const POLL_MS = 1_000;

/** Runs due jobs: at once after a nudge, and every second for those of other nodes and for retries. */
export class JobLoop {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #again = false;

  constructor(
    private readonly runDue: () => Promise<number>,
    private readonly logger: Logger,
    private readonly complaint = 'jobs could not be run',
  ) {}

  start(): void {
    this.#timer = setInterval(() => this.nudge(), POLL_MS);
    this.#timer.unref();
    this.nudge();
  }

  /** Says that something may be due. Does nothing before the start and after the stop. */
  nudge(): void {
    if (this.#timer === undefined) return;
    this.#again = true;
    this.#running ??= this.#run();
  }

  /** Starts nothing new and waits for what runs. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#again = false;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      try {
        await this.runDue();
      } catch (error) {
        // The database is away, most likely: the next round tries again.
        this.logger.warn(this.complaint, { error: String(error) });
      }
    }
    this.#running = undefined;
  }
}
