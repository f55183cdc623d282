import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import type { TestService } from './test-service.js';

export interface QueuedMailSeen {
  readonly recipient: string;
  readonly template: string;
  readonly content: Readonly<Record<string, string>>;
}

/** What waits to be mailed once every job has run, the oldest first. */
export const queuedMails = async (service: TestService, recipient?: string): Promise<readonly QueuedMailSeen[]> => {
  const { container, database } = service.service;
  // The service runs them, too: what it has in its hands is not there for others, and not done either.
  do await container.get(TOKENS.jobRunner).runDue();
  while ((await database.reader.query('jobs').first('id')) !== undefined);
  // Of what was sent or given up the content is forgotten.
  const waiting = database.reader.query('queued_mails').whereNotNull('sealed_content');
  const rows = (await waiting.orderBy('id')) as {
    recipient: string;
    template: string;
    sealed_content: string;
  }[];
  const box = container.get(TOKENS.secretBox);
  return rows
    .filter((row) => recipient === undefined || row.recipient === recipient)
    .map((row) => ({
      recipient: row.recipient,
      template: row.template,
      content: JSON.parse(box.open(row.sealed_content)) as Record<string, string>,
    }));
};

/** The secret of the newest link of a kind that was mailed to an address; undefined when there is none. */
export const mailedSecret = async (
  service: TestService,
  recipient: string,
  template: 'confirm_email' | 'reset_password',
): Promise<string | undefined> => {
  const mails = (await queuedMails(service, recipient)).filter((mail) => mail.template === template);
  return mails.at(-1)?.content['link']?.replace(/^.*=/, '');
};

/** What account owners were told of at an address: the sentence and how it was done. */
export const toldAt = async (service: TestService, recipient: string): Promise<readonly string[]> =>
  (await queuedMails(service, recipient))
    .filter(({ template }) => template === 'security_notice')
    .map(({ content }) => `${content['told'] ?? ''} | ${content['how'] ?? ''}`);
