import type { MailTemplate } from '../../shared/ports/mail-queue.js';
import type { MailReason } from '../../../domain/notifications/notification-policy.js';
import type { UserId } from '../../../domain/shared/identifiers.js';

/** A mail whose turn has come. */
export type WaitingMail = {
  readonly id: number;
  /** How often it was tried before. */
  readonly attempts: number;
  readonly createdAt: Date;
} & (
  | {
      readonly template: 'notification';
      readonly causeId: number;
      readonly userId: UserId;
      readonly reason: MailReason;
    }
  /** `content` is absent when it can't be opened any more. */
  | {
      readonly template: MailTemplate;
      readonly recipient: string;
      readonly content: Readonly<Record<string, string>> | undefined;
    }
);

export type MailEnd = 'sent' | 'refused' | 'withdrawn';

export interface MailOutbox {
  /** One mail for each person of a cause, however often this is called. */
  addNotifications(
    causeId: number,
    mails: readonly { readonly userId: UserId; readonly reason: MailReason }[],
    at: Date,
    expiresAt: Date,
  ): Promise<void>;
  /** Those that are due, at most `limit`, which nobody else gets before `until`; each counts as tried once more. */
  lease(now: Date, until: Date, limit: number): Promise<readonly WaitingMail[]>;
  /** Tries again at `dueAt`. */
  postpone(id: number, dueAt: Date, problem: string): Promise<void>;
  /** A mail with a link of its own is forgotten, any other stays so that its person gets no second one. */
  finish(id: number, end: MailEnd, problem: string | null): Promise<void>;
}
