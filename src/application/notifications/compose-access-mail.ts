import { headerText } from '../../domain/shared/header-text.js';
import type { AccessTemplate, MailTemplate } from '../shared/ports/mail-queue.js';
import type { MailRenderer, OutgoingMail } from '../shared/ports/mailer.js';
import type { QueuedAccountMail } from './compose-account-mail.js';

/** The addresses that mails about requests for access lead to. */
export interface AccessLinks {
  project(path: string): string;
  group(path: string): string;
  membersOf(kind: 'project' | 'group', path: string): string;
  notificationSettings(): string;
}

export type AccessMail = QueuedAccountMail<AccessTemplate>;

interface Words {
  readonly subject: string;
  readonly sentence: string;
  readonly why: string;
}

type Content = Readonly<Record<'requester' | 'path' | 'role', string>>;

const ASKED = 'you asked for access';

const WORDS: Readonly<Record<AccessTemplate, (content: Content) => Words>> = {
  access_requested: ({ requester, path }) => ({
    subject: `${requester} asks for access to ${path}`,
    sentence: `${requester} asks to be a member of ${path}. Approve or deny it there:`,
    why: 'you may decide on that',
  }),
  access_granted: ({ path, role }) => ({
    subject: `You have access to ${path}`,
    sentence: `Your request for access to ${path} was approved. You are a member now (${role}):`,
    why: ASKED,
  }),
  access_denied: ({ path }) => ({
    subject: `Your request for access to ${path} was denied`,
    sentence: `Your request for access was denied:`,
    why: ASKED,
  }),
};

export const isAccessTemplate = (template: MailTemplate): template is AccessTemplate => Object.hasOwn(WORDS, template);

/** A mail to who may decide on a request for access, or to who asked. What people named is one line. */
export const composeAccessMail = (
  renderer: MailRenderer,
  links: AccessLinks,
  domain: string,
  { content, template, mailId, createdAt, recipient }: AccessMail,
): OutgoingMail => {
  const kind = content['kind'] === 'group' ? 'group' : 'project';
  const path = content['path'] ?? '';
  const requester = headerText(content['requester'] ?? '');
  const { subject, sentence, why } = WORDS[template]({ requester, path, role: content['role'] ?? '' });
  const name = headerText(content['name'] ?? '');
  const link = template === 'access_requested' ? links.membersOf(kind, path) : links[kind](path);
  return {
    messageId: `<${template}.${mailId}.${createdAt.getTime()}@${domain}>`,
    to: { name, address: recipient },
    subject: headerText(subject),
    ...renderer.render('access-request', {
      ...{ name, subject, sentence, link, why },
      settings: links.notificationSettings(),
    }),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  };
};
