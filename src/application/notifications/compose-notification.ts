import { headerText } from '../../domain/shared/header-text.js';
import type { MailReason } from '../../domain/notifications/notification-policy.js';
import type { MailRenderer, OutgoingMail } from '../shared/ports/mailer.js';
import type { Person, Subject } from './ports/audience-ports.js';
import type { Cause, CauseKind } from './ports/cause-ports.js';
import type { UnsubscribeLinks } from './unsubscribe-links.js';

/** The addresses that mails lead to. */
export interface MailLinks {
  project(path: string): string;
  issue(projectPath: string, iid: number): string;
  alert(projectPath: string, iid: number): string;
  unsubscribe(token: string): string;
  notificationSettings(): string;
}

export interface NotificationMail {
  readonly mailId: number;
  readonly createdAt: Date;
  readonly cause: Cause;
  readonly subject: Subject;
  readonly person: Person & { readonly address: string };
  readonly reason: MailReason;
}

/** Longer texts are cut: the rest is behind the link. */
const MAX_QUOTED = 20_000;

const REASON_WORDS: Readonly<Record<MailReason, string>> = {
  mentioned: 'you were mentioned',
  assigned: 'it is assigned to you',
  author: 'you opened it',
  subscribed: 'you subscribed to it',
  unassigned: 'it was assigned to you',
  commented: 'you commented on it',
  mentioned_before: 'you were mentioned in it before',
  watching: 'you watch the project',
  custom: 'you chose to be told of such events',
  member: 'you are a member of the project',
  maintainer: 'you maintain the project',
};

/** One person's mail about one cause, in words, with what mail programs sort, thread and unsubscribe by. */
export class ComposeNotification {
  constructor(
    private readonly renderer: MailRenderer,
    private readonly links: MailLinks,
    private readonly unsubscribeLinks: UnsubscribeLinks,
    private readonly domain: string,
  ) {}

  compose(mail: NotificationMail): OutgoingMail {
    const { cause, subject, person, reason, mailId, createdAt } = mail;
    const unsubscribe = this.links.unsubscribe(this.#unsubscribeToken(mail));
    const { text, html } = this.renderer.render('notification', {
      sentence: sentenceOf(cause, subject),
      quoted: quotedOf(cause, subject),
      title: titleOf(cause, subject),
      link: this.#link(subject),
      why: REASON_WORDS[reason],
      ofIssue: subject.issue !== null,
      unsubscribe,
      settings: this.links.notificationSettings(),
    });
    const thread = threadOf(cause);
    return {
      messageId: `<notification.${mailId}.${createdAt.getTime()}@${this.domain}>`,
      ...(thread === undefined ? {} : { inReplyTo: `<${thread}@${this.domain}>` }),
      ...(subject.actor === null ? {} : { fromName: headerText(subject.actor.name) }),
      to: { name: headerText(person.name), address: person.address },
      subject: headerText(`${isAnswer(cause.kind) ? 'Re: ' : ''}${subject.project.name} | ${titleOf(cause, subject)}`),
      text,
      html,
      headers: { ...headersOf(subject, reason), ...unsubscribeHeaders(unsubscribe) },
    };
  }

  #unsubscribeToken({ person, subject: { project, issue } }: NotificationMail): string {
    const target = { userId: person.id, projectId: project.id };
    return this.unsubscribeLinks.tokenFor(
      issue === null
        ? { ...target, words: project.fullPath }
        : { ...target, issueId: issue.id, words: `${project.fullPath}#${issue.iid}` },
    );
  }

  #link({ project, issue, alert }: Subject): string {
    if (issue !== null) return this.links.issue(project.fullPath, issue.iid);
    return alert === null ? this.links.project(project.fullPath) : this.links.alert(project.fullPath, alert.iid);
  }
}

const headersOf = ({ project, issue }: Subject, reason: MailReason): Readonly<Record<string, string>> => ({
  'X-Gatehouse-Project': headerText(project.name),
  'X-Gatehouse-Project-Id': String(project.id),
  'X-Gatehouse-Project-Path': project.fullPath,
  ...(issue === null ? {} : { 'X-Gatehouse-Issue-Id': String(issue.id), 'X-Gatehouse-Issue-Iid': String(issue.iid) }),
  'X-Gatehouse-NotificationReason': reason,
  'Auto-Submitted': 'auto-generated',
  'X-Auto-Response-Suppress': 'All',
  Precedence: 'list',
});

/** RFC 2369 §3.2 and RFC 8058 §3.1. */
const unsubscribeHeaders = (address: string): Readonly<Record<string, string>> => ({
  'List-Unsubscribe': `<${address}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

const isAnswer = (kind: CauseKind): boolean =>
  kind !== 'new_issue' && kind !== 'moved_project' && kind !== 'alert_opened';

const threadOf = ({ issueId, alertId }: Cause): string | undefined => {
  if (issueId !== null) return `issue.${issueId}`;
  return alertId === null ? undefined : `alert.${alertId}`;
};

const titleOf = (cause: Cause, { issue, alert }: Subject): string => {
  if (issue !== null) return `${issue.title} (#${issue.iid})`;
  if (alert !== null) return `Alert: ${alert.title} (^alert#${alert.iid})`;
  return cause.kind === 'moved_project' ? 'Project was moved' : 'Notification';
};

const quotedOf = ({ kind }: Cause, { issue, note, alert }: Subject): string => {
  const text = {
    new_note: note?.body,
    new_issue: issue?.description,
    alert_opened: alert?.description,
  }[kind as string];
  return (text ?? '').length > MAX_QUOTED ? `${(text ?? '').slice(0, MAX_QUOTED)}…` : (text ?? '');
};

const sentenceOf = (cause: Cause, { project, issue, actor }: Subject): string => {
  const who = actor === null ? 'Somebody' : headerText(actor.name);
  switch (cause.kind) {
    case 'new_note':
      return `${who} commented:`;
    case 'new_issue':
      return `${who} opened an issue.${assignedTo(issue)}`;
    case 'reopen_issue':
      return `${who} reopened the issue.`;
    case 'close_issue':
      return `${who} closed the issue.`;
    case 'reassign_issue':
      return `${who} reassigned the issue.${assignedTo(issue) || ' It is assigned to nobody.'}`;
    case 'issue_due':
      return `The issue is due on ${issue?.dueDate ?? 'a day that was taken away'}.`;
    case 'moved_project':
      return `${who} moved the project from ${cause.details.fromPath ?? 'elsewhere'} to ${project.fullPath}.`;
    case 'alert_opened':
      return `An alert was triggered in ${project.fullPath}.`;
    case 'alert_resolved':
      return `An alert was resolved in ${project.fullPath}.`;
  }
};

const assignedTo = (issue: Subject['issue']): string => {
  const names = issue?.assignees.map(({ name }) => headerText(name)) ?? [];
  return names.length === 0 ? '' : ` It is assigned to ${names.join(', ')}.`;
};
