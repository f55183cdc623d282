import type { CauseKind } from '../../../../../application/notifications/ports/cause-ports.js';
import type { MailEnd } from '../../../../../application/notifications/ports/mail-outbox.js';
import type { MailTemplate } from '../../../../../application/shared/ports/mail-queue.js';
import type { NotificationLevel } from '../../../../../domain/notifications/notification-level.js';
import type { MailReason } from '../../../../../domain/notifications/notification-policy.js';
import {
  bigInteger,
  code,
  date,
  id,
  instant,
  integer,
  json,
  link,
  nullable,
  onceExpired,
  reference,
  sealed,
  table,
  text,
} from './table.js';

const SETTING = {
  user_id: reference('users'),
  level: code<NotificationLevel>(),
  events: json,
  updated_at: instant,
};

export const NOTIFICATION_TABLES = {
  notification_settings: table({
    key: ['user_id'],
    size: 'few',
    columns: { ...SETTING, email_id: link('emails') },
  }),
  group_notification_settings: table({
    key: ['namespace_id', 'user_id'],
    size: 'few',
    columns: { ...SETTING, namespace_id: reference('namespaces') },
  }),
  project_notification_settings: table({
    key: ['project_id', 'user_id'],
    size: 'few',
    columns: { ...SETTING, project_id: reference('projects') },
  }),
  issue_due_reminders: table({
    key: ['issue_id', 'due_date'],
    size: 'many',
    columns: { issue_id: reference('issues'), due_date: date, created_at: instant },
  }),
  notification_causes: table({
    key: ['id'],
    size: 'many',
    pruned: [onceExpired],
    columns: {
      id,
      kind: code<CauseKind>(),
      project_id: reference('projects'),
      subject_id: nullable(reference('subjects')),
      note_id: nullable(reference('notes')),
      alert_id: nullable(reference('alerts')),
      actor_id: link('users'),
      details: json,
      told_up_to: bigInteger,
      created_at: instant,
      expires_at: instant,
    },
  }),
  queued_mails: table({
    key: ['id'],
    size: 'many',
    pruned: [onceExpired],
    columns: {
      id,
      template: code<MailTemplate | 'notification'>(),
      recipient: nullable(text),
      sealed_content: nullable(sealed),
      cause_id: nullable(reference('notification_causes')),
      user_id: nullable(reference('users')),
      reason: nullable(code<MailReason>()),
      state: code<MailEnd | 'waiting'>(),
      problem: nullable(text),
      attempts: integer,
      due_at: instant,
      created_at: instant,
      expires_at: instant,
    },
  }),
};
