import { headerText } from '../../domain/shared/header-text.js';
import type { LinkTemplate, MailTemplate } from '../shared/ports/mail-queue.js';
import type { MailRenderer, OutgoingMail } from '../shared/ports/mailer.js';

export interface AccountMail {
  readonly mailId: number;
  readonly createdAt: Date;
  readonly template: MailTemplate;
  readonly recipient: string;
  /** `name` and `username`, and what the template shows beside them. */
  readonly content: Readonly<Record<string, string>>;
}

const LINK_WORDS: Readonly<
  Record<LinkTemplate, { readonly subject: string; readonly ask: string; readonly else: string }>
> = {
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

const bodyOf = (renderer: MailRenderer, { template, content }: AccountMail) => {
  const data = { ...content, name: headerText(content['name'] ?? '') };
  if (template !== 'security_notice') {
    const words = LINK_WORDS[template];
    return { subject: words.subject, ...renderer.render('link', { ...data, ...words }) };
  }
  // What people named, such as a token, is in it: one line, so that nobody writes the rest of the mail.
  const told = headerText(content['told'] ?? '');
  const how = headerText(content['how'] ?? '');
  const subject = `Your account: ${told}`;
  return { subject, ...renderer.render('security-notice', { ...data, told, how, subject }) };
};

/** A mail about an account: a link that proves who reads an address, or what was done to it. */
export const composeAccountMail = (renderer: MailRenderer, domain: string, mail: AccountMail): OutgoingMail => {
  const { content, template, mailId, createdAt } = mail;
  return {
    messageId: `<${template}.${mailId}.${createdAt.getTime()}@${domain}>`,
    to: { name: headerText(content['name'] ?? ''), address: mail.recipient },
    ...bodyOf(renderer, mail),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  };
};
