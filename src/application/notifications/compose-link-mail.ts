import { headerText } from '../../domain/shared/header-text.js';
import type { MailTemplate } from '../shared/ports/mail-queue.js';
import type { MailRenderer, OutgoingMail } from '../shared/ports/mailer.js';

export interface LinkMail {
  readonly mailId: number;
  readonly createdAt: Date;
  readonly template: MailTemplate;
  readonly recipient: string;
  /** `name`, `username` and `link`. */
  readonly content: Readonly<Record<string, string>>;
}

const WORDS: Readonly<Record<MailTemplate, { readonly subject: string; readonly ask: string; readonly else: string }>> =
  {
    confirm_email: {
      subject: 'Confirm your e-mail address',
      ask: 'Follow this link to confirm that the address is yours:',
      else: 'If you did not give this address, you need do nothing.',
    },
    reset_password: {
      subject: 'Choose a new password',
      ask: 'Follow this link to choose a new password:',
      else: 'If you did not ask for it, you need do nothing: your password stays as it is.',
    },
  };

/** A mail with a link that proves who reads an address. */
export const composeLinkMail = (renderer: MailRenderer, domain: string, mail: LinkMail): OutgoingMail => {
  const { content, template, mailId, createdAt } = mail;
  const name = headerText(content['name'] ?? '');
  const words = WORDS[template];
  return {
    messageId: `<${template}.${mailId}.${createdAt.getTime()}@${domain}>`,
    to: { name, address: mail.recipient },
    subject: words.subject,
    ...renderer.render('link', { ...words, name, username: content['username'] ?? '', link: content['link'] ?? '' }),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  };
};
