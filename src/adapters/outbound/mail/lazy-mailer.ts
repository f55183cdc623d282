import type { Mailer, OutgoingMail, SendOutcome } from '../../../application/shared/ports/mailer.js';
import type { SmtpMailer, SmtpMailerOptions } from './smtp-mailer.js';

/** Loads what sends when the first mail is to be sent: many processes never send one. */
export class LazyMailer implements Mailer {
  #mailer: Promise<SmtpMailer> | undefined;

  constructor(private readonly options: SmtpMailerOptions) {}

  async send(mail: OutgoingMail): Promise<SendOutcome> {
    this.#mailer ??= import('./smtp-mailer.js').then(({ SmtpMailer }) => new SmtpMailer(this.options));
    return (await this.#mailer).send(mail);
  }

  /** Lets go of connections; what is being sent ends as it can. */
  async close(): Promise<void> {
    (await this.#mailer)?.close();
  }
}
