import type { Clock } from '../ports/clock.js';
import type { SharedCounters } from '../ports/shared-counters.js';
import type { Logger } from '../ports/logger.js';
import type { UnitOfWork } from '../unit-of-work.js';
import type { Job, JobQueue } from './job-queue.js';

/** What is left of a job after one step: large ones are done in several, others between these, so that none holds them up for long. */
export type JobProgress = 'done' | 'more';

/** Does one step of a job. */
export type JobHandler<Repositories, Subject> = (repositories: Repositories, subject: Subject) => Promise<JobProgress>;

/** Does one step of each of several jobs of a kind, which have much in common, in one transaction. */
export interface JobSetHandler<Repositories, Subject> {
  /** How many at most. */
  readonly atOnce: number;
  /** What is left of each, in their order. */
  readonly steps: (repositories: Repositories, subjects: readonly Subject[]) => Promise<readonly JobProgress[]>;
}

type AnyHandler<Repositories, Subject> = JobHandler<Repositories, Subject> | JobSetHandler<Repositories, Subject>;

/** What each kind of job does. */
export type JobHandlers<Repositories, Subjects> = {
  readonly [Kind in keyof Subjects]: AnyHandler<Repositories, Subjects[Kind]>;
};

/** What each kind of job of some context does, by kind. */
export type HandlersByKind<Repositories> = Readonly<Record<string, AnyHandler<Repositories, never>>>;

/** How one transaction of some jobs ended. */
interface Ended {
  readonly outcome: 'done' | 'failed';
  readonly jobs: readonly Job[];
}

const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 3_600_000;

/** Does what the queue holds: the last step of a job and its removal from the queue are one transaction. */
export class JobRunner<Repositories extends { readonly jobs: JobQueue }> {
  readonly #handlers = new Map<string, JobSetHandler<Repositories, never>>();

  constructor(
    private readonly unitOfWork: UnitOfWork<Repositories>,
    handlers: readonly HandlersByKind<Repositories>[],
    private readonly clock: Clock,
    private readonly counters: SharedCounters,
    private readonly logger: Logger,
  ) {
    for (const [kind, handler] of handlers.flatMap((ofContext) => Object.entries(ofContext))) {
      this.#handlers.set(kind, typeof handler === 'function' ? oneByOne(handler) : handler);
      for (const outcome of ['done', 'failed'] as const) counters.count('jobs_total', { kind, outcome }, 0);
    }
  }

  /** Runs every job that is due, and answers how many steps of jobs ended well. */
  async runDue(): Promise<number> {
    let done = 0;
    // Those that failed together come again one by one: one of them is to blame.
    let alone = 0;
    for (;;) {
      const ended = await this.#runSome(alone > 0);
      if (ended === undefined) return done;
      const { outcome, jobs } = ended;
      if (outcome === 'done') done += jobs.length;
      alone = outcome === 'failed' && jobs.length > 1 ? jobs.length : Math.max(alone - 1, 0);
    }
  }

  /** Undefined where nothing is due. */
  async #runSome(alone: boolean): Promise<Ended | undefined> {
    let jobs: readonly Job[] = [];
    try {
      return await this.unitOfWork.execute(async (repositories) => {
        jobs = await this.#take(repositories.jobs, alone);
        if (jobs.length === 0) return undefined;
        await this.#work(repositories, jobs);
        return { outcome: 'done', jobs };
      });
    } catch (error) {
      const [job, ...others] = jobs;
      if (job === undefined) throw error;
      if (others.length === 0) await this.#postpone(job, error);
      return { outcome: 'failed', jobs };
    }
  }

  async #take(queue: JobQueue, alone: boolean): Promise<readonly Job[]> {
    const now = this.clock.now();
    const first = await queue.takeDue(now);
    if (first === undefined) return [];
    const others = alone ? 0 : (this.#handlers.get(first.kind)?.atOnce ?? 1) - 1;
    return others === 0 ? [first] : [first, ...(await queue.takeDueAfter(first, now, others))];
  }

  async #work(repositories: Repositories, jobs: readonly Job[]): Promise<void> {
    const { kind } = jobs[0]!;
    const handler = this.#handlers.get(kind);
    if (handler === undefined) throw new Error(`There is no handler for jobs of the kind "${kind}".`);
    const progress = await handler.steps(
      repositories,
      jobs.map(({ subject }) => subject as never),
    );
    const isLeft = (place: number): boolean => progress[place] === 'more';
    const left = jobs.filter((_, place) => isLeft(place)).map(({ id }) => id);
    const ended = jobs.filter((_, place) => !isLeft(place)).map(({ id }) => id);
    if (left.length > 0) await repositories.jobs.goOnLater(left, this.clock.now());
    if (ended.length === 0) return;
    await repositories.jobs.finish(ended);
    this.counters.count('jobs_total', { kind, outcome: 'done' }, ended.length);
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

const oneByOne = <Repositories, Subject>(
  handle: JobHandler<Repositories, Subject>,
): JobSetHandler<Repositories, Subject> => ({
  atOnce: 1,
  steps: (repositories, subjects) => Promise.all(subjects.map((subject) => handle(repositories, subject))),
});
