import type { MailTemplate } from '../../shared/ports/mail-queue.js';
import type { MailReason } from '../../../domain/notifications/notification-policy.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../domain/shared/page.js';

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

/** A mail as the list of the queue shows it: without what it says. */
export interface QueuedMailEntry {
  readonly id: number;
  readonly template: string;
  /** An address, or the username of who is notified. */
  readonly recipient: string | null;
  readonly state: 'waiting' | MailEnd;
  readonly problem: string | null;
  readonly attempts: number;
  readonly dueAt: Date;
  readonly createdAt: Date;
}

export interface MailQueueReader {
  /** The newest first; of those that failed, some may be tried again by themselves. */
  list(which: 'waiting' | 'failed', page: PageRequest): Promise<Page<QueuedMailEntry>>;
  /** Counted up to 10,000. */
  count(): Promise<{ readonly waiting: number; readonly failed: number }>;
}

export type MailEnd = 'sent' | 'refused' | 'withdrawn';

/** A mail that one person is to have about one cause. */
export interface NewNotification {
  readonly causeId: number;
  readonly userId: UserId;
  readonly reason: MailReason;
  readonly expiresAt: Date;
}

export interface MailOutbox {
  /** One mail for each person of a cause, however often this is called. */
  addNotifications(mails: readonly NewNotification[], at: Date): Promise<void>;
  /** Those that are due, at most `limit`, which nobody else gets before `until`; each counts as tried once more. */
  lease(now: Date, until: Date, limit: number): Promise<readonly WaitingMail[]>;
  /** Tries again at `dueAt`. */
  postpone(id: number, dueAt: Date, problem: string): Promise<void>;
  /** A mail with a link of its own is forgotten, unless it was refused; any other stays so that its person gets no second one. */
  finish(id: number, end: MailEnd, problem: string | null): Promise<void>;
  /** Makes one that waits or was refused due. False when there is none. */
  sendAgain(id: number, at: Date): Promise<boolean>;
}
