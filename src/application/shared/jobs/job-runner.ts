import type { Clock } from '../ports/clock.js';
import type { SharedCounters } from '../ports/shared-counters.js';
import type { Logger } from '../ports/logger.js';
import type { UnitOfWork } from '../unit-of-work.js';
import type { Job, JobQueue } from './job-queue.js';

/** What is left of a job after one step: large ones are done in several, so that none holds up the others for long. */
export type JobProgress = 'done' | 'more';

/** Does one step of a job. */
export type JobHandler<Repositories, Subject> = (repositories: Repositories, subject: Subject) => Promise<JobProgress>;

/** What each kind of job does. */
export type JobHandlers<Repositories, Subjects> = {
  readonly [Kind in keyof Subjects]: JobHandler<Repositories, Subjects[Kind]>;
};

const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 3_600_000;

/** Does what the queue holds: the last step of a job and its removal from the queue are one transaction. */
export class JobRunner<Repositories extends { readonly jobs: JobQueue }> {
  constructor(
    private readonly unitOfWork: UnitOfWork<Repositories>,
    private readonly handlers: ReadonlyMap<string, JobHandler<Repositories, never>>,
    private readonly clock: Clock,
    private readonly counters: SharedCounters,
    private readonly logger: Logger,
  ) {
    for (const kind of handlers.keys())
      for (const outcome of ['done', 'failed'] as const) counters.count('jobs_total', { kind, outcome }, 0);
  }

  /** Runs every job that is due, and answers how many steps of jobs ended well. */
  async runDue(): Promise<number> {
    for (let done = 0; ; done += 1) {
      const outcome = await this.#runOne();
      if (outcome === 'none') return done;
      if (outcome === 'failed') done -= 1;
    }
  }

  async #runOne(): Promise<'done' | 'failed' | 'none'> {
    const taken: { job?: Job } = {};
    try {
      return await this.unitOfWork.execute(async (repositories) => {
        const job = await repositories.jobs.takeDue(this.clock.now());
        if (job === undefined) return 'none';
        taken.job = job;
        const handle = this.handlers.get(job.kind);
        if (handle === undefined) throw new Error(`There is no handler for jobs of the kind "${job.kind}".`);
        if ((await handle(repositories, job.subject as never)) === 'more') return 'done';
        await repositories.jobs.finish(job.id);
        this.counters.count('jobs_total', { kind: job.kind, outcome: 'done' });
        return 'done';
      });
    } catch (error) {
      if (taken.job === undefined) throw error;
      await this.#postpone(taken.job, error);
      return 'failed';
    }
  }

  async #postpone(job: Job, error: unknown): Promise<void> {
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** job.attempts, LONGEST_PAUSE_MS);
    this.logger.error('job failed', {
      jobId: job.id,
      kind: job.kind,
      attempts: job.attempts + 1,
      error: String(error),
    });
    this.counters.count('jobs_total', { kind: job.kind, outcome: 'failed' });
    const runAt = new Date(this.clock.now().getTime() + pause);
    await this.unitOfWork.execute(({ jobs }) => jobs.postpone(job.id, runAt));
  }
}
