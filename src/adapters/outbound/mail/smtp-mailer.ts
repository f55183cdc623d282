import { createTransport } from 'nodemailer';
import SMTPPool from 'nodemailer/lib/smtp-pool';
import type { Mailer, OutgoingMail, SendOutcome } from '../../../application/shared/ports/mailer.js';

export interface SmtpMailerOptions {
  readonly url: string;
  readonly from: { readonly name: string; readonly address: string };
}

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 };
const CONNECTIONS = 5;
const MAX_PROBLEM = 500;

interface SmtpError {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly message: string;
}

/** What is said of this one mail; a refusal to sign in, or of the sender, is no fault of the mail. */
const isAboutTheMail = ({ code, command }: SmtpError): boolean =>
  code === 'EMESSAGE' || command === 'RCPT TO' || command === 'DATA';

const readFailure = (error: SmtpError): SendOutcome => {
  const problem = (error.response ?? error.message).slice(0, MAX_PROBLEM);
  // RFC 5321 §4.2.1: 5yz is permanent.
  const permanent = (error.responseCode ?? 0) >= 500 && isAboutTheMail(error);
  return { outcome: permanent ? 'refused' : 'postponed', problem };
};

/** Sends by SMTP, over a few connections that are kept open between mails. */
export class SmtpMailer implements Mailer {
  readonly #transport;
  readonly #from: SmtpMailerOptions['from'];

  constructor({ url, from }: SmtpMailerOptions) {
    this.#from = from;
    this.#transport = createTransport(new SMTPPool({ url, pool: true, maxConnections: CONNECTIONS, ...TIMEOUTS }));
  }

  async send(mail: OutgoingMail): Promise<SendOutcome> {
    try {
      await this.#transport.sendMail({
        messageId: mail.messageId,
        ...(mail.inReplyTo === undefined ? {} : { inReplyTo: mail.inReplyTo, references: mail.inReplyTo }),
        from: { name: mail.fromName ?? this.#from.name, address: this.#from.address },
        to: { ...mail.to },
        envelope: { from: this.#from.address, to: [mail.to.address] },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        headers: { ...mail.headers },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      return { outcome: 'sent' };
    } catch (error) {
      return readFailure(error as SmtpError);
    }
  }

  close(): void {
    this.#transport.close();
  }
}
