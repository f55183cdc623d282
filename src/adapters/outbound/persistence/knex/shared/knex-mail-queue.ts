import type { MailQueue, QueuedMail } from '../../../../../application/shared/ports/mail-queue.js';
import type { SecretBox } from '../../../../../application/shared/ports/secrets.js';
import type { Session } from '../session.js';

export class KnexMailQueue implements MailQueue {
  constructor(
    private readonly session: Session,
    private readonly secretBox: SecretBox,
  ) {}

  async enqueue({ recipient, template, content, createdAt, expiresAt }: QueuedMail): Promise<void> {
    const { query, dialect } = this.session;
    const at = dialect.writeInstant(createdAt);
    await query('queued_mails').insert({
      recipient,
      template,
      sealed_content: this.secretBox.seal(JSON.stringify(content)),
      state: 'waiting',
      attempts: 0,
      due_at: at,
      created_at: at,
      expires_at: dialect.writeInstant(expiresAt),
    });
  }
}
