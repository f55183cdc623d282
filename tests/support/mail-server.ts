import { once } from 'node:events';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { Sensitive } from '../../src/application/shared/sensitive.js';
import { freePort } from './free-port.js';

/** A mail as it arrived: for whom, parsed, and the text of its head. */
export interface ReceivedMail extends ParsedMail {
  readonly recipients: readonly string[];
  readonly head: string;
}

/** What the server answers a recipient with, instead of taking their mail. */
export interface Refusal {
  readonly code: number;
  readonly text: string;
}

/** A real SMTP server that keeps what it is sent. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  /** By address. */
  readonly refusals = new Map<string, Refusal>();
  /** Whether a mail that is kept is answered as if it were not, as when the connection breaks at the wrong moment. */
  answersLost = false;
  #server: SMTPServer | undefined;

  private constructor(private readonly port: number) {}

  static async start(): Promise<MailServer> {
    const server = new MailServer(await freePort());
    await server.up();
    return server;
  }

  get url(): Sensitive {
    return new Sensitive(`smtp://127.0.0.1:${this.port}`);
  }

  /** Listens, always at the same place. */
  async up(): Promise<void> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      logger: false,
      closeTimeout: 50,
      onRcptTo: ({ address }, _session, callback) => {
        const refusal = this.refusals.get(address);
        callback(refusal && Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
      },
      onData: (stream, session, callback) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const raw = Buffer.concat(chunks);
          const recipients = session.envelope.rcptTo.map(({ address }) => address);
          void this.#take(raw, recipients).then(() => callback(), callback);
        });
      },
    });
    // A client that goes away in the middle is its own affair.
    server.on('error', () => undefined);
    server.listen(this.port, '127.0.0.1');
    await once(server.server, 'listening');
    this.#server = server;
  }

  async down(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
  }

  /** Takes away what was received. */
  take(): readonly ReceivedMail[] {
    return this.mails.splice(0);
  }

  async #take(raw: Buffer, recipients: readonly string[]): Promise<void> {
    const parsed = await simpleParser(raw);
    const head = raw.toString('utf8').split('\r\n\r\n')[0] ?? '';
    this.mails.push(Object.assign(parsed, { recipients, head }));
    if (this.answersLost) throw Object.assign(new Error('Try again'), { responseCode: 451 });
  }
}
