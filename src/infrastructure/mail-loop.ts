import type { DeliverMail } from '../application/notifications/deliver-mail.js';
import type { Logger } from '../application/shared/ports/logger.js';
import type { JobLoop } from '../adapters/inbound/scheduler/job-loop.js';
import type { LazyMailer } from '../adapters/outbound/mail/lazy-mailer.js';
import { endsWithin } from './ends-within.js';

const LONGEST_WAIT_MS = 10_000;

/** Delivers mail from the start of the service to its end; without a server to send by, mail waits. */
export class MailLoop {
  constructor(
    private readonly deliverMail: DeliverMail | undefined,
    private readonly loop: JobLoop,
    private readonly mailer: LazyMailer,
    private readonly logger: Logger,
  ) {}

  start(): void {
    if (this.deliverMail === undefined) this.logger.info('mail waits in the queue: SMTP_URL is not set');
    else this.loop.start();
  }

  /** Says that something may be due. */
  nudge(): void {
    this.loop.nudge();
  }

  async stop(): Promise<void> {
    this.deliverMail?.stop();
    const ended = this.loop.stop();
    // A server that does not answer must not keep the service from ending: what was on the way is sent again later.
    await endsWithin(LONGEST_WAIT_MS, ended);
    await this.mailer.close();
  }
}
