import type { Logger } from '../../application/shared/ports/logger.js';
import type { SentPayload, TakeAlerts, TakeAlertsResult } from '../../application/alerts/take-alerts.js';
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

  constructor(
    private readonly takeHere: TakeAlerts,
    private readonly startThread: () => Promise<AlertThread>,
    private readonly logger: Logger,
  ) {}

  readonly take: TakeAlerts = async (payload) => {
    if (this.#thread !== undefined) return this.#thread.take(payload);
    return this.#takeHere(payload);
  };

  async close(): Promise<void> {
    // What comes from now on starts none.
    await (this.#starting ??= Promise.resolve());
    await this.#thread?.close();
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
      this.logger.info('alerts have a thread of their own');
    } catch (error) {
      this.logger.warn('alerts are taken without a thread of their own', { error: String(error) });
    }
  }
}
