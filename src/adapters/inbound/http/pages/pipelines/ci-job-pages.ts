import type { CiJobs } from '../../../../../application/pipelines/ci-jobs.js';
import type { JobLogs } from '../../../../../application/pipelines/job-logs.js';
import type { CiJobDetails, CiJobReader } from '../../../../../application/pipelines/ports/ci-job-ports.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import { isAlive, isBridge, isPlayable, isRetryable } from '../../../../../domain/pipelines/ci-job.js';
import { mayReadLog, requireReadableLog } from '../../../../../domain/pipelines/debug-log.js';
import type { Pipeline } from '../../../../../domain/pipelines/pipeline.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { isOffered } from '../../../../../domain/workspace/workspace-policy.js';
import { sendStream } from '../../git/git-answer.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { CodePage } from '../code/code-page.js';
import type { CodePagesParts } from '../code/code-pages-parts.js';
import { pathNumber } from '../form-fields.js';
import { tell } from '../frame/notice.js';
import type { Pages } from '../page.js';
import type { PageContext } from '../page-context.js';
import { actorOf } from '../page-session.js';
import { projectOfPage } from '../project-of-page.js';
import { artifactsOnPage } from './artifact-pages.js';
import { downstreamsFor, sentenceOf, type BridgePagesParts } from './bridges-on-page.js';
import { logText } from './log-text.js';

export interface CiJobPagesParts extends CodePagesParts, Pick<BridgePagesParts, 'bridgeReader'> {
  readonly ciJobs: CiJobs;
  readonly ciJobReader: CiJobReader;
  readonly jobLogs: Pick<JobLogs, 'retentionDays'>;
}
type Parts = CiJobPagesParts;

const JOB = '/*path/-/jobs/:id';
const PIPELINE = '/*path/-/pipelines/:id';
/** More of a log is shown as it is alone. */
const SHOWN_BYTES = 200_000;

/** What whoever looks at a job may do with it. */
const actionsFor = (job: CiJobDetails, mayRun: boolean) => ({
  cancel: mayRun && isAlive(job.status),
  retry: mayRun && isRetryable(job),
  play: mayRun && isPlayable(job),
});

/** Whether whoever looks at a pipeline may run, and cancel, its jobs. */
export const mayRunJobs = async (
  { ciJobs }: Pick<Parts, 'ciJobs'>,
  { browser }: PageContext,
  permitted: Permitted<'read_code'>,
  pipeline: Pipeline,
): Promise<boolean> =>
  isOffered(permitted.project, permitted.level, 'run_pipelines') &&
  (await ciJobs.mayRun(actorOf(browser), permitted, pipeline));

const logOf = async ({ ciJobReader }: Parts, { id, logBytes }: CiJobDetails) => {
  const from = Math.max(0, logBytes - SHOWN_BYTES);
  const parts: Uint8Array[] = [];
  for await (const part of ciJobReader.log(id, from)) parts.push(part);
  return { log: logText(Buffer.concat(parts).toString('utf8')), cut: from > 0 };
};

/** One job: how it stands, its log, and what can be done with it. */
export const addCiJobPages = (pages: Pages, parts: Parts): void => {
  const page = new CodePage(parts);
  const { ciJobReader, locate } = parts;

  pages.get(JOB, 'anyone', async (context) => {
    const open = await page.open(context, 'read_pipelines');
    const { project, level } = open.permitted;
    const job = orNotFound(await ciJobReader.find(project.id, pathNumber(context.request)));
    const [main, log, downstreams] = await Promise.all([
      locate.defaultVersion(open.permitted),
      mayReadLog(job, level) ? logOf(parts, job) : { log: '', cut: false },
      downstreamsFor(parts, context, [job]),
    ]);
    await page.show(
      context,
      'job',
      { ...open, ...main },
      {
        title: `Job ${job.name} of ${project.name}`,
        tab: 'pipelines',
        job,
        ...log,
        bridge: isBridge(job) ? { sentence: sentenceOf(job), downstream: downstreams.get(job.id) } : undefined,
        logIsHidden: !mayReadLog(job, level),
        logDays: parts.jobLogs.retentionDays,
        may: actionsFor(job, await mayRunJobs(parts, context, open.permitted, job.pipeline)),
        goesOn: isAlive(job.status),
        left: artifactsOnPage(job, { level, mayKeep: isOffered(project, level, 'run_pipelines') }),
      },
    );
  });

  pages.get(`${JOB}/raw`, 'anyone', async (context) => {
    const { permitted } = await page.open(context, 'read_pipelines');
    const job = orNotFound(await ciJobReader.find(permitted.project.id, pathNumber(context.request)));
    if (isBridge(job)) throw new NotFound();
    requireReadableLog(job, permitted.level);
    const { response } = context;
    response.set({ 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' });
    await sendStream(response, ciJobReader.log(job.id));
    response.end();
  });

  addActions(pages, parts);
};

const TOLD_OF_JOB = {
  cancel: 'The job is canceled.',
  retry: 'The job runs again: this is the new one.',
  play: 'The job begins.',
} as const;
const TOLD_OF_PIPELINE = { cancel: 'The pipeline is canceled.', retry: 'What failed runs again.' } as const;

const addActions = (pages: Pages, { access, ciJobs }: Parts): void => {
  const find = (context: PageContext) => projectOfPage(access, context, 'run_pipelines');

  for (const act of ['cancel', 'retry', 'play'] as const)
    pages.post(`${JOB}/${act}`, 'signed_in', async (context) => {
      const place = await find(context);
      const id = pathNumber(context.request);
      const made = await ciJobs[act](actorOf(context.browser), place, id);
      tell(context.response, context.browser, TOLD_OF_JOB[act]);
      context.response.redirect(303, `/${place.project.fullPath}/-/jobs/${made ?? id}`);
    });

  for (const act of ['cancel', 'retry'] as const)
    pages.post(`${PIPELINE}/${act}`, 'signed_in', async (context) => {
      const place = await find(context);
      const id = pathNumber(context.request);
      const method = act === 'cancel' ? 'cancelPipeline' : 'retryPipeline';
      await ciJobs[method](actorOf(context.browser), place, id);
      tell(context.response, context.browser, TOLD_OF_PIPELINE[act]);
      context.response.redirect(303, `/${place.project.fullPath}/-/pipelines/${id}`);
    });
};
