import type { MailQueueReader } from '../../../../../application/notifications/ports/mail-outbox.js';
import type { JobReader } from '../../../../../application/shared/jobs/job-queue.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { pathNumber, type Pages } from '../page.js';
import { sendPage } from '../render.js';
import { tell } from '../frame/notice.js';
import { pageRequest, queryChoice } from '../page-request.js';

export interface QueuePagesParts {
  readonly mailReader: MailQueueReader;
  readonly jobReader: JobReader;
  readonly mailIsSetUp: boolean;
  /** False when there is none that could be sent. */
  readonly sendMailAgain: (id: number) => Promise<boolean>;
  /** False when it is gone. */
  readonly runJobNow: (id: number) => Promise<boolean>;
}

const MAILS = '/admin/mails';
const JOBS = '/admin/jobs';

/** What waits to be done: mails and jobs. */
export const addQueuePages = (pages: Pages, parts: QueuePagesParts): void => {
  const { mailReader, jobReader, mailIsSetUp, sendMailAgain, runJobNow } = parts;

  pages.get(MAILS, 'administrator', async (context) => {
    const which = queryChoice(context, 'state', ['waiting', 'failed']);
    const request = pageRequest(context);
    const [page, counts] = await Promise.all([mailReader.list(which, request), mailReader.count()]);
    sendPage(context.response, context.browser, 'admin/mails', {
      title: 'Mail queue',
      which,
      page,
      request,
      counts,
      mailIsSetUp,
      kept: { state: which },
    });
  });

  pages.post('/admin/mails/:id/send_again', 'administrator', async ({ browser, request, response }) => {
    if (!(await sendMailAgain(pathNumber(request)))) throw new NotFound('Mail');
    tell(response, browser, 'The mail is the next to be sent.');
    response.redirect(303, MAILS);
  });

  pages.get(JOBS, 'administrator', async (context) => {
    const request = pageRequest(context);
    const [page, counts] = await Promise.all([jobReader.list(request), jobReader.count()]);
    sendPage(context.response, context.browser, 'admin/jobs', { title: 'Jobs', page, request, counts });
  });

  pages.post('/admin/jobs/:id/run', 'administrator', async ({ browser, request, response }) => {
    if (!(await runJobNow(pathNumber(request)))) throw new NotFound('Job');
    tell(response, browser, 'The job is the next to be run.');
    response.redirect(303, JOBS);
  });
};
