import { Cron } from 'croner';
import type { Logger } from '../../../application/shared/ports/logger.js';

export interface ScheduledTask {
  readonly name: string;
  /** Seconds, minutes, hours, days, months, weekdays; in UTC. */
  readonly pattern: string;
  /** @param stopping is aborted when the scheduler stops: what takes longer than a moment ends early, and goes on at its next time. */
  readonly run: (stopping: AbortSignal) => Promise<unknown>;
}

/** Runs tasks by the clock. A task that is still running is not started again; one that fails is tried at its next time. */
export class Scheduler {
  #crons: readonly Cron[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();

  constructor(
    private readonly tasks: readonly ScheduledTask[],
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.#crons = this.tasks.map(
      (task) => new Cron(task.pattern, { protect: true, unref: true, utcOffset: 0 }, () => this.#track(task)),
    );
  }

  /** Starts nothing new, and waits for what runs to come to an end. */
  async stop(): Promise<void> {
    this.#crons.forEach((cron) => cron.stop());
    this.#crons = [];
    this.#stopping.abort();
    await Promise.all(this.#running);
  }

  #track(task: ScheduledTask): Promise<void> {
    const running = this.#run(task).finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }

  async #run({ name, run }: ScheduledTask): Promise<void> {
    try {
      await run(this.#stopping.signal);
    } catch (error) {
      // The database is away, most likely.
      this.logger.warn('a scheduled task failed', { task: name, error: String(error) });
    }
  }
}
