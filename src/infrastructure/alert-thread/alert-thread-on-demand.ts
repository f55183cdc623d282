import type { Logger } from '../../application/shared/ports/logger.js';
import type { SentPayload, TakeAlerts, TakeAlertsResult } from '../../application/alerts/take-alerts.js';
import { StorageMoved } from '../../adapters/outbound/persistence/knex/dialect/constraint-violations.js';
import type { AlertThread } from './alert-thread.js';

/** As many requests at once are a storm. */
const STORM = 16;

/**
 * Takes alerts in this thread until the first storm, and from then on in a thread of their own, which costs memory that a calm installation
 * can spare (`docs/performance.md`).
 */
export class AlertThreadOnDemand {
  #taking = 0;
  #starting: Promise<void> | undefined;
  #thread: AlertThread | undefined;
  #ending: Promise<void> = Promise.resolve();

  constructor(
    private readonly takeHere: TakeAlerts,
    /** Answers undefined where the database has no use for a thread. */
    private readonly startThread: () => Promise<AlertThread | undefined>,
    private readonly logger: Logger,
  ) {}

  readonly take: TakeAlerts = async (payload) => {
    const thread = this.#thread;
    if (thread === undefined) return this.#takeHere(payload);
    try {
      return await thread.take(payload);
    } catch (error) {
      // Nothing of it was written: it is taken where the storage is now.
      if (!(error instanceof StorageMoved)) throw error;
      this.#end(thread);
      return this.#takeHere(payload);
    }
  };

  async close(): Promise<void> {
    // What comes from now on starts none.
    await (this.#starting ??= Promise.resolve());
    await this.#thread?.close();
    await this.#ending;
  }

  /** What it was asked is answered; a storm that comes later starts another one. */
  #end(thread: AlertThread): void {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    this.#starting = undefined;
    this.#ending = thread.close();
  }

  async #takeHere(payload: SentPayload): Promise<TakeAlertsResult> {
    this.#taking += 1;
    if (this.#taking === STORM) this.#starting ??= this.#start();
    try {
      return await this.takeHere(payload);
    } finally {
      this.#taking -= 1;
    }
  }

  async #start(): Promise<void> {
    try {
      this.#thread = await this.startThread();
      if (this.#thread !== undefined) this.logger.info('alerts have a thread of their own');
    } catch (error) {
      this.logger.warn('alerts are taken without a thread of their own', { error: String(error) });
    }
  }
}
