import { NOTIFICATION_TOKENS } from '../../src/infrastructure/composition/notifications.tokens.js';
import { REPOSITORY_TOKENS } from '../../src/infrastructure/composition/repositories.tokens.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import type { Deployment } from './deployments.js';
import type { MailServer, ReceivedMail } from './mail-server.js';
import type { TestService, TestUser } from './test-service.js';

const STEP_MS = 25;
const PATIENCE_MS = 120_000;

/** One header, unfolded and decoded as mail programs do. */
export const header = (mail: ReceivedMail, name: string): string => {
  const value = mail.headers.get(name.toLowerCase());
  return typeof value === 'string' ? value : '';
};

/** One line of the head as it was sent, unfolded. */
export const rawHeader = (mail: ReceivedMail, name: string): string => {
  const lines = mail.head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const line = lines.find((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  return line?.slice(name.length + 1).trim() ?? '';
};

/** A service beside the mail server that it sends by. */
export class Mailing {
  constructor(
    readonly deployment: Deployment,
    readonly server: MailServer,
  ) {}

  get service(): TestService {
    return this.deployment.service;
  }

  advance(milliseconds: number): void {
    for (const { clock } of this.deployment.nodes) clock.advance(milliseconds);
  }

  call<Body = unknown>(who: TestUser, method: string, path: string, json?: unknown) {
    return this.service.call<Body>(method, path, { token: who.token, ...(json === undefined ? {} : { json }) });
  }

  /** Waits until nothing is left to be told or sent now. */
  async settle(): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    while (await this.#isBusy()) {
      if (performance.now() > end) throw new Error('Mail did not come to rest.');
      await this.#hurry();
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    }
  }

  /** Everything that was received since the last time, once it has come to rest. */
  async received(): Promise<readonly ReceivedMail[]> {
    await this.settle();
    return this.server.take();
  }

  /** The same as `user: reason`, sorted. */
  async told(): Promise<readonly string[]> {
    const mails = await this.received();
    return mails
      .map((mail) => `${mail.recipients.join().split('@')[0] ?? ''}: ${header(mail, 'X-Gatehouse-NotificationReason')}`)
      .sort();
  }

  /** What every node does once a second, at once. */
  async #hurry(): Promise<void> {
    for (const { service } of this.deployment.nodes) {
      await service.container.get(REPOSITORY_TOKENS.codeWorks).runDue();
      service.container.get(TOKENS.jobLoop).nudge();
      await service.container.get(NOTIFICATION_TOKENS.deliverMail).runDue();
    }
  }

  async #isBusy(): Promise<boolean> {
    const { query, dialect } = this.service.service.database.reader;
    // What follows a push asks for jobs, and jobs for mail.
    for (const table of ['code_works', 'jobs']) {
      const waiting: unknown = await query(table).first('id');
      if (waiting !== undefined) return true;
    }
    const now = dialect.writeInstant(this.service.clock.now());
    // While it is being sent nothing is known of it; afterwards it is sent, or has a problem and a time to be tried again.
    const mail: unknown = await query('queued_mails')
      .where({ state: 'waiting' })
      .where((busy) => void busy.whereNull('problem').orWhere('due_at', '<=', now))
      .first('id');
    return mail !== undefined;
  }
}
