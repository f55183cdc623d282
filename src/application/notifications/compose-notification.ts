import { headerText } from '../../domain/shared/header-text.js';
import { SUBJECT_TYPES, type SubjectKind } from '../../domain/shared/subject.js';
import type { MailReason } from '../../domain/notifications/notification-policy.js';
import type { SubjectDetails } from '../collaboration/ports/subject-ports.js';
import type { MailRenderer, OutgoingMail } from '../shared/ports/mailer.js';
import type { Person, Topic } from './ports/audience-ports.js';
import {
  isOfPipeline,
  type Cause,
  type CauseKind,
  type EndedPipeline,
  type KindOfPipeline,
} from './ports/cause-ports.js';
import type { MailMarkup } from './ports/mail-markup.js';
import type { UnsubscribeLinks } from './unsubscribe-links.js';

/** The addresses that mails lead to. */
export interface MailLinks {
  project(path: string): string;
  /** @param page of a subject, below that of its project. */
  subject(projectPath: string, page: string): string;
  alert(projectPath: string, iid: number): string;
  pipeline(projectPath: string, id: number): string;
  unsubscribe(token: string): string;
  notificationSettings(): string;
}

export interface NotificationMail {
  readonly mailId: number;
  readonly createdAt: Date;
  readonly cause: Cause;
  readonly topic: Topic;
  readonly person: Person & { readonly address: string };
  readonly reason: MailReason;
}

/** Longer texts are cut: the rest is behind the link. */
const MAX_QUOTED = 20_000;

/** What mail calls each kind of subject. */
const NOUNS: Readonly<Record<SubjectKind, string>> = {
  issue: 'issue',
  merge_request: 'merge request',
  snippet: 'snippet',
  commit: 'commit',
};

const REASON_WORDS: Readonly<Record<MailReason, string>> = {
  mentioned: 'you were mentioned',
  assigned: 'it is assigned to you',
  author: 'you opened it',
  subscribed: 'you subscribed to it',
  subscribed_to_label: 'you subscribed to a label that it has',
  unassigned: 'it was assigned to you',
  commented: 'you commented on it',
  mentioned_before: 'you were mentioned in it before',
  watching: 'you watch the project',
  custom: 'you chose to be told of such events',
  member: 'you are a member of the project',
  maintainer: 'you maintain the project',
};

const whyOf = (reason: MailReason, { subject }: Topic, { kind }: Cause): string => {
  if (reason === 'member' && isOfPipeline(kind)) return 'it checks a merge request of yours';
  return reason === 'author' && subject?.kind === 'commit' ? 'you wrote it' : REASON_WORDS[reason];
};

/** One person's mail about one cause, in words, with what mail programs sort, thread and unsubscribe by. */
export class ComposeNotification {
  constructor(
    private readonly renderer: MailRenderer,
    private readonly links: MailLinks,
    private readonly unsubscribeLinks: UnsubscribeLinks,
    private readonly domain: string,
    private readonly markup: MailMarkup,
  ) {}

  async compose(mail: NotificationMail): Promise<OutgoingMail> {
    const { cause, topic, person, reason, mailId, createdAt } = mail;
    const unsubscribe = this.links.unsubscribe(this.#unsubscribeToken(mail));
    const quoted = quotedOf(cause, topic);
    const { text, html } = this.renderer.render('notification', {
      sentence: sentenceOf(cause, topic),
      quoted,
      quotedHtml: await this.#htmlOf(quoted, mail),
      title: titleOf(cause, topic),
      link: this.#link(topic, cause),
      why: whyOf(reason, topic, cause),
      subject: topic.subject && NOUNS[topic.subject.kind],
      unsubscribe,
      settings: this.links.notificationSettings(),
    });
    const thread = threadOf(topic);
    return {
      messageId: `<notification.${mailId}.${createdAt.getTime()}@${this.domain}>`,
      ...(thread === undefined ? {} : { inReplyTo: `<${thread}@${this.domain}>` }),
      ...(topic.actor === null ? {} : { fromName: headerText(topic.actor.name) }),
      to: { name: headerText(person.name), address: person.address },
      subject: headerText(`${isAnswer(cause.kind) ? 'Re: ' : ''}${topic.project.name} | ${titleOf(cause, topic)}`),
      text,
      html,
      headers: { ...headersOf(topic, reason), ...unsubscribeHeaders(unsubscribe) },
    };
  }

  /** Of what people write; what machines send is shown as they sent it. */
  #htmlOf(quoted: string, { topic: { project, subject }, person }: NotificationMail): Promise<string | undefined> {
    if (quoted === '' || subject === null) return Promise.resolve(undefined);
    return this.markup.html(quoted, project.id, person);
  }

  #unsubscribeToken({ person, topic: { project, subject } }: NotificationMail): string {
    const target = { userId: person.id, projectId: project.id };
    return this.unsubscribeLinks.tokenFor(
      subject === null
        ? { ...target, words: project.fullPath }
        : { ...target, subjectId: subject.id, words: `${project.fullPath}${subject.reference}` },
    );
  }

  #link({ project, subject, alert, note }: Topic, { details: { pipeline } }: Cause): string {
    if (subject !== null) {
      const page = this.links.subject(project.fullPath, subject.page);
      return note === null ? page : `${page}?note=${note.id}#note_${note.id}`;
    }
    if (pipeline !== undefined) return this.links.pipeline(project.fullPath, pipeline.id);
    return alert === null ? this.links.project(project.fullPath) : this.links.alert(project.fullPath, alert.iid);
  }
}

const headersOf = ({ project, subject }: Topic, reason: MailReason): Readonly<Record<string, string>> => ({
  'X-Gatehouse-Project': headerText(project.name),
  'X-Gatehouse-Project-Id': String(project.id),
  'X-Gatehouse-Project-Path': project.fullPath,
  ...(subject === null ? {} : headersOfSubject(subject)),
  'X-Gatehouse-NotificationReason': reason,
  'Auto-Submitted': 'auto-generated',
  'X-Auto-Response-Suppress': 'All',
  Precedence: 'list',
});

const headersOfSubject = ({ kind, id, iid }: SubjectDetails): Readonly<Record<string, string>> => {
  const prefix = `X-Gatehouse-${SUBJECT_TYPES[kind]}`;
  return { [`${prefix}-Id`]: String(id), ...(iid === null ? {} : { [`${prefix}-Iid`]: String(iid) }) };
};

/** RFC 2369 §3.2 and RFC 8058 §3.1. */
const unsubscribeHeaders = (address: string): Readonly<Record<string, string>> => ({
  'List-Unsubscribe': `<${address}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

const BEGINNINGS: ReadonlySet<CauseKind> = new Set(['new_issue', 'new_merge_request', 'moved_project', 'alert_opened']);
const isAnswer = (kind: CauseKind): boolean => !BEGINNINGS.has(kind) && !isOfPipeline(kind);

const threadOf = ({ subject, alert }: Topic): string | undefined => {
  if (subject !== null) return `${subject.kind}.${subject.id}`;
  return alert === null ? undefined : `alert.${alert.id}`;
};

const SHORT_ID = 8;

const ENDS: Readonly<Record<KindOfPipeline, string>> = {
  failed_pipeline: 'failed',
  fixed_pipeline: 'was fixed',
  success_pipeline: 'succeeded',
};

const pipelineWords = ({ iid, ref }: EndedPipeline): string => `Pipeline #${iid} of ${ref}`;

const pipelineSentence = (kind: KindOfPipeline, { details: { pipeline } }: Cause): string => {
  if (pipeline === undefined) return 'A pipeline has ended.';
  const names = headerText(pipeline.failed.join(', '));
  const what = kind === 'failed_pipeline' && names !== '' ? ` These checks did: ${names}.` : '';
  return `${pipelineWords(pipeline)} ${ENDS[kind]}.${what}`;
};

const titleOf = (cause: Cause, { subject, alert }: Topic): string => {
  // A title of several lines would be paragraphs of the mail.
  if (subject !== null) return `${subject.title.replace(/\s+/gu, ' ')} (${subject.reference})`;
  if (alert !== null) return `Alert: ${alert.title} (^alert#${alert.iid})`;
  const { pipeline } = cause.details;
  if (pipeline !== undefined && isOfPipeline(cause.kind))
    return `${pipelineWords(pipeline)} ${ENDS[cause.kind]} (${pipeline.sha.slice(0, SHORT_ID)})`;
  return cause.kind === 'moved_project' ? 'Project was moved' : 'Notification';
};

const quotedOf = ({ kind }: Cause, { subject, note, alert }: Topic): string => {
  const text = {
    new_note: note?.body,
    new_mention: note === null ? subject?.description : note.body,
    new_issue: subject?.description,
    new_merge_request: subject?.description,
    alert_opened: alert?.description,
  }[kind as string];
  return (text ?? '').length > MAX_QUOTED ? `${(text ?? '').slice(0, MAX_QUOTED)}…` : (text ?? '');
};

/** What somebody did. */
type Done = Exclude<CauseKind, KindOfPipeline | 'issue_due' | 'alert_opened' | 'alert_resolved'>;

const ACTS: Readonly<Record<Done, (topic: Topic, cause: Cause) => string>> = {
  new_note: () => 'commented:',
  new_mention: ({ note }) => `mentioned you in ${note === null ? 'the description' : 'a comment'}:`,
  new_issue: ({ subject }) => `opened an issue.${assignedTo(subject)}`,
  reopen_issue: () => 'reopened the issue.',
  close_issue: () => 'closed the issue.',
  reassign_issue: ({ subject }) => `reassigned the issue.${assignedTo(subject) || ' It is assigned to nobody.'}`,
  label_issue: ({ labels }) => `added ${labelsIn(labels)} to the issue.`,
  new_merge_request: ({ subject }) => `opened a merge request.${assignedTo(subject)}`,
  push_to_merge_request: () => 'changed the commits of the merge request.',
  reopen_merge_request: () => 'reopened the merge request.',
  close_merge_request: () => 'closed the merge request.',
  reassign_merge_request: ({ subject }) =>
    `reassigned the merge request.${assignedTo(subject) || ' It is assigned to nobody.'}`,
  label_merge_request: ({ labels }) => `added ${labelsIn(labels)} to the merge request.`,
  merge_merge_request: () => 'merged the merge request.',
  // Where it was may be nobody's to know who reads this.
  moved_project: ({ project }) => `moved the project to ${project.fullPath}.`,
};

const sentenceOf = (cause: Cause, topic: Topic): string => {
  const { project, subject, actor } = topic;
  switch (cause.kind) {
    case 'issue_due':
      return `The issue is due on ${subject?.dueDate ?? 'a day that was taken away'}.`;
    case 'alert_opened':
      return `An alert was triggered in ${project.fullPath}.`;
    case 'alert_resolved':
      return `An alert was resolved in ${project.fullPath}.`;
    case 'failed_pipeline':
    case 'fixed_pipeline':
    case 'success_pipeline':
      return pipelineSentence(cause.kind, cause);
    default:
      return `${actor === null ? 'Somebody' : headerText(actor.name)} ${ACTS[cause.kind](topic, cause)}`;
  }
};

const MOST_LABELS = 20;

const labelsIn = (labels: readonly string[]): string => {
  if (labels.length === 0) return 'a label';
  const names = labels.slice(0, MOST_LABELS).map((name) => `“${headerText(name)}”`);
  const more = labels.length > MOST_LABELS ? ', …' : '';
  return `the ${labels.length === 1 ? 'label' : 'labels'} ${names.join(', ')}${more}`;
};

const assignedTo = (subject: Topic['subject']): string => {
  const names = subject?.assignees.map(({ name }) => headerText(name)) ?? [];
  return names.length === 0 ? '' : ` It is assigned to ${names.join(', ')}.`;
};
