/** What is done after the transaction that asked for it. */
export type JobKind = 'remove_project' | 'remove_group' | 'tell_people';

export interface Job {
  readonly id: number;
  readonly kind: JobKind;
  /** The id of what the job is about. */
  readonly subjectId: number;
  /** How often it has failed. */
  readonly attempts: number;
}

export interface JobQueue {
  /** Becomes due when the transaction commits. */
  enqueue(kind: JobKind, subjectId: number, at: Date): Promise<void>;
  /** One due job, held until the transaction ends: no other node gets it meanwhile. */
  takeDue(now: Date): Promise<Job | undefined>;
  finish(id: number): Promise<void>;
  /** Notes a failure and tries again at `runAt`. */
  postpone(id: number, runAt: Date): Promise<void>;
}
