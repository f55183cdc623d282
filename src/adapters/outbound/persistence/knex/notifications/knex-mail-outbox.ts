import type {
  MailEnd,
  MailOutbox,
  NewNotification,
  WaitingMail,
} from '../../../../../application/notifications/ports/mail-outbox.js';
import type { MailTemplate } from '../../../../../application/shared/ports/mail-queue.js';
import type { SecretBox } from '../../../../../application/shared/ports/secrets.js';
import type { MailReason } from '../../../../../domain/notifications/notification-policy.js';
import { insertInto } from '../insert-rows.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { whereWord } from '../written-out.js';

const INSERT = insertInto(
  'queued_mails',
  ['template', 'cause_id', 'user_id', 'reason', 'state', 'attempts', 'due_at', 'created_at', 'expires_at'],
  'on conflict (cause_id, user_id) do nothing',
);

type MailRow = RowOf<'queued_mails'>;

export class KnexMailOutbox implements MailOutbox {
  constructor(
    private readonly session: Session,
    private readonly secretBox: SecretBox,
  ) {}

  async addNotifications(mails: readonly NewNotification[], at: Date): Promise<void> {
    if (mails.length === 0) return;
    const { dialect } = this.session;
    const now = dialect.writeInstant(at);
    const rows = mails.map(({ causeId, userId, reason, expiresAt }) => [
      ...['notification', causeId, userId, reason, 'waiting', 0],
      ...[now, now, dialect.writeInstant(expiresAt)],
    ]);
    await INSERT(this.session, rows);
  }

  async lease(now: Date, until: Date, limit: number): Promise<readonly WaitingMail[]> {
    const { query, dialect } = this.session;
    const due = whereWord(query('queued_mails'), 'state', 'waiting')
      .where('due_at', '<=', dialect.writeInstant(now))
      .orderBy('due_at')
      .orderBy('id')
      .limit(limit);
    const rows = await dialect.holdRows(due);
    if (rows.length === 0) return [];
    await query('queued_mails')
      .whereIn(
        'id',
        rows.map(({ id }) => id),
      )
      .update({ due_at: dialect.writeInstant(until), problem: null })
      .increment('attempts', 1);
    return rows.map((row) => this.#toMail(row));
  }

  async postpone(id: number, dueAt: Date, problem: string): Promise<void> {
    const { query, dialect } = this.session;
    await query('queued_mails')
      .where({ id, state: 'waiting' })
      .update({ due_at: dialect.writeInstant(dueAt), problem });
  }

  async finish(id: number, end: MailEnd, problem: string | null): Promise<void> {
    const { query } = this.session;
    if (end !== 'refused') await query('queued_mails').where({ id }).whereNull('cause_id').delete();
    await query('queued_mails').where({ id }).update({ state: end, problem });
  }

  async sendAgain(id: number, at: Date): Promise<boolean> {
    const changed = await this.session
      .query('queued_mails')
      .where({ id })
      .whereIn('state', ['waiting', 'refused'])
      .update({ state: 'waiting', due_at: this.session.dialect.writeInstant(at), problem: null });
    return changed > 0;
  }

  #toMail(row: MailRow): WaitingMail {
    const { id, attempts } = row;
    const shared = { id, attempts, createdAt: this.session.dialect.readInstant(row.created_at) };
    if (row.cause_id !== null) {
      const { cause_id: causeId, user_id: userId, reason } = row;
      return { ...shared, template: 'notification', causeId, userId: userId!, reason: reason as MailReason };
    }
    return {
      ...shared,
      template: row.template as MailTemplate,
      recipient: row.recipient ?? '',
      content: this.#open(row.sealed_content ?? ''),
    };
  }

  /** Undefined where it was sealed under another key: one such mail must not hold up the others. */
  #open(sealed: string): Readonly<Record<string, string>> | undefined {
    try {
      return JSON.parse(this.secretBox.open(sealed)) as Readonly<Record<string, string>>;
    } catch {
      return undefined;
    }
  }
}
