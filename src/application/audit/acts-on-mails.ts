import type { MailOutbox } from '../notifications/ports/mail-outbox.js';
import type { ActsOf } from './acts.js';

export const actsOnMails: ActsOf<MailOutbox> = {
  addNotifications: 'ordinary',
  lease: 'ordinary',
  postpone: 'ordinary',
  finish: 'ordinary',
  sendAgain: { before: async (_, id) => [{ kind: 'mail_sent_again', subject: `mail ${id}` }] },
};
