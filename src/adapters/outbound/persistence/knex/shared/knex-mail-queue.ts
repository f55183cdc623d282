import type { MailQueue, QueuedMail } from '../../../../../application/shared/ports/mail-queue.js';
import type { SecretBox } from '../../../../../application/shared/ports/secrets.js';
import type { Session } from '../session.js';

export class KnexMailQueue implements MailQueue {
  constructor(
    private readonly session: Session,
    private readonly secretBox: SecretBox,
  ) {}

  async enqueue({ recipient, template, content, createdAt }: QueuedMail): Promise<void> {
    await this.session.query('queued_mails').insert({
      recipient,
      template,
      sealed_content: this.secretBox.seal(JSON.stringify(content)),
      created_at: this.session.dialect.writeInstant(createdAt),
    });
  }
}
