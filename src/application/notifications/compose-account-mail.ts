import { headerText } from '../../domain/shared/header-text.js';
import type { AccessTemplate, LinkTemplate, MailTemplate, StrangerTemplate } from '../shared/ports/mail-queue.js';
import type { MailRenderer, OutgoingMail } from '../shared/ports/mailer.js';

export interface QueuedAccountMail<Template extends MailTemplate> {
  readonly mailId: number;
  readonly createdAt: Date;
  readonly template: Template;
  readonly recipient: string;
  /** `name` and `username`, and what the template shows beside them. */
  readonly content: Readonly<Record<string, string>>;
}

/** About an account itself. */
export type AccountMail = QueuedAccountMail<Exclude<MailTemplate, AccessTemplate>>;

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

interface StrangerWords {
  readonly subject: string;
  readonly ask: string;
  readonly else: string;
}

/** Who gets them need not have asked: what other people named is one line, and says who named it. */
const STRANGER_WORDS: Readonly<Record<StrangerTemplate, (content: AccountMail['content']) => StrangerWords>> = {
  invitation: ({ inviter = '', place = '', role = '' }) => ({
    subject: `${headerText(inviter)} invited you to ${headerText(place)}`,
    ask: `${headerText(inviter)} invited you to join ${headerText(place)} on Gatehouse (${role}). Follow this link to accept; it works once, for seven days:`,
    else: 'If you do not want to join, you need do nothing.',
  }),
  sign_up: () => ({
    subject: 'Create your account',
    ask: 'Follow this link to create your account; it works once, for a day:',
    else: 'If you did not ask for an account, you need do nothing.',
  }),
  already_signed_up: () => ({
    subject: 'You have an account already',
    ask: 'Somebody asked for an account for this address, and there is one already. Sign in here, or choose a new password if you forgot yours:',
    else: 'If that was not you, you need do nothing.',
  }),
};

const isForStrangers = (template: AccountMail['template']): template is StrangerTemplate =>
  Object.hasOwn(STRANGER_WORDS, template);

const bodyOf = (renderer: MailRenderer, { template, content }: AccountMail) => {
  const data = { ...content, name: headerText(content['name'] ?? '') };
  if (isForStrangers(template)) {
    const words = STRANGER_WORDS[template](content);
    return { subject: words.subject, ...renderer.render('invitation', { ...content, ...words }) };
  }
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
