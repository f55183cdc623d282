import type { Page, PageRequest } from '../../../domain/shared/page.js';

/** What a job is about: an id, or an address. */
export type JobSubject = number | string;

/** Takes jobs, which are done after the transaction that asks for them: those of some kinds, each kind with what it is about. */
export interface JobRequests<Subjects> {
  /**
   * Becomes due when the transaction commits, or shortly after it where its time must tell nothing. A property and no method: methods
   * may be taken for ones of other kinds.
   */
  readonly enqueue: (
    ...job: { [Kind in keyof Subjects]: [kind: Kind, subject: Subjects[Kind], at: Date] }[keyof Subjects]
  ) => Promise<void>;
  /** Several jobs of one kind. */
  readonly enqueueAll: (
    ...jobs: {
      [Kind in keyof Subjects]: [kind: Kind, jobs: readonly { readonly subject: Subjects[Kind]; readonly at: Date }[]];
    }[keyof Subjects]
  ) => Promise<void>;
}

/** A job as the list of those that wait shows it. */
export interface WaitingJob extends Job {
  readonly runAt: Date;
  readonly createdAt: Date;
}

export interface JobReader {
  /** Those that come next first. */
  list(page: PageRequest): Promise<Page<WaitingJob>>;
  /** How many wait, and how many of them have failed before; counted up to 10,000. */
  count(): Promise<{ readonly waiting: number; readonly failed: number }>;
}

export interface Job {
  readonly id: number;
  readonly kind: string;
  readonly subject: JobSubject;
  /** How often it has failed. */
  readonly attempts: number;
}

/** The jobs that wait. */
export interface JobQueue {
  /** One due job, held until the transaction ends: no other node gets it meanwhile. */
  takeDue(now: Date): Promise<Job | undefined>;
  /** Those of its kind that come after a job and are due, too, held in the same way; at most `limit`. */
  takeDueAfter(job: Job, now: Date, limit: number): Promise<readonly Job[]>;
  finish(ids: readonly number[]): Promise<void>;
  /** Those that are not done yet come after all that are due by then. */
  goOnLater(ids: readonly number[], now: Date): Promise<void>;
  /** Notes a failure and tries again at `runAt`. */
  postpone(id: number, runAt: Date): Promise<void>;
  /** Makes it due. False when there is no such job. */
  hurry(id: number, at: Date): Promise<boolean>;
}
